// A file may say what a task waits for under another name than its format has for it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { graphOf, promptOf, readText, refusal, remarksOf } from '../json-read.ts'

type Fields = Record<string, unknown>

/** A file with the tasks `a1` and `a2`, of which the second has these fields. */
const FORMATS: { format: string; file: string; text: (fields: Fields) => string; notHere?: string }[] = [
  {
    format: 'implementation-plan',
    file: 'implementation_plan.json',
    text: (fields) => {
      const subtasks = [
        { id: 'a1', description: 'x' },
        { id: 'a2', description: 'y', ...fields },
      ]
      return JSON.stringify({ phases: [{ phase: 1, parallel_safe: true, subtasks }] })
    },
  },
  {
    format: 'work-queue',
    file: 'queue.json',
    text: (fields) =>
      JSON.stringify({
        features: [
          { id: 'a1', description: 'x' },
          { id: 'a2', description: 'y', ...fields },
        ],
      }),
  },
  {
    format: 'epics-and-tasks',
    file: 'epics.json',
    text: (fields) =>
      JSON.stringify({
        tasks: [
          { id: 'a1', description: 'x', done: false },
          { id: 'a2', description: 'y', ...fields },
        ],
      }),
  },
  {
    format: 'task-master',
    file: 'tasks.json',
    text: (fields) =>
      JSON.stringify({
        tasks: [
          { id: 'a1', title: 'x', status: 'pending' },
          { id: 'a2', title: 'y', ...fields },
        ],
      }),
  },
  {
    format: 'beads',
    file: 'issues.jsonl',
    text: (fields) =>
      [
        { id: 'a1', title: 'x', status: 'open' },
        { id: 'a2', title: 'y', status: 'open', ...fields },
      ]
        .map((issue) => JSON.stringify(issue))
        .join('\n'),
    // There it has its own meaning: a list of links.
    notHere: 'dependencies',
  },
]

const NAMES = ['depends_on', 'dependsOn', 'dependencies', 'blocked_by', 'blockedBy', 'needs']

for (const { format, file, text, notHere } of FORMATS)
  describe(format, () => {
    const waits = (fields: Fields) => {
      const read = readText(text(fields), file)
      assert.equal(read.source.format, format)
      return { needs: graphOf(read).a2, warnings: remarksOf(read, 'warnings').join('\n'), ignored: read.source.ignored }
    }

    for (const name of NAMES.filter((one) => one !== notHere))
      test(name, () => {
        assert.deepEqual(waits({ [name]: ['a1'] }), { needs: ['a1'], warnings: '', ignored: [] })
        assert.deepEqual(waits({ [name]: 'a1' }).needs, ['a1'])
        assert.deepEqual(waits({ [name]: 'None' }).needs, [])
      })

    test('twice under two names is once', () =>
      assert.deepEqual(waits({ depends_on: 'a1', needs: ['a1'] }).needs, ['a1']))

    test('what it says it blocks is told to its agent, and orders nothing', () => {
      const read = readText(text({ blocks: ['a1'] }), file)
      assert.deepEqual(graphOf(read), { a1: [], a2: [] })
      assert.match(promptOf(read, 'a2'), /## Blocks\n\n- a1/)
    })

    test('where something else may be meant, what is no task is named and not refused', () => {
      const { needs, warnings } = waits({ needs: ['a1', 'express'] })
      assert.deepEqual(needs, ['a1'])
      assert.match(warnings, /^\d+:\d+ `needs` names `express`, which is no task here: nothing waits for it$/)
    })

    test('words, and names of a field that is not of the format, are named and not refused', () => {
      const legal = waits({ blockedBy: 'waiting for legal', blocked_by: ['a1', 'gone'], dependsOn: ['PostgreSQL'] })
      assert.deepEqual(legal.needs, ['a1'])
      assert.deepEqual(legal.warnings.match(/`\w+` names `[\w ]+`/g), [
        '`dependsOn` names `PostgreSQL`',
        '`blocked_by` names `gone`',
        '`blockedBy` names `waiting for legal`',
      ])
      const words = waits({
        depends_on: ['a1', 'the new database'],
        ...(notHere ? {} : { dependencies: ['all of it'] }),
      })
      assert.deepEqual(words.needs, ['a1'])
      assert.match(
        words.warnings,
        / `depends_on` names `the new database`, which is no task here: nothing waits for it/,
      )
    })

    test('what is no list of names says nothing', () =>
      assert.match(waits({ blockedBy: [{ id: 'a1' }] }).warnings, / `blockedBy` is no list of names: nothing waits/))
  })

describe('a name that is not there, in the field of the format', () => {
  const cases: [format: string, fields: Fields][] = [
    ['epics-and-tasks', { depends_on: ['gone'] }],
    ['task-master', { dependencies: ['gone'] }],
    ['task-master', { dependencies: ['Task 3'] }],
    ['beads', { dependencies: [{ depends_on_id: 'gone', type: 'blocks' }] }],
  ]
  for (const [format, fields] of cases)
    test(`${format} ${JSON.stringify(fields)}`, () => {
      const { text, file } = FORMATS.find((one) => one.format === format) ?? assert.fail()
      assert.match(refusal(text(fields), file).join(), /there is no .* `(?:gone|Task 3)` to /)
    })
})
