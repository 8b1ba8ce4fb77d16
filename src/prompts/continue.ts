// Prompts for an agent that continues, after an interruption or before it was done: in its conversation or, if that
// cannot be continued, as a part of its first prompt.
import type { Failure } from '../event.ts'
import { indented, setOff, shortened } from './bounded.ts'
import type { Interrupted } from './facts.ts'
import type { Templates } from './templates.ts'

export function interruptedPrompt(templates: Templates, interrupted: Interrupted): string {
  return `${aboutInterrupted(templates, interrupted, true)}\n`
}

export function aboutInterrupted(
  templates: Templates,
  { attempt, failure, outputTail, hasWork }: Interrupted,
  remembers = false,
): string {
  const output = remembers ? '' : indented(outputTail)
  return templates.fill('interrupted', {
    remembers: remembers ? 'yes' : '',
    attempt: String(attempt),
    reason: failure.reason,
    message: setOff(shortened(failure.message, MESSAGE_CHARS)),
    work: hasWork ? 'yes' : '',
    output: output.trim() === '' ? '' : output,
  })
}

const MESSAGE_CHARS = 500

type FollowUp = {
  failure: Failure
  completion: string | null
  /** Its first prompt; null: the conversation has it. */
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
