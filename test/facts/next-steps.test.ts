import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BudgetsView } from '../../src/budget.ts'
import { stepAfter } from '../../src/facts/next-steps.ts'
import { type Counts, type RunStatus, TASK_STATUSES } from '../../src/status.ts'

type Stand = { status: RunStatus; resumable: boolean; counts?: Partial<Counts>; holding?: BudgetsView['holding'] }

function commandOf({ status, resumable, counts = {}, holding = [] }: Stand): string | undefined {
  const none = Object.fromEntries(TASK_STATUSES.map((one) => [one, 0])) as Record<
    (typeof TASK_STATUSES)[number],
    number
  >
  const budgets: BudgetsView = { budgetUsd: 5, onReached: 'finish', spentUsd: 5, reached: [], holding }
  return stepAfter({ run: 'shop-1', status, resumable, counts: { ...none, total: 9, ...counts }, budgets })?.command
}

test('what is offered does something, pasted as it is or with what it leaves open filled in', () => {
  const waiting = { status: 'waiting', resumable: true } as const
  const ofRun = { scope: 'run', name: 'run', budgetUsd: 5, spentUsd: 5 } as const
  const ofEpic = { scope: 'epic', name: 'api', budgetUsd: 1, spentUsd: 1 } as const
  assert.equal(commandOf({ status: 'cancelled', resumable: true }), 'espalier resume shop-1')
  assert.equal(commandOf({ status: 'running', resumable: true, holding: [ofEpic] }), 'espalier resume shop-1')
  assert.equal(commandOf({ ...waiting, holding: [ofEpic, ofRun] }), 'espalier resume shop-1 --budget-usd N')
  assert.equal(commandOf({ ...waiting, holding: [ofEpic] }), 'espalier resume shop-1 --replan')
  assert.equal(commandOf({ ...waiting, counts: { conflict: 1 } }), 'espalier resolve TASK --run shop-1')
  assert.equal(commandOf({ status: 'failed', resumable: false, counts: { failed: 1 } }), 'espalier retry --run shop-1')
  assert.equal(
    commandOf({ status: 'completed', resumable: false, counts: { cancelled: 1 } }),
    undefined,
    'it was dropped',
  )
  assert.equal(commandOf({ status: 'completed', resumable: false }), undefined)
})
