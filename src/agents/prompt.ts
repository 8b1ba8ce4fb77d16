// What an agent is told: the task's own words, the conflict it is to resolve if there is one, and after a failed
// attempt what went wrong with it.
import type { Failure } from '../failure.ts'

export type Earlier = { attempt: number; failure: Failure; outputTail: string }

/** `conflict`: the files in conflict, where the worktree holds one. */
export function buildPrompt(prompt: string, earlier: Earlier | null, conflict: string[] | null = null): string {
  const text = prompt.endsWith('\n') ? prompt : `${prompt}\n`
  return text + (conflict ? aboutConflict(conflict) : '') + (earlier ? aboutEarlier(earlier, conflict !== null) : '')
}

function aboutConflict(paths: string[]): string {
  return `
## Resolve the conflict of your earlier work

You have done this task before, and what you did conflicts with what has landed on the branch since. Your worktree has
both, merged as far as git could. These files are in conflict:

${listed(paths)}

Between \`<<<<<<<\` and \`=======\` stands what has landed, between \`=======\` and \`>>>>>>>\` what you did. Edit the
files so that both keep doing what they were meant to do, and leave no marker. Where a file has no markers (one side
deleted it, or it is binary), decide which side it follows: as it is in your worktree now, it would land.

Do not do the task again, and change no file that your earlier work had not changed: such a resolution is refused.
\`git show HEAD^1:FILE\` prints a file as it has landed, \`git show HEAD^2:FILE\` as you had left it.
`
}

function aboutEarlier({ attempt, failure, outputTail }: Earlier, inConflict: boolean): string {
  const paths = failure.paths?.length ? `\nPaths concerned:\n${listed(failure.paths)}\n` : ''
  const output = outputTail.trim() === '' ? '' : `\nThe end of its output:\n\n${indent(outputTail.trimEnd())}\n`
  const start = inConflict ? 'the conflict as it was found' : 'the newest state of the branch'
  return `
## An earlier attempt failed

Attempt ${attempt} did not succeed (${failure.reason}): ${WHERE[failure.reason] ?? ''}${failure.message}
${paths}${output}
You start again from ${start}; nothing of that attempt is in your worktree.
`
}

/** Where the reason alone does not tell an agent what its work was measured by. */
const WHERE: Partial<Record<Failure['reason'], string>> = {
  'landing-failed': 'merged with what others had landed, its work made a command fail that has to pass. ',
}

function listed(paths: string[]): string {
  return paths.map((path) => `- ${path}`).join('\n')
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ')
}
