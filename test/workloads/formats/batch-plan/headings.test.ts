// Headings of batches and tasks, and what they and a status say of them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { edgesOf, read, remarks } from '../markdown-read.ts'

/** Three tasks of a batch, each with what stands below its heading. */
function three(first: string, second = '', third = ''): string {
  return `## Batch 1\n### Task 1.1\n${first}\n### Task 1.2\n${second}\n### Task 1.3\n${third}\n`
}

describe('headings of tasks', () => {
  const tasks = (heading: string): string[] => {
    const { source } = read(`## Batch 1\n### Task 1.1: a\n${heading}\nwords\n### Task 1.4: d\n`)
    return source.entries.slice(1, -1).map(({ source, state }) => `${source} ${state}`)
  }
  const cases: [heading: string, entries: string[]][] = [
    ['### ✅ Task 1.2: x', ['1.2 done']],
    ['### 🔧 Task 1.2: x', ['1.2 open']],
    ['### Task 1.2: x ✅', ['1.2 done']],
    ['### Task 1.2: x — ✅', ['1.2 done']],
    ['### Task 1.2 ✅', ['1.2 done']],
    ['### Task 1.2: Replace ❌ with ✅', ['1.2 open']],
    ['### Task 1.2: Toggle ❌/✅', ['1.2 open']],
    ['### Task 1.2: Add ✅', ['1.2 open']],
    ['### [ ] Task 1.2: x', ['1.2 open']],
    ['### [x] Task 1.2: x', ['1.2 done']],
    ['### Task 2: x', ['2 open']],
    ['### Task A.1: x', []],
    ['### Task 1-22: x', []],
    ['### 1.2 x', []],
    ['#### 1.2: within a task', []],
    ['#### Task 2: within a task', []],
    ['### Overview', []],
  ]
  for (const [heading, entries] of cases) test(heading, () => assert.deepEqual(tasks(heading), entries))

  test('one that is not taken as a task, though it looks like one, has a warning', () => {
    const warned = (heading: string): string[] =>
      read(`## Batch 1\n### Task 1.1\n${heading}\n`).warnings.map(({ line, message }) => `${line}: ${message}`)
    assert.deepEqual(warned('### Task A.1: x'), [
      '3: headings that are not taken as tasks, so that their words are told to all tasks of the batch (a task begins with a heading such as `### Task 1.1: title`): `Task A.1: x`',
    ])
    assert.equal(warned('### ~~Task 1.2: x~~').length, 1)
    assert.deepEqual(warned('### Overview'), [])
  })

  test('a task may be named by its bare number', () => {
    const text = '## Batch 1\n### Task 1: a\n### Task 2: b\n**Dependencies:** Task 1\n'
    assert.deepEqual(edgesOf(read(text)), ['task-1', 'task-2 ← task-1'])
  })
})

describe('what a status says', () => {
  const cases: [status: string, state: string, isTold?: true][] = [
    ['✅ Completed', 'done'],
    ['Done', 'done'],
    ['done (2025-01-01)', 'done'],
    ['DONE - merged in #12', 'done'],
    ['**Merged**', 'done'],
    ['✅', 'done'],
    ['[x]', 'done'],
    ['complete except tests', 'open'],
    ['done, but the tests are missing', 'open'],
    ['Partially complete', 'open'],
    ['80%', 'open'],
    ['In progress', 'open'],
    ['Blocked', 'open'],
    ['Not started', 'open'],
    ['⏳ Pending', 'open'],
    ['[ ]', 'open'],
    ['', 'open'],
    ['Skipped', 'skipped', true],
    ['❌ Cancelled (see #3)', 'skipped', true],
    ['Deferred', 'skipped', true],
    ["Won't do", 'skipped', true],
    ['On hold', 'skipped', true],
  ]
  for (const [status, state, isTold = false] of cases)
    test(status || 'nothing', () => {
      const { source } = read(three(`**Status:** ${status}`))
      assert.equal(source.entries[0]?.state, state)
      assert.equal(
        source.assumed.some(({ message }) => /^tasks that are .*: `1\.1`$/.test(message)),
        isTold,
      )
    })

  test('what is left out is said, and order goes through it', () => {
    const plan = read(three('', '**Status:** Cancelled\n**Dependencies:** Task 1.1', '**Dependencies:** Task 1.2'))
    assert.deepEqual(edgesOf(plan), ['task-1-1', 'task-1-3 ← task-1-1'])
    assert.deepEqual(remarks(plan.source.assumed), ['4: tasks that are `Cancelled` are left out: `1.2`'])
  })

  test('what the headings say is told, too', () => {
    const { source } = read('## Batch 1\n### Task 1.1: x ✅\n### ✅ Task 1.2: b\n### Task 1.4\n')
    assert.deepEqual(remarks(source.assumed), ['2: tasks that are ticked in their headings are done: `1.1`, `1.2`'])
  })

  test('a batch, and what was begun', () => {
    const plan = read(
      '## Batch 1\n**Status:** Deferred\n### Task 1.1\n## Batch 2\n**Dependencies:** None\n### Task 2.1\n**Status:** In progress\n',
    )
    assert.deepEqual(edgesOf(plan), ['task-2-1'])
    assert.deepEqual(remarks(plan.source.assumed), ['1: batches that are `Deferred` are left out: `1`'])
  })
})
