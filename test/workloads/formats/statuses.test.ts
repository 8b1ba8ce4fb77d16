// Every status that files of these formats have, and what it means: to be done, done, or neither.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readText } from './json-read.ts'

type State = 'open' | 'done' | 'skipped'
type States = Record<string, State>

/** In every format that has words for it, whatever its own program knows. */
const NOT_TO_BE_DONE: States = {
  ...{ cancelled: 'skipped', canceled: 'skipped', skipped: 'skipped', deferred: 'skipped', wontfix: 'skipped' },
  ...{ "Won't do": 'skipped', 'On-Hold': 'skipped', Obsolete: 'skipped', 'out of scope': 'skipped' },
}

/** The same for what is done. */
const DONE: States = {
  ...{ done: 'done', complete: 'done', Completed: 'done', closed: 'done', finished: 'done', Resolved: 'done' },
  ...{ merged: 'done' },
}

/** How a file of the format says that a task has a status. */
const FORMATS: { format: string; file: string; text: (status: string) => string; states: States }[] = [
  {
    format: 'implementation-plan',
    file: 'implementation_plan.json',
    text: (status) => JSON.stringify({ phases: [{ phase: 1, subtasks: [{ id: 'a', description: 'x', status }] }] }),
    states: {
      pending: 'open',
      in_progress: 'open',
      completed: 'done',
      blocked: 'open',
      failed: 'open',
      ...NOT_TO_BE_DONE,
      ...DONE,
    },
  },
  {
    format: 'work-queue',
    file: 'queue.json',
    text: (status) => JSON.stringify({ features: [{ id: 'a', description: 'x', status }] }),
    states: {
      pending: 'open',
      in_progress: 'open',
      complete: 'done',
      blocked: 'open',
      failed: 'open',
      ...NOT_TO_BE_DONE,
      ...DONE,
    },
  },
  {
    format: 'epics-and-tasks',
    file: 'epics.json',
    text: (done) => `{"tasks": [{"id": 1, "description": "x", "done": ${done}}]}`,
    states: { true: 'done', false: 'open', null: 'open', 1: 'done', 0: 'open' },
  },
  {
    format: 'epics-and-tasks',
    file: 'epics.json',
    text: (completed) => `{"tasks": [{"id": 1, "description": "x", "action": "y", "completed": ${completed}}]}`,
    states: { true: 'done', false: 'open', null: 'open', '"true"': 'done', '"2026-01-02"': 'open' },
  },
  {
    format: 'epics-and-tasks',
    file: 'epics.json',
    text: (status) => JSON.stringify({ tasks: [{ id: 1, description: 'x', action: 'y', status }] }),
    states: {
      done: 'done',
      Completed: 'done',
      todo: 'open',
      'in progress': 'open',
      review: 'open',
      ...NOT_TO_BE_DONE,
      ...DONE,
    },
  },
  {
    format: 'task-master',
    file: 'tasks.json',
    text: (status) => JSON.stringify({ tasks: [{ id: 1, title: 'x', status }] }),
    states: {
      ...{ pending: 'open', 'in-progress': 'open', done: 'done', completed: 'done', blocked: 'open', review: 'open' },
      ...NOT_TO_BE_DONE,
      ...DONE,
    },
  },
  {
    format: 'beads',
    file: 'issues.jsonl',
    text: (status) => JSON.stringify({ id: 'a-1', title: 'x', issue_type: 'task', status }),
    states: {
      ...{ open: 'open', in_progress: 'open', blocked: 'open', closed: 'done', deferred: 'skipped' },
      ...{ tombstone: 'done', hooked: 'open', pinned: 'skipped', ...NOT_TO_BE_DONE, ...DONE },
    },
  },
  {
    format: 'spec-kit',
    file: 'tasks.md',
    text: (mark) => `- [${mark}] T001 x\n`,
    states: { ' ': 'open', x: 'done', X: 'done', '-': 'skipped', '/': 'open' },
  },
  {
    format: 'batch-plan',
    file: 'plan.md',
    text: (status) => `## Batch 1: a\n### Task 1.1: b\n**Status:** ${status}\n`,
    states: { done: 'done', complete: 'done', '✅': 'done', 'in progress': 'open', '': 'open', 'not done yet': 'open' },
  },
  {
    format: 'ccpm',
    file: '001.md',
    text: (status) => `---\nname: x\nstatus: ${status}\nparallel: true\n---\n`,
    states: {
      ...{ open: 'open', 'in-progress': 'open', closed: 'done', completed: 'done', done: 'done', blocked: 'open' },
      ...NOT_TO_BE_DONE,
      ...DONE,
    },
  },
]

for (const { format, file, text, states } of FORMATS) {
  describe(format, () => {
    for (const [status, state] of Object.entries(states))
      test(`${JSON.stringify(status)} is ${state}`, () => {
        const { source, plan } = readText(text(status), file)
        assert.equal(source.format, format)
        assert.deepEqual(
          source.entries.map((entry) => entry.state),
          [state],
        )
        assert.equal(plan.tasks.length, state === 'open' ? 1 : 0)
      })
  })
}
