import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fact } from '../../../src/event.ts'
import type { FailureReason } from '../../../src/failure.ts'
import { taskFromRow } from '../../../src/store/read-row.ts'
import { NO_USAGE } from '../../../src/usage.ts'
import { Core, planOf } from '../plan-rig.ts'

function end(core: Core, reason: FailureReason | null): void {
  const attempt = core.view('a').attempts
  const fact: Fact = {
    ...{
      type: 'attempt.finished',
      task: 'a',
      attempt,
      outcome: reason ? 'failed' : 'no-change',
      commit: null,
      diff: null,
    },
    ...{ failure: reason && { reason, message: 'no' }, usage: null, summary: null },
  }
  core.tell(fact).wait(3_600_000)
}

/** Of each attempt which try it is, and whether it counts as one. */
const triesOf = (core: Core) => core.view('a').history.map((one) => [one.try, one.countsAsTry])

const CASES: {
  name: string
  reasons: (FailureReason | null)[]
  tries: unknown
  status: string
}[] = [
  { name: 'success counts', reasons: [null], tries: [[1, true]], status: 'passed' },
  {
    name: 'a failure counts',
    reasons: ['agent-failed', null],
    tries: [
      [1, true],
      [2, true],
    ],
    status: 'passed',
  },
  {
    name: 'what is nobody’s fault does not',
    reasons: ['rate-limited', 'worker-lost', 'interrupted', 'agent-failed'],
    tries: [
      [1, false],
      [1, false],
      [1, false],
      [1, true],
      [2, undefined],
    ],
    status: 'running',
  },
  {
    name: 'a login that is refused a third time does',
    reasons: ['login-failed', 'login-failed', 'login-failed'],
    tries: [
      [1, false],
      [1, false],
      [1, true],
      [2, undefined],
    ],
    status: 'running',
  },
  { name: 'what was cancelled does not', reasons: ['cancelled'], tries: [[1, false]], status: 'cancelled' },
  {
    name: 'an agent that used up its own money counts where no budget of the run did it',
    reasons: ['budget', 'budget'],
    tries: [
      [1, true],
      [2, true],
    ],
    status: 'failed',
  },
]

for (const { name, reasons, tries, status } of CASES) {
  test(`tries: ${name}`, () => {
    const core = new Core(planOf({ id: 'a', retries: 1 }))
    for (const reason of reasons) end(core, reason)
    assert.deepEqual(triesOf(core), tries)
    assert.equal(core.view('a').status, status)
  })
}

test('an attempt of an older version has what is kept today', () => {
  const old = (more: object) => ({ attempt: 1, finishedAt: 1, failure: null, usage: null, ...more })
  const history = [
    old({}),
    old({ failure: { reason: 'worker-lost', message: '' } }),
    old({ failure: { reason: 'agent-failed', message: '' } }),
    old({ finishedAt: null, spentUsd: 2 }),
  ]
  const row = { id: 'a', title: 'a', attempts: 4, status: 'running', needs: [], history }
  const view = taskFromRow(JSON.stringify(row), 'r-1', 'a')
  assert.deepEqual(
    view.history.map(({ countsAsTry }) => countsAsTry),
    [true, false, true, undefined],
  )
  assert.deepEqual(view.history[3]?.usage, { ...NO_USAGE, costUsd: 2 })
})
