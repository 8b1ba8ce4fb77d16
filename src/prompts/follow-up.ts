// What an agent is told that has ended and is not done: in the conversation it had, or, where it has none, together with
// what it was told at first.
import type { Failure } from '../failure.ts'
import { setOff } from './bounded.ts'
import type { Templates } from './templates.ts'

export type FollowUp = {
  failure: Failure
  completion: string | null
  /** What it was told at first; null: it remembers. */
  first: string | null
}

export function followUpPrompt(templates: Templates, { failure, completion, first }: FollowUp): string {
  const text = templates.fill('follow-up', {
    first: first?.trimEnd() ?? '',
    incomplete: failure.reason === 'incomplete' ? 'yes' : '',
    message: setOff(failure.message),
    completion: completion ?? '',
  })
  return `${text}\n`
}
