import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdLines } from '../../src/cli/hold-lines.ts'

const hold = (id: number, until: number) => ({ id, name: 'ana', glob: `src/${id}/**`, since: 0, until })

test('who holds what, and for how much longer; nothing of what is over', () => {
  assert.deepEqual(holdLines(undefined, 0), [])
  assert.deepEqual(holdLines([hold(1, 61_000), hold(2, 1_000)], 1_000), ['ana holds src/1/** for 1m 00s'])
})

test('of many the first are named', () => {
  const lines = holdLines(
    [1, 2, 3, 4, 5].map((id) => hold(id, 9_000)),
    0,
  )
  assert.deepEqual(lines.slice(2), ['ana holds src/3/** for 9.0s', '… and 2 more: `espalier claims` lists them'])
})
