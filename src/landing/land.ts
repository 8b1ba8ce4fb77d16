// Lands the work of one unit on the run's branch: merge, check, move the branch by compare-and-swap.
//
// Properties: landings of a run are serialized by the scheduler. A task lands at most once (I3): if the branch is not
// where the journal says, the commits on it are asked first whether this very work is already among them. That is the
// case after a crash between moving the branch and recording it.
import { LIMITS } from '../config.ts'
import type { Fact } from '../event.ts'
import type { Failure } from '../failure.ts'
import type { EngineRepository } from '../git/engine-repository.ts'
import { GitFailure } from '../git/git.ts'
import { findLanded, mergeOnto, moveBranch } from '../git/landing.ts'
import { runBranch } from '../git/refs.ts'

export type LandUnit = {
  engine: EngineRepository
  run: string
  /** In the order they ran. */
  tasks: { id: string; title: string; attempt: number; base: string }[]
  work: string
  onto: string
  /** What becomes of work that does not merge. */
  conflict: 'retry' | 'fail'
}

export async function landUnit(request: LandUnit): Promise<Fact> {
  const { engine, run, tasks, work, onto } = request
  const ids = tasks.map((task) => task.id)
  const refused = (failure: Failure): Fact => {
    return { type: 'landing.refused', tasks: ids, onto, failure, retry: request.conflict === 'retry' }
  }
  const merge = await mergeOnto(engine, { head: onto, work, base: tasks[0]?.base, message: words(request) })
  if (merge.kind === 'conflict') return refused(conflictOf(merge.paths))
  if (merge.kind === 'refused') return refused(strangeTo(merge.paths))
  const move = await moveBranch(engine, { ref: runBranch(run), to: merge.commit, from: onto })
  switch (move.kind) {
    case 'moved':
      return { type: 'landing.landed', tasks: ids, commit: merge.commit, onto }
    case 'elsewhere': {
      const commit = await alreadyLanded(request)
      if (commit) return { type: 'landing.landed', tasks: ids, commit, onto }
      return { type: 'landing.refused', tasks: ids, onto, failure: movedAway(request, move.actual), retry: false }
    }
    case 'locked':
      // Git has waited for it already; see land-again.ts.
      throw new GitFailure(['update-ref'], null, move.message)
    default:
      return move satisfies never
  }
}

async function alreadyLanded({ engine, run, tasks, onto }: LandUnit): Promise<string | null> {
  const landed = await findLanded(engine, { ref: runBranch(run), onto, run })
  const mine = landed.find((landing) =>
    tasks.every(({ id, attempt }) => landing.tasks.some((one) => one.task === id && one.attempt === attempt)),
  )
  return mine?.commit ?? null
}

function words({ run, tasks }: LandUnit) {
  const [first, ...more] = tasks
  const title = `${first?.id}: ${first?.title}${more.length > 0 ? ` and ${more.length} more` : ''}`
  return { title: `Land ${title}`, run, tasks: tasks.map(({ id, attempt }) => ({ task: id, attempt })) }
}

function conflictOf(paths: string[]): Failure {
  const message = `its work conflicts with what has landed meanwhile: ${named(paths)}. Claims on these paths would have kept the tasks apart`
  return { reason: 'conflict', message, paths: paths.slice(0, LIMITS.failurePaths) }
}

function strangeTo(paths: string[]): Failure {
  const message = `landing it would change paths that the task never touched: ${named(paths)}`
  return { reason: 'landing-refused', message, paths: paths.slice(0, LIMITS.failurePaths) }
}

function movedAway({ engine, run, onto }: LandUnit, actual: string | null): Failure {
  const where = actual === null ? 'is gone' : `is at ${actual.slice(0, 12)}`
  const message = `something else has moved the branch of run ${run} in ${engine.gitDir}: it ${where} and should be at ${onto.slice(0, 12)}. The work is kept as a ref; run its task again in a new run`
  return { reason: 'landing-refused', message }
}

function named(paths: string[]): string {
  return paths.slice(0, 3).join(', ') + (paths.length > 3 ? `, … (${paths.length} paths)` : '')
}
