// Waits of a run as text: holds of people, claims of other tasks, pauses and fallback agents, and the landing queue.

import type { InsteadOf } from '../../event.ts'
import { PAUSED } from '../../facts/waits.ts'
import type { ClaimWait } from '../../held-claims.ts'
import { waitsForHolds } from '../../scheduler/claims/held-by-people.ts'
import type { Plan } from '../../task.ts'
import { formatDuration } from '../../text/duration.ts'
import { count } from '../../text/figures.ts'
import { safeLine } from '../../text/safe.ts'
import type { Hold, PauseView, QueueView, RunView } from '../../view.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export type HeldBack = {
  ready: ReadonlyMap<string, Hold>
  /** Some task, ready or not, waits for a hold: the finish time cannot be estimated, as a hold may end at any time. */
  some: boolean
}

export const NONE_HELD_BACK: HeldBack = { ready: new Map(), some: false }

/** Caches its result until the holds change: checking a large plan takes a while. */
export function heldBackIn(plan: Plan): (view: Pick<RunView, 'tasks' | 'holds'>, now: number) => HeldBack {
  let known = { ids: '', waits: new Map<string, Hold>() }
  return ({ tasks, holds = [] }, now) => {
    const still = holds.filter(({ until }) => until > now)
    if (still.length === 0) return NONE_HELD_BACK
    const ids = still.map(({ id }) => id).join()
    if (ids !== known.ids) known = { ids, waits: waitsForHolds(plan, still) }
    const waiting = tasks.flatMap(({ id, status }) => {
      const hold = status === 'ready' || status === 'pending' ? known.waits.get(id) : undefined
      return hold ? [{ id, status, hold }] : []
    })
    const ready = waiting.filter(({ status }) => status === 'ready')
    return { ready: new Map(ready.map(({ id, hold }) => [id, hold])), some: waiting.length > 0 }
  }
}

/** Omits expired holds: the run drops them only with its next event. */
export function holdLines(holds: readonly Hold[] | undefined, { ready }: HeldBack, now: number): string[] {
  const still = (holds ?? []).filter(({ until }) => until > now)
  const lines = still.slice(0, SHOWN).map((hold) => {
    const waiting = [...ready].flatMap(([task, { id }]) => (id === hold.id ? [task] : []))
    if (waiting.length === 0) return `${holdText(hold)} for ${formatDuration(hold.until - now)}`
    const wait = waiting.length === 1 ? '1 task waits' : `${waiting.length} tasks wait`
    // Names come last: they may be long, and a line is cut at its end.
    return `${wait} for ${awaitedHold(hold, now)}: ${waiting.slice(0, NAMED).join(', ')}`
  })
  const left = still.length - SHOWN
  return left > 0 ? [...lines, `… and ${left} more: \`espalier claims\` lists them`] : lines
}

/** `ana holds src/auth/**` */
export function holdText({ name, glob }: Pick<Hold, 'name' | 'glob'>): string {
  return safeLine(`${name} holds ${glob}`)
}

/** `ana's hold on src/auth/**, 42m 10s left` */
function awaitedHold({ name, glob, until }: Hold, now: number): string {
  return safeLine(`${name}'s hold on ${glob}, ${formatDuration(Math.max(0, until - now))} left`)
}

const SHOWN = 3
/** Tasks named; each has a row of its own in `status`. */
const NAMED = 3

/** `at`: start of the attempt; a pause that ends on another day is shown with its date. */
export function standInText(agent: string, { agent: preferred, until }: InsteadOf, at: number): string {
  return `${agent} (instead of ${preferred}, paused until ${clockTime(until, at)})`
}

/** Local time, with the date unless it is the day of `at`. */
function clockTime(ms: number, at: number): string {
  const date = new Date(ms)
  const time = date.toTimeString().slice(0, 5)
  const isSameDay = date.toDateString() === new Date(at).toDateString()
  return isSameDay ? time : `${date.toLocaleDateString('sv')} ${time}`
}

/** Omits expired pauses: the run drops them only with its next event. */
export function pauseLines(paused: readonly PauseView[] | undefined, now: number): string[] {
  return (paused ?? []).flatMap((pause) => {
    const { agent, until, why, needsLogin, probe } = pause
    if (probe !== undefined) return [`${agent}: ${probe} checks whether its provider answers; the other tasks follow`]
    if (needsLogin) return [`${agent} is paused until you log in: then \`espalier resume\` (${PAUSED[why]})`]
    return until > now ? [`${agent} is paused for ${formatDuration(until - now)} (${PAUSED[why]})`] : []
  })
}

/** Log line for a new pause: `claude is paused for 1m 20s, until 12:31 (rate limit)`. Null if `pauseLines` says it all. */
export function pauseBegan({ agent, until, why, needsLogin, probe }: PauseView, now: number): string | null {
  if (probe !== undefined || needsLogin || until <= now) return null
  return `${agent} is paused for ${formatDuration(until - now)}, until ${clockTime(until, now)} (${PAUSED[why]})`
}

/** Null if nothing is being verified. `waiting`: number of tasks that wait to land. */
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

/** Warning at the end of a run; null without flakes. */
export function flakeLine(queue: QueueView | undefined): string | null {
  if (!queue || queue.flakes === 0) return null
  const which = `${queue.flakes} of ${count(queue.verifications, 'verification')}`
  return `${which} failed and then passed on the same commit: \`landing.verify\` is flaky`
}

/** Larger runs do not show claim waits: computing them reads all events of the run. */
const CLAIM_TASKS = 2_000

export async function claimWaitsOf(
  workspace: Workspace,
  { run, engine, counts }: RunView,
): Promise<ReadonlyMap<string, ClaimWait>> {
  if (!engine || counts.ready === 0 || counts.total > CLAIM_TASKS) return NO_WAITS
  // Imported late: it loads the scheduler, and `status` has to start quickly.
  const { readClaims } = await import('../../engine/requests/claims-of-people.ts')
  const claims = await readClaims(workspace)
  if (!claims.ok || claims.value.run !== run) return NO_WAITS
  return new Map(claims.value.waiting.map((wait) => [wait.task, wait]))
}

const NO_WAITS: ReadonlyMap<string, ClaimWait> = new Map()
