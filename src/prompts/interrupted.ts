// What an agent is told whose work was interrupted: in its conversation, or, where that cannot be continued, as a part of
// its first prompt.
import { indented, setOff, shortened } from './bounded.ts'
import type { Interrupted } from './facts.ts'
import type { Templates } from './templates.ts'

/** In its conversation. */
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
