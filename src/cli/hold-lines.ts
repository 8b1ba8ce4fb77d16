// What people hold, a line for each: `ana holds src/auth/** for 42m 10s`, and who waits for it.

import type { Hold } from '../claim.ts'
import { formatDuration } from '../text/duration.ts'
import { oneLine } from '../text/width.ts'
import type { HeldBack } from './held-back.ts'

/** None whose time is over: a run says so only with its next event. */
export function holdLines(holds: readonly Hold[] | undefined, { ready }: HeldBack, now: number): string[] {
  const still = (holds ?? []).filter(({ until }) => until > now)
  const lines = still.slice(0, SHOWN).map((hold) => {
    const waiting = [...ready].flatMap(([task, { id }]) => (id === hold.id ? [task] : []))
    if (waiting.length === 0) return `${holdText(hold)} for ${formatDuration(hold.until - now)}`
    const wait = waiting.length === 1 ? '1 task waits' : `${waiting.length} tasks wait`
    // Their names last: they may be long, and a line is cut at its end.
    return `${wait} for ${awaitedHold(hold, now)}: ${waiting.slice(0, NAMED).join(', ')}`
  })
  const left = still.length - SHOWN
  return left > 0 ? [...lines, `… and ${left} more: \`espalier claims\` lists them`] : lines
}

/** `ana holds src/auth/**` */
export function holdText({ name, glob }: Pick<Hold, 'name' | 'glob'>): string {
  return oneLine(`${name} holds ${glob}`)
}

/** `ana's hold on src/auth/**, 42m 10s left` */
export function awaitedHold({ name, glob, until }: Hold, now: number): string {
  return oneLine(`${name}'s hold on ${glob}, ${formatDuration(Math.max(0, until - now))} left`)
}

const SHOWN = 3
/** Tasks named; each has a row of its own in `status`. */
const NAMED = 3
