// From an objective to its landed commits, and from a commit back: by the journal, and by git for a commit that is not in it.

import { join, resolve } from 'node:path'
import { RunHistory } from '../../facts/run-history.ts'
import type { Trailers } from '../../git/landing/commit-message.ts'
import { asPerson, commitNamed, type GitOptions } from '../../git/run/git.ts'
import {
  type CommitLine,
  commitsBetween,
  holdersOf,
  isPartOf,
  landingWith,
  readCommit,
} from '../../git/trees/trace-commit.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { TaskStatus } from '../../status.ts'
import type { AttemptView, RunView, TaskView } from '../../view.ts'
import { readEvents, readKnownRun, readPlanOf, readRun } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { readSessions, type SessionView } from '../run/session-summary.ts'

export type Trace = {
  /** Null: no commit was asked for. */
  commit: CommitTrace | null
  /** Several if an epic landed as one; none if the run is not kept any more. */
  tasks: TaskTrace[]
}

export type CommitTrace = CommitLine & {
  /**
   * `landing`: brought the tasks onto the branch. `landed`: came with a landing. `work`: made by an attempt. `copy`: somebody
   * copied a landing, so only its trailers tell.
   */
  part: 'landing' | 'landed' | 'work' | 'copy'
  /** The attempt that made it, if known. */
  attempt: number | null
  trailers: Trailers | null
}

export type TaskTrace = {
  run: string
  branch: string
  objective: string | null
  epic: { id: string; title: string; decisions: string[] } | null
  task: string
  title: string
  status: TaskStatus
  decisions: string[]
  attempts: AttemptTrace[]
  landing: LandingTrace | null
}

export type AttemptTrace = Pick<AttemptView, 'attempt' | 'startedAt' | 'finishedAt' | 'outcome' | 'failure'> & {
  session: SessionView | null
  /** Commits of the agent, and the one with its uncommitted changes. */
  commits: CommitLine[]
}

/** `commits`: those it added to the branch itself. */
export type LandingTrace = { commit: string; at: number | null; tasks: string[]; commits: CommitLine[] }

/** `of`: a task of the run (by default the newest), or a commit of any run. */
export async function trace(
  workspace: Workspace,
  options: { of: string; run?: string | undefined },
): Promise<Result<Trace>> {
  const { of } = options
  const { folder } = workspace
  const found = await readKnownRun(workspace, options)
  if (!found.ok) return found
  const view = found.value
  const engine = inEngine(folder.root)
  if (view.tasks.some(({ id }) => id === of)) {
    const task = await taskTrace(workspace, engine, view, of)
    return task.ok ? ok({ commit: null, tasks: [task.value] }) : task
  }
  // In the user's repository, or a hash that only the engine knows.
  const commit = (await commitNamed(of, asPerson(resolve(workspace.repo)))) ?? (await commitNamed(of, engine))
  if (commit === null) return refuse(`run ${view.run} has no task ${of}, and the repository has no such commit`)
  return traceCommit(workspace, engine, commit)
}

function inEngine(root: string): GitOptions {
  const gitDir = join(root, 'engine.git')
  return { gitDir, cwd: gitDir }
}

async function traceCommit(workspace: Workspace, engine: GitOptions, commit: string): Promise<Result<Trace>> {
  const line = await readCommit(engine, commit)
  if (!line) return refuse(`commit ${commit} cannot be read`)
  const origin = (await originOf(workspace, engine, commit)) ?? (await copyOf(workspace, line.trailers))
  if (!origin) return refuse(`commit ${commit.slice(0, 12)} comes from no run that is kept here, and names none`)
  const tasks: TaskTrace[] = []
  for (const id of origin.tasks) {
    const task = origin.view && (await taskTrace(workspace, engine, origin.view, id))
    if (task && !task.ok) return task
    if (task) tasks.push(task.value)
  }
  return ok({ commit: { ...line, part: origin.part, attempt: origin.attempt }, tasks })
}

type Origin = { view: RunView | null; tasks: string[]; part: CommitTrace['part']; attempt: number | null }

/** The run in which the commit first appeared: later runs may start from it. */
async function originOf(workspace: Workspace, engine: GitOptions, commit: string): Promise<Origin | null> {
  const holders = await holdersOf(engine, commit)
  const runs = new Set([...holders.runs, ...holders.attempts.map(({ run }) => run)])
  const views: RunView[] = []
  for (const run of runs) {
    const found = await readRun(workspace, { run })
    if (found.ok && found.value) views.push(found.value)
  }
  for (const view of views.sort((a, b) => a.startedAt - b.startedAt)) {
    if (await isPartOf(engine, commit, view.base)) continue
    const attempts = holders.attempts.filter(({ run }) => run === view.run)
    const origin =
      landedAs(view, commit, 'landing') ??
      (await leftBy(engine, view, attempts, commit)) ??
      (await landedWith(engine, view, commit))
    if (origin) return origin
  }
  return null
}

function landedAs(view: RunView, landing: string, part: 'landing' | 'landed'): Origin | null {
  const tasks = view.tasks.filter(({ landedCommit }) => landedCommit === landing)
  if (tasks.length === 0) return null
  const [only, ...more] = tasks
  const attempt = only && more.length === 0 ? only.attempts : null
  return { view, tasks: tasks.map(({ id }) => id), part, attempt }
}

/** Later attempts may have begun with the commit. */
async function leftBy(
  engine: GitOptions,
  view: RunView,
  attempts: { task: string; attempt: number }[],
  commit: string,
): Promise<Origin | null> {
  const known = attempts.flatMap(({ task, attempt }) => {
    const history = view.tasks.find(({ id }) => id === task)?.history ?? []
    return history.filter((one) => one.attempt === attempt).map((one) => ({ task, ...one }))
  })
  for (const { task, attempt, base } of known.sort((a, b) => a.startedAt - b.startedAt))
    if (!(await isPartOf(engine, commit, base))) return { view, tasks: [task], part: 'work', attempt }
  return null
}

async function landedWith(engine: GitOptions, view: RunView, commit: string): Promise<Origin | null> {
  if (!(await isPartOf(engine, commit, view.head))) return null
  const landings = new Set(view.tasks.flatMap(({ landedCommit }) => landedCommit ?? []))
  const landing = await landingWith(engine, { commit, base: view.base, head: view.head, landings })
  return landing === null ? null : landedAs(view, landing, 'landed')
}

/** A rebased or picked commit still has the trailers of its origin. */
async function copyOf(workspace: Workspace, trailers: Trailers | null): Promise<Origin | null> {
  if (!trailers) return null
  const found = await readRun(workspace, { run: trailers.run })
  const view = found.ok ? found.value : null
  const tasks = trailers.tasks.filter(({ task }) => view?.tasks.some(({ id }) => id === task))
  const [only, ...more] = trailers.tasks
  const attempt = only && more.length === 0 ? only.attempt : null
  return { view, tasks: tasks.map(({ task }) => task), part: 'copy', attempt }
}

async function taskTrace(
  workspace: Workspace,
  engine: GitOptions,
  view: RunView,
  id: string,
): Promise<Result<TaskTrace>> {
  const { run, branch } = view
  const plan = await readPlanOf(workspace, { run })
  const sessions = await readSessions(workspace, { run, task: id })
  if (!plan.ok) return plan
  if (!sessions.ok) return sessions
  const task = view.tasks.find((one) => one.id === id)
  if (!task) return refuse(`run ${run} has no task ${id}`)
  const landing = await landingTrace(workspace, engine, view, task)
  if (!landing.ok) return landing
  const attempts = await Promise.all(
    task.history.map(async ({ attempt, startedAt, finishedAt, outcome, failure, base, commit }) => ({
      ...{ attempt, startedAt, finishedAt, outcome, failure },
      session: sessions.value.find((one) => one.attempt === attempt) ?? null,
      commits: commit === null ? [] : await commitsBetween(engine, { from: base, to: commit }),
    })),
  )
  const epic = plan.value?.epics.find((one) => one.id === task.epic)
  return ok({
    ...{ run, branch, objective: plan.value?.objective ?? null },
    epic: epic ? { id: epic.id, title: epic.title, decisions: epic.decisions ?? [] } : null,
    ...{ task: id, title: task.title, status: task.status },
    decisions: plan.value?.tasks.find((one) => one.id === id)?.decisions ?? [],
    attempts,
    landing: landing.value,
  })
}

/** Only the journal has the commit that a landing was put on. */
async function landingTrace(
  workspace: Workspace,
  engine: GitOptions,
  { run, tasks }: RunView,
  { landedCommit: commit, landedAt: at }: TaskView,
): Promise<Result<LandingTrace | null>> {
  if (commit === null) return ok(null)
  const events = await readEvents(workspace, { run })
  if (!events.ok) return events
  const onto = RunHistory.of(events.value).landings.find((one) => one.commit === commit)?.onto ?? null
  const together = tasks.filter(({ landedCommit }) => landedCommit === commit).map(({ id }) => id)
  const commits = onto === null ? [] : await commitsBetween(engine, { from: onto, to: commit, chain: true })
  return ok({ commit, at, tasks: together, commits })
}
