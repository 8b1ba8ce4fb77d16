// The prompt for an agent that ended before it was done: in its conversation, or with its first prompt.
import type { Failure } from '../failure.ts'
import { setOff } from './bounded.ts'
import type { Templates } from './templates.ts'

export type FollowUp = {
  failure: Failure
  completion: string | null
  /** Its first prompt; null: it is in the conversation. */
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
