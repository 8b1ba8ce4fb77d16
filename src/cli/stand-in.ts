// An agent that works in the place of one that is paused: `codex (instead of claude, paused until 12:30)`.
import type { InsteadOf } from '../status.ts'

/** `at`: when it started; a pause that ends on another day has its date. */
export function standInText(agent: string, { agent: preferred, until }: InsteadOf, at: number): string {
  return `${agent} (instead of ${preferred}, paused until ${clockTime(until, at)})`
}

/** In the time of the machine, as its user reads it. */
function clockTime(ms: number, at: number): string {
  const date = new Date(ms)
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`
  if (date.toDateString() === new Date(at).toDateString()) return time
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
