// What people hold, a line for each: `ana holds src/auth/** for 42m 10s`.
import { formatDuration } from '../duration.ts'
import type { Hold } from '../hold.ts'
import { oneLine } from './display-width.ts'

/** None whose time is over: a run says so only with its next event. */
export function holdLines(holds: readonly Hold[] | undefined, now: number): string[] {
  const still = (holds ?? []).filter(({ until }) => until > now)
  const lines = still.slice(0, SHOWN).map((hold) => `${holdText(hold)} for ${formatDuration(hold.until - now)}`)
  const left = still.length - SHOWN
  return left > 0 ? [...lines, `… and ${left} more: \`espalier claims\` lists them`] : lines
}

/** `ana holds src/auth/**` */
export function holdText({ name, glob }: Pick<Hold, 'name' | 'glob'>): string {
  return oneLine(`${name} holds ${glob}`)
}

const SHOWN = 3
