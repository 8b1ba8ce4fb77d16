import assert from 'node:assert/strict'
import { test } from 'node:test'
import { budgetLines } from '../../../src/cli/status/money-lines.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import type { Budget, BudgetsView } from '../../../src/view.ts'

const RUN: Budget = { scope: 'run', name: 'run', budgetUsd: 10, spentUsd: 10.4 }
const EPIC: Budget = { scope: 'epic', name: 'api', budgetUsd: 2, spentUsd: 1.7 }

function budgets(more: Partial<BudgetsView> = {}): BudgetsView {
  return { budgetUsd: 10, onReached: 'finish', spentUsd: 3, reached: [], holding: [], ...more }
}

const lines = (view: BudgetsView | undefined) => budgetLines(view, { width: 100, palette: palette(false) })

test('the budget of the run is always shown, those of epics and tasks once they are nearly used up', () => {
  assert.deepEqual(lines(undefined), [])
  assert.deepEqual(lines(budgets()), ['  Spent $3.00 of $10.00 (30%)'])
  assert.deepEqual(lines(budgets({ budgetUsd: null, reached: [{ ...EPIC, share: 80 }] })), [
    '! Spent $1.70 of $2.00 (85%) on epic api',
  ])
  assert.deepEqual(lines(budgets({ spentUsd: 10.4, reached: [{ ...RUN, share: 100 }] })), [
    '! Spent $10.40 of $10.00 (104%): no new tasks',
  ])
})
