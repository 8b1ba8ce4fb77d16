// What the words of a status mean: each format has its own, besides a few that mean the same everywhere.
import type { Entry } from '../format.ts'

/** What a format itself calls done, not to be done, and to be done; all as `plainStatus` has it. */
export type States = {
  done: readonly string[]
  skipped?: readonly string[]
  open: readonly string[]
  /** Of those to be done what nobody has begun; without it the first of them. */
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

/** It may be done one day, but not now. */
export function isPutOff(status: string): boolean {
  return PUT_OFF.has(plainStatus(status))
}

const DONE = new Set(['done', 'complete', 'completed', 'closed', 'finished', 'resolved', 'merged'])

const PUT_OFF = new Set(['deferred', 'postponed', 'on_hold'])

const GIVEN_UP = new Set([
  ...['cancelled', 'canceled', 'skipped', 'skip', 'wontfix', 'wont_fix', 'wont_do', 'abandoned', 'dropped'],
  ...['obsolete', 'superseded', 'duplicate', 'out_of_scope', 'not_needed', 'removed', 'deleted', 'archived'],
])
