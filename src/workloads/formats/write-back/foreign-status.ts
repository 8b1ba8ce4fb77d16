// Which of the statuses of other formats mean the same.

import type { States } from '../foreign-state.ts'
import type { Entry } from '../format.ts'

export function stateOf(status: string, { done, skipped = [] }: States): Entry['state'] {
  const plain = plainStatus(status)
  return done.includes(plain) ? 'done' : skipped.includes(plain) ? 'skipped' : 'open'
}

/** `In-Progress` is `in_progress`. */
export function plainStatus(status: string): string {
  return status.trim().toLowerCase().replaceAll('-', '_')
}
