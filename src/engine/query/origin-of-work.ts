// From an objective to its landed commits, and from a commit back: by the journal, and by git for a commit that is not in it.
import { join, resolve } from 'node:path'
import { runsWithRefs } from '../../git/engine/inventory.ts'
import type { Trailers } from '../../git/landing/commit-message.ts'
import { asPerson, commitNamed, type GitOptions } from '../../git/run/git.ts'
import { commitsBetween, isPartOf, landingWith, readCommit } from '../../git/trees/commit-origin.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { RunView, TaskView } from '../../view.ts'
import { type ReadRun, readWithPlan } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { sessionViews } from './agent-sessions.ts'
import { readOnto } from './work-of-task.ts'

export type Trace = {
  /** Null: no commit was asked for. */
  commit: (NonNullable<Awaited<ReturnType<typeof readCommit>>> & Pick<Origin, 'part' | 'attempt'>) | null
  /** Several if an epic landed as one; none if the run is not kept any more. */
  tasks: TaskTrace[]
}

export type TaskTrace = Awaited<ReturnType<typeof taskTrace>>

/** `of`: a task of the run (by default the newest), or a commit of any run. */
export async function trace(
  workspace: Workspace,
  options: { of: string; run?: string | undefined },
): Promise<Result<Trace>> {
  const { of } = options
  const found = await readWithPlan(workspace, options)
  if (!found.ok) return found
  const { run, tasks } = found.value.view
  const gitDir = join(workspace.folder.root, 'engine.git')
  const engine = { gitDir, cwd: gitDir }
  const task = tasks.find(({ id }) => id === of)
  if (task) return ok({ commit: null, tasks: [await taskTrace(workspace, engine, found.value, task)] })
  // In the user's repository, or a hash that only the engine knows.
  const commit = (await commitNamed(of, asPerson(resolve(workspace.repo)))) ?? (await commitNamed(of, engine))
  if (commit === null) return refuse(`run ${run} has no task ${of}, and the repository has no such commit`)
  const line = await readCommit(engine, commit)
  if (!line) return refuse(`commit ${commit} cannot be read`)
  const origin = (await originOf(workspace, engine, commit)) ?? (await copyOf(workspace, line.trailers))
  if (!origin) return refuse(`commit ${commit.slice(0, 12)} comes from no run that is kept here, and names none`)
  const { from, part, attempt } = origin
  const traced = from ? origin.tasks.map((one) => taskTrace(workspace, engine, from, one)) : []
  return ok({ commit: { ...line, part, attempt }, tasks: await Promise.all(traced) })
}

type Origin = {
  /** Null: the run is not kept any more. */
  from: ReadRun | null
  tasks: TaskView[]
  /**
   * `landing`: brought the tasks onto the branch. `landed`: came with a landing. `work`: made by an attempt. `copy`: somebody
   * copied a landing, so only its trailers tell.
   */
  part: 'landing' | 'landed' | 'work' | 'copy'
  attempt: number | null
}

/** The run in which the commit first appeared: later runs may start from it. */
async function originOf(workspace: Workspace, engine: GitOptions, commit: string): Promise<Origin | null> {
  const holders = await runsWithRefs(engine, `--contains=${commit}`)
  const read = await Array.fromAsync(holders, ({ run }) => readWithPlan(workspace, { run }))
  const found = read.flatMap((one) => (one.ok ? [one.value] : []))
  for (const from of found.sort((a, b) => a.view.startedAt - b.view.startedAt)) {
    const { run, base, head, tasks } = from.view
    if (await isPartOf(engine, commit, base)) continue
    const attempts = holders.find((one) => one.run === run)?.attempts ?? []
    const origin = landedAs(tasks, commit, 'landing') ?? (await leftBy(engine, tasks, attempts, commit))
    if (origin) return { from, ...origin }
    if (!(await isPartOf(engine, commit, head))) continue
    const landings = new Set(tasks.flatMap(({ landedCommit }) => landedCommit ?? []))
    const landing = await landingWith(engine, { commit, base, head, landings })
    const landed = landing === null ? null : landedAs(tasks, landing, 'landed')
    if (landed) return { from, ...landed }
  }
  return null
}

function landedAs(tasks: TaskView[], landing: string, part: Origin['part']): Omit<Origin, 'from'> | null {
  const together = tasks.filter(({ landedCommit }) => landedCommit === landing)
  const [only, ...more] = together
  return only ? { tasks: together, part, attempt: more.length === 0 ? only.attempts : null } : null
}

/** Later attempts may have begun with the commit. */
async function leftBy(
  engine: GitOptions,
  tasks: TaskView[],
  attempts: { task: string; attempt: number }[],
  commit: string,
): Promise<Omit<Origin, 'from'> | null> {
  const known = attempts.flatMap(({ task: id, attempt }) => {
    const task = tasks.find((one) => one.id === id)
    return (task?.history ?? []).filter((one) => one.attempt === attempt).map((one) => ({ task, ...one }))
  })
  for (const { task, attempt, base } of known.sort((a, b) => a.startedAt - b.startedAt))
    if (task && !(await isPartOf(engine, commit, base))) return { tasks: [task], part: 'work', attempt }
  return null
}

/** A rebased or picked commit still has the trailers of its origin. */
async function copyOf(workspace: Workspace, trailers: Trailers | null): Promise<Origin | null> {
  if (!trailers) return null
  const found = await readWithPlan(workspace, { run: trailers.run })
  const from = found.ok ? found.value : null
  const tasks = (from?.view.tasks ?? []).filter(({ id }) => trailers.tasks.some(({ task }) => task === id))
  const [only, ...more] = trailers.tasks
  return { from, tasks, part: 'copy', attempt: only && more.length === 0 ? only.attempt : null }
}

async function taskTrace(workspace: Workspace, engine: GitOptions, from: ReadRun, task: TaskView) {
  const { view, plan } = from
  const { id, title, status, history } = task
  const sessions = await sessionViews(from, id)
  const attempts = history.map(async ({ attempt, startedAt, finishedAt, outcome, failure, base, commit }) => ({
    ...{ attempt, startedAt, finishedAt, outcome, failure },
    session: sessions.find((one) => one.attempt === attempt) ?? null,
    /** Commits of the agent, and the one with its uncommitted changes. */
    commits: commit === null ? [] : await commitsBetween(engine, { from: base, to: commit }),
  }))
  const epic = plan?.epics.find((one) => one.id === task.epic)
  return {
    ...{ run: view.run, branch: view.branch, objective: plan?.objective ?? null },
    epic: epic ? { id: epic.id, title: epic.title, decisions: epic.decisions ?? [] } : null,
    ...{ task: id, title, status },
    decisions: plan?.tasks.find((one) => one.id === id)?.decisions ?? [],
    attempts: await Promise.all(attempts),
    landing: await landingTrace(workspace, engine, view, task),
  }
}

/** Null: it has not landed. `commits`: those it added to the branch itself. */
async function landingTrace(
  workspace: Workspace,
  engine: GitOptions,
  { run, tasks }: RunView,
  { landedCommit: commit, landedAt: at }: TaskView,
) {
  if (commit === null) return null
  const together = tasks.filter(({ landedCommit }) => landedCommit === commit).map(({ id }) => id)
  const onto = await readOnto(workspace, run, commit)
  const from = onto.ok ? onto.value : null
  const commits = from === null ? [] : await commitsBetween(engine, { from, to: commit, chain: true })
  return { commit, at, tasks: together, commits }
}
