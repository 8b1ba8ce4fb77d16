// What the commits of a landing look like, and what they say.

import type { MergeMode } from '../git/landing/commit.ts'
import type { CommitWords } from '../git/landing/commit-message.ts'
import type { Identity } from '../git/user/repository.ts'

/** `signOff`: who signs the commits off. */
export type LandingForm = { merge: MergeMode; signOff: Identity | null }

export const REGULAR: LandingForm = { merge: 'regular', signOff: null }

export type LandedTask = {
  id: string
  title: string
  summary?: string | null
  attempt: number
  decisions?: readonly string[] | undefined
}

/** A merge says that it lands something; a commit that is the work says what the work is. */
export function landingWords(run: string, tasks: readonly LandedTask[], { merge, signOff }: LandingForm): CommitWords {
  const [first, ...others] = tasks
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  const title = `${first?.title}${more}`
  const isMerge = merge === 'regular'
  return {
    title: isMerge ? `Land ${first?.id}: ${title}` : title,
    body: isMerge ? undefined : bodyOf(tasks),
    run,
    tasks: tasks.map(({ id, attempt }) => ({ task: id, attempt })),
    decisions: [...new Set(tasks.flatMap(({ decisions }) => decisions ?? []))],
    signOff,
  }
}

function bodyOf(tasks: readonly LandedTask[]): string {
  const [only] = tasks
  if (tasks.length === 1) return only?.summary ?? ''
  return tasks.map(({ id, title, summary }) => `${id}: ${title}${summary ? `\n${summary}` : ''}`).join('\n\n')
}
