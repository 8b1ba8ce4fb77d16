// What an attempt used, from what each process of its agent told.
import type { Counters } from '../agents/agent.ts'
import { addUsage, NO_USAGE, type Usage, usageSince } from '../usage.ts'

/** `resumed`: the process went on with the conversation of those before it. */
export type ToldUsage = { usage: Usage | null; resumed: boolean }

/** Where counters go on with the conversation, what was counted before is taken off; tokens and cost each by their own. */
export function usageOfAll(processes: readonly ToldUsage[], counters: Counters): Usage | null {
  let total: Usage | null = null
  let before: Usage = NO_USAGE
  for (const { usage, resumed } of processes) {
    if (!resumed) before = NO_USAGE
    if (!usage) continue
    total = addUsage(total ?? NO_USAGE, ofThisProcess(usage, before, counters))
    before = usage
  }
  return total
}

function ofThisProcess(told: Usage, before: Usage, { tokens, cost }: Counters): Usage {
  const since = usageSince(told, before)
  const used = tokens === 'session' ? since : told
  return { ...used, costUsd: cost === 'session' ? since.costUsd : told.costUsd }
}
