// What an agent is told: the task's own words, and after a failed attempt what went wrong with it.
import type { Failure } from '../failure.ts'

export type Earlier = { attempt: number; failure: Failure; outputTail: string }

export function buildPrompt(prompt: string, earlier: Earlier | null): string {
  const text = prompt.endsWith('\n') ? prompt : `${prompt}\n`
  if (!earlier) return text
  const { attempt, failure, outputTail } = earlier
  const paths = failure.paths?.length
    ? `\nPaths concerned:\n${failure.paths.map((path) => `- ${path}`).join('\n')}\n`
    : ''
  const output = outputTail.trim() === '' ? '' : `\nThe end of its output:\n\n${indent(outputTail.trimEnd())}\n`
  return `${text}
## An earlier attempt failed

Attempt ${attempt} did not succeed (${failure.reason}): ${failure.message}
${paths}${output}
You start again from the newest state of the branch; nothing of that attempt is in your worktree.
`
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ')
}
