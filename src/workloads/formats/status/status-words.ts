// The meaning of status words: each format has its own, besides some that mean the same everywhere.
import type { Entry } from '../format.ts'

/** The format's own words for statuses, in the form of `plainStatus`. */
export type States = {
  done: readonly string[]
  skipped?: readonly string[]
  open: readonly string[]
  /** Words for an open task that has not been started; default: the first word of `open`. */
  fresh?: readonly string[]
}

export function stateOf(status: string, { done, skipped = [] }: Pick<States, 'done' | 'skipped'>): Entry['state'] {
  const plain = plainStatus(status)
  if (done.includes(plain) || DONE.has(plain)) return 'done'
  return skipped.includes(plain) || PUT_OFF.has(plain) || GIVEN_UP.has(plain) ? 'skipped' : 'open'
}

/** `In-Progress` and `in progress` are `in_progress`, and `Won't do` is `wont_do`. */
export function plainStatus(status: string): string {
  return status
    .trim()
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[\s-]+/g, '_')
}

/** True for a task that is postponed, not given up. */
export function isPutOff(status: string): boolean {
  return PUT_OFF.has(plainStatus(status))
}

const DONE = new Set(['done', 'complete', 'completed', 'closed', 'finished', 'resolved', 'merged'])

const PUT_OFF = new Set(['deferred', 'postponed', 'on_hold'])

const GIVEN_UP = new Set([
  ...['cancelled', 'canceled', 'skipped', 'skip', 'wontfix', 'wont_fix', 'wont_do', 'abandoned', 'dropped'],
  ...['obsolete', 'superseded', 'duplicate', 'out_of_scope', 'not_needed', 'removed', 'deleted', 'archived'],
])
