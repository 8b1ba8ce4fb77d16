// The engine's ledger beside the server's own count.
import assert from 'node:assert/strict'
import type { AttemptView } from '../../src/status.ts'
import { addUsage, NO_USAGE, type Usage } from '../../src/usage.ts'
import type { Billed, ModelServer } from './model-server.ts'

/** To the token, script by script: a script has the name of its task. */
export function assertPaid(server: ModelServer, tasks: { id: string; history: AttemptView[] }[]): void {
  for (const { id, history } of tasks) {
    const spent = history.reduce((sum, { usage }) => addUsage(sum, usage ?? NO_USAGE), NO_USAGE)
    const bill = server.bill.filter(({ script }) => script === id)
    assert.ok(bill.length > 0, `${id} has asked nothing`)
    assert.deepEqual(tokens(spent), tokens(counted(bill)), `the ledger of ${id}`)
  }
}

function counted(bill: Billed[]): Usage {
  return bill.reduce((sum, { tokens: { input, output, cacheRead, cacheWrite, reasoning } }) => {
    const one = { inputTokens: input, outputTokens: output, cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite }
    return addUsage(sum, { ...NO_USAGE, ...one, reasoningTokens: reasoning })
  }, NO_USAGE)
}

function tokens({ costUsd: _, ...counts }: Usage): Omit<Usage, 'costUsd'> {
  return counts
}
