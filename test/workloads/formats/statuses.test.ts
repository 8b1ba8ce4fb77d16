// Every status that files of these formats have, and what it means: to be done, done, or neither.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readText } from './json-read.ts'

/** A file with one task, where its status is written as `?`. */
const FILES: Record<string, [file: string, text: string]> = {
  'implementation-plan': [
    'plan.json',
    '{"phases":[{"phase":1,"subtasks":[{"id":"a","description":"x","status":"?"}]}]}',
  ],
  'work-queue': ['queue.json', '{"features":[{"id":"a","description":"x","status":"?"}]}'],
  'epics-and-tasks, by `done`': ['epics.json', '{"tasks":[{"id":1,"description":"x","done":?}]}'],
  'epics-and-tasks, by `completed`': ['e.json', '{"tasks":[{"id":1,"description":"x","action":"y","completed":?}]}'],
  'epics-and-tasks, by `status`': ['e.json', '{"tasks":[{"id":1,"description":"x","action":"y","status":"?"}]}'],
  'task-master': ['tasks.json', '{"tasks":[{"id":1,"title":"x","status":"?"}]}'],
  beads: ['issues.jsonl', '{"id":"a-1","title":"x","issue_type":"task","status":"?"}'],
  'spec-kit': ['tasks.md', '- [?] T001 x\n'],
  'batch-plan': ['plan.md', '## Batch 1: a\n### Task 1.1: b\n**Status:** ?\n'],
  ccpm: ['001.md', '---\nname: x\nstatus: ?\nparallel: true\n---\n'],
}

/** In every format that has words for it, whatever its own program knows. */
const DONE = ['done', 'complete', 'completed', 'Completed', 'closed', 'finished', 'Resolved', 'merged']
const SKIPPED = "cancelled,canceled,skipped,deferred,wontfix,Won't do,On-Hold,Obsolete,out of scope".split(',')

const ROWS: [of: string, open: string[], done: string[], skipped: string[]][] = [
  ['implementation-plan', ['pending', 'in_progress', 'blocked', 'failed'], DONE, SKIPPED],
  ['work-queue', ['pending', 'in_progress', 'blocked', 'failed'], DONE, SKIPPED],
  ['epics-and-tasks, by `done`', ['false', 'null', '0'], ['true', '1'], []],
  ['epics-and-tasks, by `completed`', ['false', 'null', '"2026-01-02"'], ['true', '"true"'], []],
  ['epics-and-tasks, by `status`', ['todo', 'in progress', 'review'], DONE, SKIPPED],
  ['task-master', ['pending', 'in-progress', 'blocked', 'review'], DONE, SKIPPED],
  ['beads', ['open', 'in_progress', 'blocked', 'hooked'], ['tombstone', ...DONE], ['pinned', ...SKIPPED]],
  ['spec-kit', [' ', '/'], ['x', 'X'], ['-']],
  ['batch-plan', ['in progress', '', 'not done yet'], ['done', 'complete', '✅'], []],
  ['ccpm', ['open', 'in-progress', 'blocked'], DONE, SKIPPED],
]

for (const [of, open, done, skipped] of ROWS)
  for (const [state, statuses] of Object.entries({ open, done, skipped }))
    for (const status of statuses)
      test(`${of}: ${JSON.stringify(status)} is ${state}`, () => {
        const [file, text] = FILES[of] ?? assert.fail(of)
        const { source, plan } = readText(text.replace('?', status), file)
        assert.equal(source.format, of.split(',', 1)[0])
        assert.equal(source.entries.map((entry) => entry.state).join(), state)
        assert.equal(plan.tasks.length, state === 'open' ? 1 : 0)
      })
