import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exitStatusOf } from '../../src/cli/exit-status.ts'
import type { RunStatus } from '../../src/status.ts'

const cases: { name: string; status: RunStatus; interrupted?: boolean; exit: number }[] = [
  { name: 'everything landed, passed, or was not to be done any more', status: 'completed', exit: 0 },
  { name: 'something failed, was blocked or was cancelled', status: 'failed', exit: 1 },
  { name: 'the run was cancelled', status: 'cancelled', exit: 1 },
  { name: 'a conflict waits', status: 'waiting', exit: 3 },
  { name: 'it was interrupted', status: 'running', interrupted: true, exit: 130 },
  { name: 'it was interrupted after a failure', status: 'running', interrupted: true, exit: 130 },
]
for (const { name, status, interrupted = false, exit } of cases) {
  test(`exit status ${exit} when ${name}`, () => {
    assert.equal(exitStatusOf({ status, interrupted }), exit)
  })
}
