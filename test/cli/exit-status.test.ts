import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exitStatusOf } from '../../src/cli/exit-status.ts'
import type { RunStatus, TaskStatus } from '../../src/status.ts'
import { countsOf } from './sample-run.ts'

const cases: { name: string; status: RunStatus; interrupted?: boolean; tasks: TaskStatus[]; exit: number }[] = [
  { name: 'everything landed', status: 'completed', tasks: ['landed', 'landed'], exit: 0 },
  { name: 'everything landed or passed', status: 'completed', tasks: ['landed', 'passed'], exit: 0 },
  { name: 'something failed', status: 'failed', tasks: ['landed', 'failed'], exit: 1 },
  { name: 'something is blocked', status: 'failed', tasks: ['failed', 'blocked'], exit: 1 },
  {
    name: 'one task was cancelled and the rest completed',
    status: 'completed',
    tasks: ['landed', 'cancelled'],
    exit: 1,
  },
  { name: 'the run was cancelled', status: 'cancelled', tasks: ['cancelled'], exit: 1 },
  { name: 'a conflict waits', status: 'waiting', tasks: ['landed', 'failed', 'conflict'], exit: 3 },
  { name: 'it was interrupted', status: 'running', interrupted: true, tasks: ['landed', 'pending'], exit: 130 },
  { name: 'it was interrupted after a failure', status: 'running', interrupted: true, tasks: ['failed'], exit: 130 },
]
for (const { name, status, interrupted = false, tasks, exit } of cases) {
  test(`exit status ${exit} when ${name}`, () => {
    assert.equal(exitStatusOf({ status, interrupted, counts: countsOf(tasks) }), exit)
  })
}
