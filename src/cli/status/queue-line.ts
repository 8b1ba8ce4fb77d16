// The landing queue in a line: `verifying 5 of 12 tasks that wait to land, for 40s`.

import type { QueueView } from '../../status.ts'
import { formatDuration } from '../../text/duration.ts'
import { count } from '../live/event-line.ts'

/** Null while nothing is being verified. `waiting`: tasks that wait to land. */
export function queueLine(queue: QueueView | undefined, waiting: number, now: number): string | null {
  if (!queue || queue.verifying.length === 0) return null
  const parts = queue.verifying.map(({ tasks }) => String(tasks))
  const last = parts.pop()
  const several = parts.length > 0 ? `${parts.join(', ')} and ${last}` : last
  const since = Math.min(...queue.verifying.map((one) => one.since))
  const flakes = queue.flakes > 0 ? `, ${count(queue.flakes, 'flake')} so far` : ''
  const tasks = waiting === 1 ? '1 task that waits' : `${waiting} tasks that wait`
  return `verifying ${several} of ${tasks} to land, for ${formatDuration(Math.max(0, now - since))}${flakes}`
}

/** For the end of a run; null without flakes. */
export function flakeLine(queue: QueueView | undefined): string | null {
  if (!queue || queue.flakes === 0) return null
  const which = `${queue.flakes} of ${count(queue.verifications, 'verification')}`
  return `${which} failed and then passed on the same commit: \`landing.verify\` is flaky`
}
