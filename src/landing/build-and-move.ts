// A batch of the landing queue: the work of several units merged one on top of the other, in the engine's repository and without a
// checkout, and the move of the run's branch onto it, by compare-and-swap.
//
// Properties
// - Work that conflicts with the branch is refused. Work that conflicts with an item of the batch only waits: that item may
//   turn out bad and never land.
// - The first item is always either built or refused, so a batch always makes progress.
// - Landings of a run are serialized by the scheduler. A task lands at most once (I3): if the branch is not where the journal
//   says, items that are already in its commits are skipped. That happens after a crash between moving the branch and
//   recording it.
import { LIMITS, type Settings } from '../config.ts'
import type { Fact, Failure } from '../event.ts'
import type { EngineRepository } from '../git/engine/engine-repository.ts'
import { throwEngineTrouble } from '../git/engine/engine-trouble.ts'
import { conflictRef, runBranch } from '../git/engine/ref-names.ts'
import type { CommitWords } from '../git/landing/commit-message.ts'
import { keepConflict } from '../git/landing/conflict-commit.ts'
import { findLanded, tasksThatChanged } from '../git/landing/landed.ts'
import type { MergeMode } from '../git/landing/landing-commit.ts'
import { type Merge, mergeOnto, moveBranch } from '../git/landing/merge-onto.ts'
import { GitFailure } from '../git/run/git.ts'
import type { Identity } from '../git/user/repository.ts'

export type LandingPlace = {
  engine: EngineRepository
  run: string
  conflict: Settings['landing']['conflict']
  merge: MergeMode
  signOff: Identity | null
}

/** Work that lands as one. `commit`: the work before the merge; `mergeBatch` puts the landing commit in its place. */
export type LandItem = {
  tasks: {
    id: string
    title: string
    summary?: string | null
    attempt: number
    decisions?: readonly string[] | undefined
    base: string
  }[]
  commit: string
  /** True: the work is of one agent, which can resolve the conflict; not of a shell command or a whole epic. */
  hasAgent: boolean
}

/** `onto`: the first item is merged onto it. The items between the branch (`head`) and `onto` are still being verified. */
type Batch = { items: LandItem[]; onto: string; head: string }

/** Merges a batch. Without verification it lands at once. */
export async function buildBatch(place: LandingPlace, batch: Batch & { verify: boolean }): Promise<Fact[]> {
  const { onto, verify } = batch
  const { items, refused } = await mergeBatch(place, batch)
  const built = (ones: LandItem[]): Fact => {
    return { type: 'landing.built', items: ones.map(({ tasks, commit }) => ({ tasks: idsOf(tasks), commit })), onto }
  }
  if (verify) return [...refused, built(items)]
  const landed = await moveBatch(place, { items, onto })
  // The remaining items wait for another batch: an empty `built` says that this one is over.
  const isAll = refused.length + landed.length === batch.items.length
  return [...refused, ...landed, ...(isAll ? [] : [built([])])]
}

export async function moveBatch(place: LandingPlace, { items, onto }: Omit<Batch, 'head'>): Promise<Fact[]> {
  const { engine, run } = place
  const last = items.at(-1)
  if (!last) return []
  const move = await moveBranch(engine, { ref: runBranch(run), to: last.commit, from: onto })
  switch (move.kind) {
    case 'moved':
      return items.map(({ tasks, commit }, n) => landedFact(tasks, commit, items[n - 1]?.commit ?? onto))
    case 'elsewhere': {
      if (move.actual === null) throwEngineTrouble(engine)
      const landed = await alreadyLanded(place, items, onto)
      if (landed.length > 0) return landed
      const failure = movedAway(place, onto, move.actual)
      return items.map(({ tasks }) => ({ type: 'landing.refused', tasks: idsOf(tasks), onto, failure, retry: false }))
    }
    case 'locked':
      // Git has already waited for the lock; see Landing.
      throw new GitFailure(['update-ref'], null, move.message)
    default:
      return move satisfies never
  }
}

async function mergeBatch(
  place: LandingPlace,
  { items, onto, head }: Batch,
): Promise<{ items: LandItem[]; refused: Fact[] }> {
  const { engine, merge: mode } = place
  const [merged, refused]: [LandItem[], Fact[]] = [[], []]
  let top = onto
  for (const item of items) {
    const { tasks, commit: work } = item
    const message = landingWords(place, tasks)
    const merge = await mergeOnto(engine, { head: top, work, base: tasks[0]?.base, message, mode })
    if (merge.kind === 'merged') {
      merged.push({ ...item, commit: merge.commit })
      top = merge.commit
    } else if (top === head) {
      // Otherwise it waits: the item that it conflicts with may never land.
      const failure = await whyNotMerged(place, item, head, merge)
      const retry = place.conflict !== 'fail'
      const toResolve = merge.kind === 'conflict' ? await resolvable(place, item, head) : {}
      refused.push({ type: 'landing.refused', tasks: idsOf(tasks), onto, failure, retry, ...toResolve })
    }
  }
  return { items: merged, refused }
}

/** Keeps the conflict as a commit if an agent or a person can resolve it. Otherwise the work is done again. */
async function resolvable(
  { engine, run, conflict }: LandingPlace,
  item: LandItem,
  onto: string,
): Promise<Pick<Extract<Fact, { type: 'landing.refused' }>, 'conflict'>> {
  const by = conflict === 'manual' ? 'person' : conflict === 'resolve' && item.hasAgent ? 'agent' : null
  const last = item.tasks.at(-1)
  if (by === null || !last) return {}
  const title = `Conflict of ${idsOf(item.tasks).join(', ')} with what has landed`
  const words = { title, run, tasks: item.tasks.map(({ id, attempt }) => ({ task: id, attempt })) }
  const ref = conflictRef(run, last.id, last.attempt)
  const commit = await keepConflict(engine, { onto, work: item.commit, ref, words, by })
  return commit === null ? {} : { conflict: { commit, onto, by } }
}

async function whyNotMerged(
  { engine, run }: LandingPlace,
  { tasks: [first] }: LandItem,
  head: string,
  { kind, paths }: Exclude<Merge, { kind: 'merged' }>,
): Promise<Failure> {
  const failure = (reason: Failure['reason'], what: string): Failure => {
    return { reason, message: `${what} ${named(paths)}`, paths: paths.slice(0, LIMITS.failurePaths) }
  }
  if (kind === 'escapes')
    return failure(
      'symlink-escapes',
      'with what has landed meanwhile, a symbolic link would lead out of the repository:',
    )
  if (kind !== 'conflict')
    return failure('landing-refused', 'landing it would change paths that the task never touched:')
  const others = first ? await tasksThatChanged(engine, { run, base: first.base, head, paths }) : []
  const whose = others.length > 0 ? `the landed work of ${named(others, 'tasks')}` : 'landed work'
  return failure('conflict', `conflicts with ${whose} in`)
}

function named(names: string[], what = 'paths'): string {
  return names.slice(0, 3).join(', ') + (names.length > 3 ? `, … (${names.length} ${what})` : '')
}

async function alreadyLanded({ engine, run }: LandingPlace, items: LandItem[], onto: string): Promise<Fact[]> {
  const facts: Fact[] = []
  let head = onto
  for (const { commit, tasks } of await findLanded(engine, { ref: runBranch(run), onto, run })) {
    const mine = items.find((item) =>
      item.tasks.every(({ id, attempt }) => tasks.some((one) => one.task === id && one.attempt === attempt)),
    )
    if (!mine) return facts
    facts.push(landedFact(mine.tasks, commit, head))
    head = commit
  }
  return facts
}

function landedFact(tasks: LandItem['tasks'], commit: string, onto: string): Fact {
  return { type: 'landing.landed', tasks: idsOf(tasks), commit, onto }
}

function movedAway({ engine, run }: LandingPlace, onto: string, actual: string | null): Failure {
  const where = actual === null ? 'is gone' : `is at ${actual.slice(0, 12)}`
  const message = `something else has moved the branch of run ${run} in ${engine.gitDir}: it ${where} and should be at ${onto.slice(0, 12)}. The work is kept as a ref; run its task again in a new run`
  return { reason: 'landing-refused', message }
}

/** The message of a merge describes the landing; that of a single commit, its work. */
function landingWords({ run, merge, signOff }: LandingPlace, tasks: LandItem['tasks']): CommitWords {
  const [first, ...others] = tasks
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  const title = `${first?.title}${more}`
  const words = merge === 'regular' ? { title: `Land ${first?.id}: ${title}` } : { title, body: bodyOf(tasks) }
  const decisions = [...new Set(tasks.flatMap((task) => task.decisions ?? []))]
  return { ...words, run, tasks: tasks.map(({ id, attempt }) => ({ task: id, attempt })), decisions, signOff }
}

function bodyOf(tasks: LandItem['tasks']): string {
  const [only] = tasks
  if (tasks.length === 1) return only?.summary ?? ''
  return tasks.map(({ id, title, summary }) => `${id}: ${title}${summary ? `\n${summary}` : ''}`).join('\n\n')
}

function idsOf(tasks: LandItem['tasks']): string[] {
  return tasks.map(({ id }) => id)
}
