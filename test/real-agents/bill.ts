// The engine's ledger beside the server's own count.
import assert from 'node:assert/strict'
import { type Prices, priceOf } from '../../src/agents/prices.ts'
import { addUsage, costOf, NO_USAGE, USAGE_COUNTS, type Usage } from '../../src/usage.ts'
import type { AttemptView } from '../../src/view.ts'
import { OPENCODE_PRICES } from './cli-rig.ts'
import type { Billed, ModelServer } from './model-server.ts'

/** To the token, and what they cost. A script has the name of its task, that of a subagent `-sub` after it. */
export function assertPaid(server: ModelServer, tasks: { id: string; history: AttemptView[] }[]): void {
  for (const { id, history } of tasks) {
    const spent = history.reduce((sum, { usage }) => addUsage(sum, usage ?? NO_USAGE), NO_USAGE)
    const bill = server.bill.filter(({ script }) => script === id || script === `${id}-sub`)
    assert.ok(bill.length > 0, `${id} has asked nothing`)
    const owed = counted(bill)
    if (spent.costUnknown) {
      // Killed between an answer and its place in the agent's files: the ledger says so, and has nothing too much.
      for (const count of USAGE_COUNTS) assert.ok(spent[count] <= owed[count] + TINY_USD, `${count} of ${id}`)
      continue
    }
    assert.deepEqual(tokens(spent), tokens(owed), `the ledger of ${id}`)
    const difference = Math.abs(spent.costUsd - owed.costUsd)
    assert.ok(difference < TINY_USD, `${id} cost $${owed.costUsd}, in the ledger are $${spent.costUsd}`)
  }
}

function counted(bill: Billed[]): Usage {
  return bill.reduce((sum, { model, tokens: { input, output, cacheRead, cacheWrite, reasoning } }) => {
    const read = { inputTokens: input, cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite }
    const one = { ...NO_USAGE, ...read, outputTokens: output, reasoningTokens: reasoning }
    return addUsage(sum, { ...one, costUsd: costOf(one, priceOf(model, OWN) ?? assert.fail(`no price of ${model}`)) })
  }, NO_USAGE)
}

/** Of the model that only opencode knows. */
const OWN: Prices = {
  m: { input: OPENCODE_PRICES.input, output: OPENCODE_PRICES.output, cacheRead: OPENCODE_PRICES.cache_read },
}
/** Less than one token costs. */
const TINY_USD = 0.000_000_05

function tokens({ costUsd: _, ...counts }: Usage): Omit<Usage, 'costUsd'> {
  return counts
}
