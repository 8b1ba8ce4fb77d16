// What a landing looks like in the history: the commit, or commits, that bring a merged tree onto the branch.
//
// Properties
// - The tree is the same in every mode. The last commit has it, and carries the trailers that name the tasks (I3).
// - Who made the commits keeps the name on them; the committer is always the user.
// - Only commits the engine makes are on the first-parent chain, so nothing an agent writes into a message counts there.

import type { EngineRepository } from '../engine/repository.ts'
import { type Author, writeCommit } from '../engine/write-commit.ts'
import { workCommits } from '../slots/work-commits.ts'
import { treeOf } from '../trees/tree-of.ts'
import type { Identity } from '../user/repository.ts'
import { type CommitWords, commitMessage, isEngineMade, takenOver } from './commit-message.ts'
import { replayCommits, type Step } from './replay.ts'

export const MERGE_MODES = ['regular', 'squash', 'rebase'] as const
export type MergeMode = (typeof MERGE_MODES)[number]

export type LandingCommit = {
  head: string
  work: string
  /** Where the work left the branch. */
  base: string
  /** Merged; null: that of the work. */
  tree: string | null
  message: string | CommitWords
  mode: MergeMode
}

export async function landingCommit(engine: EngineRepository, landing: LandingCommit): Promise<string> {
  const { head, work, message, mode } = landing
  const tree = landing.tree ?? (await treeOf(engine, work))
  // A message without words names no task: there is nothing to make other commits of.
  if (mode === 'regular' || typeof message === 'string') {
    const text = typeof message === 'string' ? message : commitMessage(message)
    return writeCommit(engine, { tree, parents: [head, work], message: text })
  }
  const steps = mode === 'rebase' ? await replayCommits(engine, { ...landing, tree }) : null
  if (steps) return rebased(engine, head, steps, message)
  const [author, ...coAuthors] = await authorsOf(engine, landing)
  return writeCommit(engine, { tree, parents: [head], message: commitMessage({ ...message, coAuthors }), author })
}

async function rebased(
  engine: EngineRepository,
  head: string,
  steps: readonly Step[],
  words: CommitWords,
): Promise<string> {
  let top = head
  for (const [n, { tree, of }] of steps.entries()) {
    const message = takenOver(of.message, n === steps.length - 1 ? words : null, words.signOff ?? null)
    top = writeCommit(engine, { tree, parents: [top], message, author: of.author ?? undefined })
  }
  return top
}

/** Of the commits the agent made by itself, each once, in the order they appear. None: the engine made them all. */
async function authorsOf(
  engine: EngineRepository,
  { base, work }: { base: string; work: string },
): Promise<Identity[]> {
  const commits = await workCommits(engine, { base, work })
  const authors = new Map<string, Identity>()
  for (const { author, message } of commits ?? []) {
    if (author && !isEngineMade(message)) authors.set(author.email, authors.get(author.email) ?? nameOf(author))
  }
  return [...authors.values()]
}

function nameOf({ name, email }: Author): Identity {
  return { name, email }
}
