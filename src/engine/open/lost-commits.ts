// Commits that a run needs and that went with a removed engine.git, or with objects of it. What has landed is mostly on the branch
// in the user's repository; work that waited to land is only in the engine's. The journal says first what is gone
// (`run.replanned` with `head`), and what follows from it: the branch is at the newest landing that is left, and the tasks whose
// commits are gone begin anew, at no cost to their tries. Then the run is resumed like any other.
import { type Event, type Fact, startOf } from '../../event.ts'
import { brokenCommits, type Kept } from '../../git/engine/broken-commits.ts'
import type { EngineRepository } from '../../git/engine/engine-repository.ts'
import { runBranch } from '../../git/engine/ref-names.ts'
import { inUser, lookAt } from '../../git/user/publish.ts'
import { endedWithoutWork } from '../../outcome-of-failure.ts'
import { stoppedForGood } from '../../scheduler/apply/stop.ts'
import { taskAt, type Unit } from '../../scheduler/graph.ts'
import { type RunState, record, unitState } from '../../scheduler/state.ts'
import type { Plan } from '../../task.ts'

/** `landed`: tasks whose landed work is gone. `facts`: what the journal is to say. */
export type LostCommits = { landed: string[]; facts: Fact[] }

/** Null: the repository has all that the run needs. */
export async function findLost(
  engine: EngineRepository,
  { run, plan, events, state }: { run: string; plan: Plan; events: readonly Event[]; state: RunState },
): Promise<LostCommits | null> {
  const { graph, batch } = state
  const needed = graph.units.map((unit) => ({ unit, commits: neededBy(state, unit) }))
  const moving = batch.moving === null ? [] : [batch.moving]
  const commits = [state.head, ...needed.flatMap(({ commits }) => commits), ...moving]
  const { base, head: newest } = state
  // Mostly all that has landed: it need not be looked at.
  const published = newest === base ? null : (await lookAt(inUser(engine), runBranch(run))).commit
  const gone = await brokenCommits(engine, commits, { base, published })
  if (gone.size === 0) return null
  const units = needed.filter(({ commits }) => commits.some((commit) => gone.has(commit))).map(({ unit }) => unit)
  const landings = landingsIn(events)
  const left = await newestWhole(engine, landings, { base, published })
  const landed = landings.slice(left + 1).flatMap(({ tasks }) => tasks)
  const head = landings[left]?.commit
  if (head === undefined) return { landed, facts: [] }
  const members = units.flatMap((unit) => unit.members)
  const again = [...new Set([...landed, ...members.map((member) => taskAt(graph, member).id)])]
  return {
    landed,
    facts: [
      ...members.flatMap((member) => interruption(state, member)),
      { type: 'run.replanned', plan, again, head },
      ...(stoppedForGood(state) ? again.map((task): Fact => ({ type: 'task.cancelled', task, request: null })) : []),
    ],
  }
}

/** The index of the newest landing that is left, -1: none. Each has all that those before it have. */
async function newestWhole(engine: EngineRepository, landings: { commit: string }[], kept: Kept): Promise<number> {
  let [left, gone] = [-1, landings.length]
  while (gone - left > 1) {
    const middle = (left + gone) >> 1
    const isGone = (await brokenCommits(engine, [landings[middle]?.commit ?? ''], kept)).size > 0
    if (isGone) gone = middle
    else left = middle
  }
  return left
}

/** The base of the run and its landings, oldest first, but for those given up as gone before. */
function landingsIn(events: readonly Event[]): { commit: string; tasks: string[] }[] {
  const landings = [{ commit: startOf(events)?.base ?? '', tasks: [] as string[] }]
  for (const event of events) {
    if (event.type === 'landing.landed') landings.push(event)
    if (event.type === 'run.replanned' && event.head !== undefined)
      landings.splice(landings.findIndex(({ commit }) => commit === event.head) + 1)
  }
  return landings
}

/** Work that is to land or be resolved, and the commits that running and interrupted attempts began with. */
function neededBy(state: RunState, unit: Unit): string[] {
  const { status, head, resolves } = unitState(state, unit.index)
  if (status === 'settled') return []
  const bases = unit.members.flatMap((member) => {
    const { state: task, continues, history } = record(state, member)
    const number = task.status === 'running' ? task.attempt : continues
    return history.filter(({ attempt }) => attempt === number).map(({ base }) => base)
  })
  return [head, resolves?.commit, ...bases].filter((commit) => commit != null)
}

/** The end of an attempt that began with a commit that is gone: nobody could tell what it changed. */
function interruption(state: RunState, member: number): Fact[] {
  const { state: current } = record(state, member)
  if (current.status !== 'running') return []
  const which = { task: taskAt(state.graph, member).id, attempt: current.attempt }
  const message = 'the commit it began with went with engine.git'
  return [endedWithoutWork(which, { reason: 'interrupted', message })]
}
