// Which tasks of plan files are the same one in different runs: as tables.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasSameWords, sameTasks } from '../../../src/engine/history/other-runs-of-plan.ts'
import { fileTask, planTask } from '../../store/ledger-sample.ts'

const THERE = () => true

/** `source of mine ← run/source of a row` for each that is found. */
function pairs(
  mine: ReturnType<typeof fileTask>[],
  rows: ReturnType<typeof planTask>[],
  isThere: (file: string) => boolean = THERE,
): string[] {
  return [...sameTasks(mine, rows, isThere)].map(([row, one]) => `${one.source} ← ${row.run}/${row.source}`)
}

test('a task is known by its format, its file and its name there', () => {
  const mine = [fileTask({ source: '1' }), fileTask({ source: '2' })]
  const table: [Partial<Parameters<typeof planTask>[0]>, string[]][] = [
    [{ source: '1' }, ['1 ← r/1']],
    [{ source: '3' }, []],
    [{ source: '1', file: 'other.json' }, []],
    [{ source: '1', format: 'task-master' }, []],
    // Its words may have been put right since.
    [{ source: '1', says: '5:other' }, ['1 ← r/1']],
    // In another part of the file the same name may be another task: then it has other words.
    [{ source: '1', part: 'next', says: '5:other' }, []],
    [{ source: '1', part: 'next' }, ['1 ← r/1']],
  ]
  for (const [row, found] of table) assert.deepEqual(pairs(mine, [planTask(row)]), found, JSON.stringify(row))
})

test('each row of each run is found on its own', () => {
  const mine = [fileTask({ source: '1' }), fileTask({ source: '2' })]
  const rows = [
    planTask({ run: 's', source: '1' }),
    planTask({ run: 'r', source: '2' }),
    planTask({ run: 'r', source: '1' }),
  ]
  assert.deepEqual(pairs(mine, rows), ['1 ← s/1', '2 ← r/2', '1 ← r/1'])
})

test('a file that was renamed is known by its words, with or without numbers, where only one can be meant', () => {
  const named = (file: string, says: string, numberless: string) => {
    return { file: `e/${file}.md`, source: file, says: `5:${says}`, numberless: `5:${numberless}` }
  }
  const gone = (file: string) => !file.startsWith('e/0')
  const now = [named('41', 'log in', 'log in'), named('42', 'see 41', 'see #')].map(fileTask)
  const table: [Partial<Parameters<typeof planTask>[0]>[], string[], string][] = [
    [[named('001', 'log in', 'log in')], ['41 ← r/001'], 'the same words'],
    [[named('002', 'see 1', 'see #')], ['42 ← r/002'], 'only numbers are different'],
    [[named('001', 'log in', 'log in'), named('002', 'see 1', 'see #')], ['41 ← r/001', '42 ← r/002'], 'both'],
    [[named('002', 'see 1', 'see #'), named('003', 'see 2', 'see #')], [], 'two could be meant'],
    [[{ ...named('002', 'see 1', 'see #'), file: 'd/002.md' }], [], 'another folder'],
    [[named('002', 'see 1', 'see #'), named('42', 'see 41', 'see #')], ['42 ← r/42'], 'the run has its new name, too'],
  ]
  for (const [rows, found, why] of table) assert.deepEqual(pairs(now, rows.map(planTask), gone), found, why)
  assert.deepEqual(pairs(now, [planTask(named('007', 'log in', 'log in'))]), [], 'both files are there')
  const mine = [fileTask(named('001', 'log in', 'log in'))]
  assert.deepEqual(
    pairs(mine, [planTask(named('41', 'log in', 'log in'))], gone),
    ['001 ← r/41'],
    'the other way round',
  )
})

test('one that was renamed has the same words; another is compared', () => {
  const one = fileTask({ file: 'e/1.md', source: '1', says: '5:a' })
  assert.equal(hasSameWords(one, { ...one }), true)
  assert.equal(hasSameWords(one, { ...one, says: '5:b' }), false)
  assert.equal(hasSameWords(one, { ...one, file: 'e/2.md', source: '2', says: '5:b' }), true)
})
