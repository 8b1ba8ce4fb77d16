// What a batch plan says in lines that are not written as its fields, and in the titles of its headings.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { edgesOf, read, remarks, taskOf } from '../markdown-read.ts'

/** What stands below the heading of the second of two tasks. */
function two(below: string): string {
  return `## Batch 1\n### Task 1.1\n### Task 1.2\n${below}\n`
}

describe('the order', () => {
  const waits = [
    '- Dependencies: Task 1.1',
    'Depends on: Task 1.1',
    '> Depends on: Task 1.1',
    '*Depends on Task 1.1*',
    'Blocked by Task 1.1',
    '**After:** Task 1.1',
    '**Dependencies (hard):** Task 1.1',
    '**Dependencies (hard):**\n- Task 1.1',
    '**Dependencies (needed first):** Task 1.1',
    '**Dependencies**\n- Task 1.1',
    '**Dependencies:** None except Task 1.1',
    '**Dependencies:** Nothing other than Task 1.1',
    '**Dependencies:** None\n\n- Depends on: Task 1.1',
    '- Depends on: previous task',
  ]
  for (const below of waits)
    test(`${below} waits`, () => assert.deepEqual(edgesOf(read(two(below))), ['task-1-1', 'task-1-2 ← task-1-1']))

  test('(soft) only orders', () => {
    const plan = read(two('**Dependencies (soft):** Task 1.1'))
    assert.deepEqual(edgesOf(plan), ['task-1-1', 'task-1-2 ← (task-1-1)'])
  })

  test('Blocks: Task 1.1 is the other way round', () => {
    assert.deepEqual(edgesOf(read(two('- Blocks: Task 1.1'))), ['task-1-1 ← task-1-2', 'task-1-2'])
  })

  test('two lines add up', () => {
    const plan = read(
      '## Batch 1\n### Task 1.1\n### Task 1.2\n### Task 1.3\n- Depends on: Task 1.1\n- Depends on: Task 1.2\n',
    )
    assert.deepEqual(edgesOf(plan), ['task-1-1', 'task-1-2', 'task-1-3 ← task-1-1 task-1-2'])
  })

  const silent = [
    'Dependencies: react, zod',
    'Requires: 2 API keys',
    'After Task 1.1 the table is empty.',
    '```\nDepends on: Task 1.1\n```',
    '**Dependencies:** All previous tasks except Task 1.1',
  ]
  for (const below of silent)
    test(`${below} adds none`, () => assert.deepEqual(edgesOf(read(two(below))), ['task-1-1', 'task-1-2']))

  test('a task that is not there is told with its place', () => {
    const { warnings } = read(two('- Depends on: Task 7.7'))
    assert.deepEqual(
      warnings.map(({ line, column }) => `${line}:${column}`),
      ['4:20'],
    )
  })

  test('the list around such a line goes on', () => {
    const plan = read(two('**Files:**\n- src/a.ts\n- Depends on: Task 1.1\n- src/b.ts'))
    assert.deepEqual(edgesOf(plan), ['task-1-1', 'task-1-2 ← task-1-1'])
    assert.deepEqual(taskOf(plan, 'task-1-2').claims.write, ['src/a.ts', 'src/b.ts'])
  })
})

describe('what is not to be done', () => {
  const plans: [text: string, states: string[]][] = [
    ['## Batch 1\n### Task 1.1: a — DEFERRED\n### Task 1.2: b\n', ['skipped', 'open']],
    ['## Batch 1\n### Task 1.1: a - DONE\n### Task 1.2: b\n', ['done', 'open']],
    ['## Batch 1\n### Task 1.1: a — **DEFERRED** to v2\n### Task 1.2: b\n', ['skipped', 'open']],
    ['## Batch 1: a\n### Task 1.1: a\n## Batch 2: later — DEFERRED\n### Task 2.1: b\n', ['open', 'skipped']],
    ['## Batch 1\n### Task 1.1: a\nStatus: Cancelled\n### Task 1.2: b\n', ['skipped', 'open']],
    ['## Batch 1\n### Task 1.1: a\n> **Status:** Cancelled\n### Task 1.2: b\n', ['skipped', 'open']],
    ['## Batch 1\n### Task 1.1: a — deferred\n### Task 1.2: b\n', ['open', 'open']],
    ['## Batch 1\n### Task 1.1: Old rows - remove what is DELETED\n### Task 1.2: b\n', ['open', 'open']],
    ['## Batch 1\n### Task 1.1: a\n**Implementation:**\nStatus: Cancelled\n### Task 1.2: b\n', ['open', 'open']],
  ]
  for (const [text, states] of plans)
    test(JSON.stringify(text), () =>
      assert.deepEqual(
        read(text).source.entries.map(({ state }) => state),
        states,
      ),
    )

  test('a word in small letters behind a dash is told', () => {
    const { source } = read('## Batch 1\n### Task 1.1: a — deferred\n### Task 1.2: b\n')
    assert.match(remarks(source.assumed).join('\n'), /^2: `— deferred` behind a title is part of it/m)
  })
})

describe('a file that is read and changed is written', () => {
  const written = [
    '**Files:**\n- Read/Modify: src/a.ts',
    '**Files:**\n- Read & edit: src/a.ts',
    '**Files:**\n- Reference and update: src/a.ts',
    '**Files:**\n- Review and fix: src/a.ts',
    '**Files to read and modify:** src/a.ts',
    '**Files:**\n\n| File | Action |\n|---|---|\n| src/a.ts | Reference → rewrite |',
    '**Files:**\n\n| File | Action |\n|---|---|\n| src/a.ts | See below: modify |',
  ]
  for (const below of written)
    test(below, () => assert.deepEqual(taskOf(read(two(below)), 'task-1-2').claims.write, ['src/a.ts']))

  const onlyRead = [
    '**Files:**\n- Read: src/a.ts',
    '**Files:**\n- Reference for updates: src/a.ts',
    '**Files to read:** src/a.ts',
    '**Files:**\n\n| File | Action |\n|---|---|\n| src/a.ts | Reference, its types |',
  ]
  for (const below of onlyRead)
    test(below, () => assert.deepEqual(taskOf(read(two(below)), 'task-1-2').claims.read, ['src/a.ts']))
})
