// Lands the work of one unit on the run's branch: merge, check, move the branch by compare-and-swap.
//
// Properties: landings of a run are serialized by the scheduler. A task lands at most once (I3): if the branch is not
// where the journal says, the commits on it are asked first whether this very work is already among them. That is the
// case after a crash between moving the branch and recording it.
import type { Fact } from '../event.ts'
import type { Failure } from '../failure.ts'
import type { EngineRepository } from '../git/engine-repository.ts'
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
  for (let tries = 1; ; tries++) {
    const move = await moveBranch(engine, { ref: runBranch(run), to: merge.commit, from: onto })
    if (move.kind === 'moved') return { type: 'landing.landed', tasks: ids, commit: merge.commit, onto }
    if (move.kind === 'elsewhere') {
      const commit = await alreadyLanded(request)
      if (commit) return { type: 'landing.landed', tasks: ids, commit, onto }
      throw new Error(`the branch of run ${run} is at ${move.actual}, not at ${onto}: something else has moved it`)
    }
    if (tries === LOCK_TRIES) throw new Error(`the branch of run ${run} stays locked: ${move.message}`)
    await new Promise((resolve) => setTimeout(resolve, LOCK_WAIT_MS * tries))
  }
}

const LOCK_TRIES = 10
const LOCK_WAIT_MS = 20

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
  const named = paths.slice(0, 3).join(', ')
  const message = `its work conflicts with what has landed meanwhile: ${named}${paths.length > 3 ? ', …' : ''}. Claims on these paths would have kept the tasks apart`
  return { reason: 'conflict', message, paths }
}

function strangeTo(paths: string[]): Failure {
  const message = `landing it would change paths that the task never touched: ${paths.slice(0, 3).join(', ')}`
  return { reason: 'landing-refused', message, paths }
}
