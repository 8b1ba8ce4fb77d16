import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameList } from '../../src/text/name-list.ts'
import { displayWidth } from '../../src/text/width.ts'

const lists: [names: string[], columns: number, text: string][] = [
  [[], 10, ''],
  [['a', 'b', 'c'], 7, 'a, b, c'],
  [['alpha', 'beta', 'gamma'], 17, 'alpha and 2 more'],
  [['alpha', 'beta', 'gamma'], 18, 'alpha, beta, gamma'],
  [['alpha', 'beta'], 8, 'alpha a…'],
  [['a-very-long-name'], 8, 'a-very-…'],
]
for (const [names, columns, text] of lists) {
  test(`${names.length} names in ${columns} columns: ${text}`, () => {
    assert.equal(nameList(names, columns), text)
    assert.ok(displayWidth(nameList(names, columns)) <= columns)
  })
}
