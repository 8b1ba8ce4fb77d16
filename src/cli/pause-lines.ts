// Agents that are paused, a line for each: `claude is paused for 2m 10s (rate limit)`.

import type { PauseView } from '../status.ts'
import { formatDuration } from '../text/duration.ts'

/** None whose time is over: a run says so only with its next event. */
export function pauseLines(paused: readonly PauseView[] | undefined, now: number): string[] {
  const still = (paused ?? []).filter(({ until }) => until > now)
  return still.map(({ agent, until, why }) => `${agent} is paused for ${formatDuration(until - now)} (${WHY[why]})`)
}

const WHY: Record<PauseView['why'], string> = {
  limited: 'rate limit',
  unreachable: 'its provider cannot be reached',
  login: 'its login is not accepted; see `espalier doctor`',
  broken: 'it crashed again and again',
}
