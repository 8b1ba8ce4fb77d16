// Merges the work of several units one on top of the other, in the engine's repository and without a checkout. Nothing
// moves: the commits are what would land.
//
// Properties
// - What conflicts with the branch is refused. What conflicts with an item of the batch only waits: that item may
//   turn out bad and never land.
// - The first item is always either built or refused, so a batch always gets on.
import { LIMITS, type Settings } from '../config.ts'
import type { Fact } from '../event.ts'
import type { Failure } from '../failure.ts'
import { conflictRef } from '../git/engine/refs.ts'
import type { EngineRepository } from '../git/engine/repository.ts'
import type { MergeMode } from '../git/landing/commit.ts'
import type { CommitWords } from '../git/landing/commit-message.ts'
import { keepConflict } from '../git/landing/conflict.ts'
import { tasksThatChanged } from '../git/landing/landed-paths.ts'
import { type Merge, mergeOnto } from '../git/landing/merge-onto.ts'
import type { Identity } from '../git/user/repository.ts'

export type BuildBatch = {
  engine: EngineRepository
  run: string
  items: LandItem[]
  onto: string
  /** Where the branch is. The items between it and `onto` are still being verified. */
  head: string
  conflict: Settings['landing']['conflict']
  form?: LandingForm | undefined
}

export type LandItem = {
  tasks: (LandedTask & { base: string })[]
  work: string
  /** One agent did it, who can be given the conflict: it is not the work of a shell command, nor of a whole epic. */
  hasAgent?: boolean
}

export type Built = {
  items: { item: LandItem; tasks: string[]; commit: string }[]
  refused: Fact[]
}

export async function buildBatch(request: BuildBatch): Promise<Built> {
  const { engine, run, items, onto, head, conflict, form = REGULAR } = request
  const built: Built = { items: [], refused: [] }
  let top = onto
  for (const item of items) {
    const { tasks, work } = item
    const ids = tasks.map((task) => task.id)
    const message = landingWords(run, tasks, form)
    const merge = await mergeOnto(engine, { head: top, work, base: tasks[0]?.base, message, mode: form.merge })
    if (merge.kind === 'merged') {
      built.items.push({ item, tasks: ids, commit: merge.commit })
      top = merge.commit
    } else if (top === head) {
      const isConflict = merge.kind === 'conflict'
      const base = tasks[0]?.base
      const others = isConflict && base ? await tasksThatChanged(engine, { run, base, head, paths: merge.paths }) : []
      const failure = isConflict ? conflictOf(merge.paths, others) : failureOf(merge)
      const toResolve = isConflict ? await resolvable({ engine, run, onto, conflict }, item) : {}
      built.refused.push({
        type: 'landing.refused',
        tasks: ids,
        onto,
        failure,
        retry: conflict !== 'fail',
        ...toResolve,
      })
    }
  }
  return built
}

/** Where somebody is to resolve it and can: the conflict, kept as a commit. Else the work is done again. */
async function resolvable(
  { engine, run, onto, conflict }: Pick<BuildBatch, 'engine' | 'run' | 'onto' | 'conflict'>,
  item: LandItem,
): Promise<Pick<Extract<Fact, { type: 'landing.refused' }>, 'conflict'>> {
  const by = conflict === 'manual' ? 'person' : conflict === 'resolve' && item.hasAgent ? 'agent' : null
  const last = item.tasks.at(-1)
  if (by === null || !last) return {}
  const title = `Conflict of ${item.tasks.map((task) => task.id).join(', ')} with what has landed`
  const tasks = item.tasks.map(({ id, attempt }) => ({ task: id, attempt }))
  const ref = conflictRef(run, last.id, last.attempt)
  const commit = await keepConflict(engine, { onto, work: item.work, ref, words: { title, run, tasks }, by })
  return commit === null ? {} : { conflict: { commit, onto, by } }
}

export async function builtFacts(request: BuildBatch): Promise<Fact[]> {
  const { items, refused } = await buildBatch(request)
  const built = items.map(({ tasks, commit }) => ({ tasks, commit }))
  return [...refused, { type: 'landing.built', items: built, onto: request.onto }]
}

function failureOf(merge: Exclude<Merge, { kind: 'merged' | 'conflict' }>): Failure {
  return merge.kind === 'refused' ? strangeTo(merge.paths) : escapingWith(merge.paths)
}

function escapingWith(paths: string[]): Failure {
  const message = `with what has landed meanwhile, a symbolic link would lead out of the repository: ${named(paths)}`
  return { reason: 'symlink-escapes', message, paths: paths.slice(0, LIMITS.failurePaths) }
}

/** `others`: whose landed work it collides with, as far as that is known. */
function conflictOf(paths: string[], others: string[]): Failure {
  const whose = others.length > 0 ? `the landed work of ${named(others, 'tasks')}` : 'landed work'
  const message = `conflicts with ${whose} in ${named(paths)}`
  return { reason: 'conflict', message, paths: paths.slice(0, LIMITS.failurePaths) }
}

function strangeTo(paths: string[]): Failure {
  const message = `landing it would change paths that the task never touched: ${named(paths)}`
  return { reason: 'landing-refused', message, paths: paths.slice(0, LIMITS.failurePaths) }
}

function named(names: string[], what = 'paths'): string {
  return names.slice(0, 3).join(', ') + (names.length > 3 ? `, … (${names.length} ${what})` : '')
}

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
