// Tokens and money as text: the same in the terminal, in transcripts and in reports.
import { allTokens, type Usage } from '../usage.ts'
import { grouped } from './figures.ts'

/** `4.4k tokens in (98% cached), 39 out, $0.0152`: what was read includes what came from the cache and went into it. */
export function usageText(usage: Usage): string {
  const cost = costText(usage)
  if (allTokens(usage) === 0 && usage.costUsd > 0) return cost // of an attempt that runs only the money is known
  return `${tokensText(usage)}, ${cost === UNKNOWN ? `cost ${cost}` : cost}`
}

/** `$0.0152`, `unknown`, and of a sum of both `$0.0152 + unknown`: nothing is shown as free because it has no price. */
export function costText({ costUsd, costUnknown }: Pick<Usage, 'costUsd' | 'costUnknown'>): string {
  if (!costUnknown) return money(costUsd)
  return costUsd > 0 ? `${money(costUsd)} + ${UNKNOWN}` : UNKNOWN
}

const UNKNOWN = 'unknown'

export function tokensText({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): string {
  const read = inputTokens + cacheReadTokens + cacheWriteTokens
  const cached = cacheReadTokens > 0 ? ` (${Math.round((cacheReadTokens / read) * 100)}% cached)` : ''
  return `${shortCount(read)} tokens in${cached}, ${shortCount(outputTokens)} out`
}

/** Small amounts are exact to the hundredth of a cent: `$0.0152`, but `$0.01`. */
export function money(usd: number): string {
  return usd > 0 && usd < 0.1 ? `$${usd.toFixed(4).replace(/00$/, '')}` : `$${usd.toFixed(2)}`
}

export function shortCount(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)}M`
  return value >= 10_000 ? `${Math.round(value / 1e3)}k` : grouped(value)
}
