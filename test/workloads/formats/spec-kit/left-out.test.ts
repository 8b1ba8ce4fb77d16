// Tasks of a `tasks.md` that nobody is to do.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { edgesOf, read, remarks } from '../markdown-read.ts'

describe('tasks that are left out', () => {
  const lines: [line: string, why: string][] = [
    ['- [ ] ~~T2 Remove the cache from src/cache.ts~~', 'struck out'],
    ['- [ ] ~~T2 Remove the cache~~ (dropped)', 'struck out'],
    ['- [ ] ~~T2 Replace the engine of the\n  database~~ — cancelled', 'struck out'],
    ['- [ ] ~~[P] T2 x~~', 'struck out'],
    ['- [ ] ~~T2~~ **DELETED** — it could not be built', 'struck out'],
    ['- [ ] T2 ~~Delete src/db.py~~', 'struck out'],
    ['- [ ] T2 ~~Add it~~.', 'struck out'],
    ['- [-] T2 x', 'marked `[-]`'],
  ]
  for (const [line, why] of lines)
    test(line, () => {
      const plan = read(`- [ ] T1 a\n${line}\n- [ ] T3 c (depends on T2)\n`)
      assert.deepEqual(edgesOf(plan), ['t1', 't3 ← t1'])
      assert.equal(plan.source.entries.find(({ source }) => source === 'T2')?.state, 'skipped')
      assert.deepEqual(remarks(plan.source.assumed), [`2: tasks that are ${why} are left out: \`T2\``])
    })

  const open = [
    '- [ ] T2 ~~Use redis~~ Use a file in src/cache.ts',
    '- [ ] T2 Show the tests that were SKIPPED in src/report.ts',
    '- [ ] T2 ~~Redis~~ **SQLite** cache',
    '- [ ] T2 ~~Redis~~ (SQLite) cache',
  ]
  for (const line of open)
    test(`not ${line}`, () => assert.deepEqual(edgesOf(read(`- [ ] T1 a\n${line}\n`)), ['t1', 't2 ← t1']))

  test('what is ticked is done, struck out or not', () => {
    assert.equal(read('- [x] ~~T1 a~~\n- [ ] T2 b\n').source.entries[0]?.state, 'done')
  })
})
