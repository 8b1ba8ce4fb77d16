// What a batch plan says about what waits for what.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { edgesOf, read, remarks } from '../markdown-read.ts'

/** Three tasks of a batch, each with what stands below its heading. */
function three(first: string, second = '', third = ''): string {
  return `## Batch 1\n### Task 1.1\n${first}\n### Task 1.2\n${second}\n### Task 1.3\n${third}\n`
}

describe('orders of tasks', () => {
  const cases: [third: string, waitsFor: string][] = [
    ['**Depends on:** 1.1 (schema)', 'task-1-1'],
    ['**Depends:** Task 1.1, Task 1.2', 'task-1-1 task-1-2'],
    ['**Requires:** Task 1.1', 'task-1-1'],
    ['**After:** Task 1.1', 'task-1-1'],
    ['**Blocked by:** Task 1.1', 'task-1-1'],
    ['- **depends:** Task 1.1', 'task-1-1'],
    ['> **Depends:** Task 1.1', 'task-1-1'],
    ['**Dependencies:** Task 1.1 (the table), Task 1.2', 'task-1-1 task-1-2'],
    ['**Dependencies:** Task 1.1: the table', 'task-1-1'],
    ['**Dependencies:** Task 1.1, in parallel with Task 1.2', 'task-1-1'],
    ['**Dependencies:** Task 1.1 - the base, needs Node 1.2', 'task-1-1'],
    ['**Dependencies**\n- Task 1.1', 'task-1-1'],
    ['#### Dependencies\n- Task 1.1', 'task-1-1'],
    // Words: they are told to the agent, and order nothing.
    ['**Dependencies:** Types used by Task 1.1', ''],
    ['**Dependencies:** Must land before Task 1.1', ''],
    ['**Dependencies:** None; blocks Task 1.2', ''],
    ['**Dependencies:** Independent of Task 1.1', ''],
    ['**Blocks:** Task 1.1', ''],
    ['Depends on: Task 1.1', ''],
    ['```\n**Depends on:** Task 1.1\n```', ''],
  ]
  for (const [third, waitsFor] of cases)
    test(third, () =>
      assert.deepEqual(edgesOf(read(three('', '', third))), [
        'task-1-1',
        'task-1-2',
        waitsFor === '' ? 'task-1-3' : `task-1-3 ← ${waitsFor}`,
      ]),
    )

  test('what is not understood is said', () => {
    const said = remarks(
      read(three('', '', '**Depends:** Types used by Task 1.1\n**Prerequisites:** Task 1.2')).source.ignored,
    )
    assert.deepEqual(said, [
      '7: dependencies that do not begin with a batch or task: no task waits for them, and a batch waits for the one before it: `Types used by Task 1.1`',
      '8: fields that look like dependencies: `prerequisites`',
    ])
  })
})

describe('batches with a letter', () => {
  const text =
    '## Batch 0a: a\n### Task 0a.1: x\n## Batch 0b: b\n**Dependencies:** None\n### Task 0b.1: y\n**Dependencies:** Task 0a.1\n' +
    '## Batch 1: c\n**Dependencies:** Batches 0a, 0b\n### Task 1.1: z\n## Batch 2\n**Dependencies:** Batch 0\n### Task 2.1\n'

  test('are batches of their own, and together those of their number', () => {
    const plan = read(text)
    assert.deepEqual(edgesOf(plan), [
      'task-0a-1',
      'task-0b-1 ← task-0a-1',
      'task-1-1 ← task-0a-1 task-0b-1',
      'task-2-1 ← task-0a-1 task-0b-1',
    ])
    assert.deepEqual(
      plan.plan.epics.map(({ id }) => id),
      ['batch-0a', 'batch-0b', 'batch-1', 'batch-2'],
    )
  })

  const parts: [part: string, tasks: string[]][] = [
    ['0a', ['task-0a-1']],
    ['0', ['task-0a-1', 'task-0b-1']],
    ['0-1', ['task-0a-1', 'task-0b-1', 'task-1-1']],
  ]
  for (const [part, tasks] of parts)
    test(`--part ${part}`, () =>
      assert.deepEqual(
        read(text, { part }).plan.tasks.map(({ id }) => id),
        tasks,
      ))
})
