// What an agent told the task manager about how it stands with its task, and what follows from it at its end.

import { LIMITS } from '../config.ts'
import type { Failure } from '../failure.ts'
import type { Note } from '../status.ts'
import { cut } from '../text/cut.ts'

/** The last word counts: one that was blocked and went on is not blocked any more. */
export function blockedFailure(notes: readonly Note[]): Failure | null {
  const last = notes.findLast(({ kind }) => kind === 'progress' || kind === 'done' || kind === 'blocked')
  if (last?.kind !== 'blocked') return null
  const details = last.details === undefined ? '' : `\n${last.details}`
  const message = cut(`its agent said that it cannot go on: ${last.text}${details}`, LIMITS.messageChars)
  return { reason: 'agent-blocked', message }
}

/** What it said it did; null: nothing. */
export function doneText(notes: readonly Note[]): string | null {
  return notes.findLast(({ kind }) => kind === 'done')?.text ?? null
}
