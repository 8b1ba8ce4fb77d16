// What an agent is told that has ended and is not done: in the conversation it had, or, where it has none, together with
// what it was told at first.
import type { Failure } from '../failure.ts'

/** `first`: what it was told at first; null: it remembers. */
export function buildFollowUp(failure: Failure, completion: string | null, first: string | null): string {
  const told = first === null ? '' : `${first.trimEnd()}\n\n`
  return `${told}## You are not done yet\n\n${why(failure)}${completionRequest(completion)}`
}

/** How it says that it is done; empty where nobody asked for that. */
export function completionRequest(completion: string | null): string {
  if (completion === null) return ''
  return `\nWhen all of it is done, and not before, say this in your last message, word for word:\n\n    ${completion}\n`
}

/** `said`: its last message. */
export function completionFailure(completion: string | null, said: string | null): Failure | null {
  if (completion === null || said?.includes(completion)) return null
  return { reason: 'incomplete', message: `its agent ended without having said \`${completion}\`` }
}

function why({ reason, message }: Failure): string {
  if (reason === 'incomplete')
    return `You ended, but you have not said that all is done. Finish what is left of your task in this worktree, which is
as you left it. If nothing is left, look at all of it once more.
`
  return `A command that has to pass does not: ${message}

Go on in this worktree. It is as you left it: what the command wrote there was taken away again, ignored files excepted.
Find out why it fails, put that right, and run it yourself before you end.
`
}
