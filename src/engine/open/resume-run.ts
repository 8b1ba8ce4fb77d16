// Resuming a run from its journal, also with a changed plan or to retry failed tasks. Every refusal comes before anything runs.
import { type LayerSettings, resolveSettings, type Settings, type SettingsLayer } from '../../config.ts'
import { type Event, type Fact, startOf } from '../../event.ts'
import { brokenCommits } from '../../git/engine/broken-commits.ts'
import { type EngineRepository, forgetIndexes } from '../../git/engine/engine-repository.ts'
import { readRef } from '../../git/engine/ref-file.ts'
import { runBranch } from '../../git/engine/ref-names.ts'
import { moveBranch } from '../../git/landing/merge-onto.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { secretValues } from '../../process/secrets.ts'
import { readStatus } from '../../process/supervise/exit.ts'
import { goesOn } from '../../process/supervise/supervise.ts'
import { apply } from '../../scheduler/apply/apply.ts'
import { reopen } from '../../scheduler/apply/reopen.ts'
import type { RunState } from '../../scheduler/state.ts'
import { isResumable, runSummary } from '../../scheduler/view.ts'
import { isPostgresUrl } from '../../store/place.ts'
import { planAfter } from '../../store/read-row.ts'
import type { RunRecord } from '../../store/views.ts'
import type { Plan } from '../../task.ts'
import { nameList } from '../../text/name-list.ts'
import type { RunSummary } from '../../view.ts'
import { type LockedWorkspace, lockWorkspace } from '../../workspace/lock.ts'
import { keptTemplates } from '../../workspace/prompt-templates.ts'
import { attemptFolder, newestIteration } from '../../workspace/state-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { Learner } from '../expertise/learner.ts'
import { doneSince, nextStepOf } from '../history/landed-tasks.ts'
import { loadOrigin, saveOrigin } from '../plan-file/saved-tasks.ts'
import { journalOf, takenOverText } from '../run/journal.ts'
import type { Run } from '../run/run.ts'
import { checkPlan, type OpenRun, othersAtWork } from './check-before-run.ts'
import { withEstimates } from './estimates.ts'
import { limitsOf, PLAN_LIMITS_NOTE } from './limits.ts'
import { findLost, type LostCommits } from './lost-commits.ts'
import { endOrphans, makeRun } from './open-run.ts'
import { outOfSight, stateFromJournal } from './replay-journal.ts'
import { droppedFor, lackingNeeds, ONLY_AGENT, replanning } from './take-over-changed-plan.ts'
import { tasksToReopen } from './tasks-to-retry.ts'

/** `planLimits`, `origin`: of the file of the changed plan. New limits must be among `changes`, too. */
export type ResumeRun = Pick<OpenRun, 'planLimits' | 'origin' | 'environment' | 'runner'> & {
  /** Default: the newest run with something left to do; with `again` the newest. */
  run?: string | undefined
  /** Settings that change from now on: concurrency, the agent's command, … */
  changes?: SettingsLayer[] | undefined
  replan?: Plan | undefined
  /** For each task of `replan` the tasks it needs that the plan file calls done. Refused if the branch of the run lacks one. */
  doneNeeds?: ReadonlyMap<string, readonly string[]> | undefined
  /** Failed tasks to try again, with the tasks they block. The run may be over. */
  again?: 'all' | readonly string[] | undefined
}

/** Continues a run from its journal, and takes over attempts that still run under supervisors. */
export async function resumeRun(workspace: Workspace, options: ResumeRun = {}): Promise<Result<Run>> {
  return lockWorkspace(workspace, async (locked) => {
    const left = await readLeft(locked, options)
    if (!left.ok) return left
    const meant = await checkLeft(locked, left.value, options)
    return meant.ok ? openLeft(locked, left.value, meant.value, options) : meant
  })
}

/** A run as the previous engine left it. `plan`: the current one. */
type Left = { run: RunRecord; plan: Plan; events: Event[]; settings: Settings; state: RunState }

async function readLeft(locked: LockedWorkspace, options: ResumeRun): Promise<Result<Left>> {
  const { store, folder, engine } = locked
  const runs = await store.runs()
  const id = options.run ?? runs.find((run) => run.resumable || options.again !== undefined)?.run
  if (id === undefined) return refuse(await noneToResume(locked, runs[0]))
  const unfinished = await othersAtWork(locked, id)
  if (unfinished) return refuse(unfinished)
  const run = await store.run(id)
  if (!run) return refuse(`there is no run ${id}: \`espalier status --all\` lists those there are`)
  const events = await store.events(id)
  const plan = planAfter(run.plan, events)
  const before = { ...run.settings, ...lastGiven(events) }
  const { settings } = resolveSettings([{ from: 'run', settings: before }, ...(options.changes ?? [])])
  const problems = checkPlan(options.replan ?? plan, settings, options.environment)
  if (problems.length > 0) return { ok: false, problems }
  const first = startOf(events)
  if (!first) return refuse(`run ${id} never started: run its plan again`)
  const workOf = (task: string, attempt: number) => newestIteration(attemptFolder(folder, id, task, attempt)).work
  const replayed = () =>
    stateFromJournal(run.plan, first.limits, events, {
      workEnd: (task, attempt) => readStatus(workOf(task, attempt))?.endedAt ?? null,
      goesOn: (task, attempt) => goesOn(workOf(task, attempt)),
      now: Date.now(),
    })
  const state = replayed()
  const hidden = outOfSight(folder, id, state)
  if (hidden !== null) return refuse(hidden)
  const lost = await findLost(engine, { run: id, plan, events, state })
  const refusal = lost && whyNotWithout(locked, run, state, lost)
  if (refusal) return refuse(refusal)
  if (lost) await forgetIndexes(folder.root)
  if (lost && isResumable(state) && !(await writeLost(locked, run, { events, state, lost })))
    return refuse(takenOverText(id))
  const current = lost ? replayed() : state
  await restoreBranch(engine, id, current, lost !== null)
  return ok({ run, plan, events, settings, state: current })
}

/** `again`: tasks to try again; null: none was asked for. `since`: tasks that other runs have landed since, with the run. */
type Meant = { again: string[] | null; since: ReadonlyMap<string, string> }

async function checkLeft(locked: LockedWorkspace, left: Left, options: ResumeRun): Promise<Result<Meant>> {
  const { state, run } = left
  const { again: wanted, origin, doneNeeds } = options
  const { id } = run
  if (wanted && run.plan.search)
    return refuse(`run ${id} is a search: what failed in it has been decided about; start the search again`)
  const since = await doneSince(locked.store, { ...ofRun(locked, run), startedAt: state.startedAt })
  const reopened = wanted
    ? tasksToReopen(state, { run: id, since, wanted, mayBeNone: options.replan !== undefined })
    : ok(null)
  if (!reopened.ok) return reopened
  const again = reopened.value
  if (origin && doneNeeds) {
    const kept = await loadOrigin(locked.store, id)
    const plans = [run.plan, left.plan]
    const lacking = lackingNeeds(state, { run: id, origin, doneNeeds, since, again, plans, kept })
    if (lacking.length > 0) return refuse(...lacking)
  }
  if (again || isResumable(state)) return ok({ again, since })
  const retrying = tasksToReopen(state, { run: id, since, wanted: 'all', mayBeNone: false })
  return refuse(
    `run ${id} has finished (${state.finished}): nothing left to resume${retrying.ok ? wayToRetry(id) : ''}`,
  )
}

async function openLeft(locked: LockedWorkspace, left: Left, meant: Meant, options: ResumeRun): Promise<Result<Run>> {
  const { run, events, settings, state } = left
  const { store } = locked
  const { id, planFile } = run
  const { environment, runner } = options
  if (meant.again) reopen(state, meant.again)
  state.changed.clear()
  const templates = await keptTemplates(store, id)
  if (!templates.ok) return templates
  const orphansEnded = await endOrphans(locked, settings, { id, state })
  const learner = await Learner.open(store, settings)
  const done = new Set(options.origin?.done?.map(({ task }) => task))
  const next = options.replan ? withEstimates(options.replan, learner) : null
  const { plan, facts, tooLate } = replanning(state, { now: left.plan, next, again: meant.again, done })
  facts.push(...droppedFor(state, plan, meant.since, meant.again ?? []))
  facts.push({ type: 'run.resumed', limits: limitsOf(settings) })
  // Written before the journal has the added tasks: an engine that takes over must be able to write their statuses.
  const origin = options.origin
    ? await saveOrigin(ofRun(locked, run), options.origin, tooLate)
    : await loadOrigin(store, id)
  if (options.replan) {
    const named = options.changes?.findLast((layer) => layer.settings.agent != null)
    if (named) await store.putNote(id, ONLY_AGENT, named.settings.agent)
    if (options.planLimits) await store.putNote(id, PLAN_LIMITS_NOTE, options.planLimits)
  }
  const made = await makeRun(locked, {
    ...{ id, plan, state, past: events, facts, planFile, settings, templates: templates.value },
    ...{ learner, origin, environment, runner, orphansEnded },
  })
  if (made.ok) await learner.catchUp(id, run.plan, events, secretValues(environment ?? process.env))
  return made
}

function ofRun({ store, user }: LockedWorkspace, { id }: RunRecord) {
  return { store, run: id, top: user.top }
}

/** Why the run cannot continue without these commits; null: it can. */
function whyNotWithout(
  { folder, engine }: LockedWorkspace,
  { id, plan }: RunRecord,
  state: RunState,
  { landed, facts }: LostCommits,
): string | null {
  const hasBase = facts.length > 0
  // A database may be shared with a machine that has them.
  const isElsewhere = isPostgresUrl(folder.database) && landed.length > 0
  if (!isElsewhere && hasBase && !plan.search && (isResumable(state) || landed.length === 0)) return null
  const what = landed.length > 0 ? `the landed work of ${nameList(landed)}` : 'commits that it needs'
  const where = runBranch(id).replace('refs/heads/', '')
  return `${engine.gitDir} or a part of it was removed, and with it ${what}: what had landed before may be on ${where} of your repository. Put the folder back, or run the plan again`
}

/** Adds to `events`. False: another engine has the run. */
async function writeLost(
  locked: LockedWorkspace,
  { id, plan }: RunRecord,
  { events, state, lost }: { events: Event[]; state: RunState; lost: LostCommits },
): Promise<boolean> {
  const journal = journalOf(locked, id, events)
  // An attempt ended at an unknown time, no later than the engine.
  const at = (fact: Fact) => (fact.type === 'attempt.finished' ? state.lastAt : Math.max(state.lastAt, Date.now()))
  const written = lost.facts.map((fact) => journal.event(fact, at(fact)))
  written.reduce(apply, state)
  const facts = { run: id, name: plan.name, repo: locked.user.top, enginePid: process.pid }
  events.push(...written)
  return typeof (await journal.append(state, written, runSummary(state, facts))) !== 'string'
}

/** Makes the branch of the run again if it is gone, or moves it (`isLost`, or its commit is gone) to what is left of it. */
async function restoreBranch(
  engine: EngineRepository,
  run: string,
  { base, head: to }: RunState,
  isLost: boolean,
): Promise<void> {
  const ref = runBranch(run)
  const from = readRef(engine, ref)
  // An earlier engine may have been killed after it wrote what is lost.
  const isGone = from === null || (await brokenCommits(engine, [from], { base, published: to })).size > 0
  if (isGone || isLost) await moveBranch(engine, { ref, to, from })
}

async function noneToResume(locked: LockedWorkspace, newest: RunSummary | undefined): Promise<string> {
  if (!newest) return 'there is no run to resume'
  const way = (await nextStepOf(locked.store, newest))?.kind === 'retry' ? wayToRetry(newest.run) : ''
  return `there is no run to resume. The newest, ${newest.run}, has finished (${newest.status})${way}`
}

function wayToRetry(id: string): string {
  return `; \`espalier retry --run ${id}\` retries what did not succeed`
}

/** Limits of the last resume, which stay: otherwise its larger budget would be used up at once. */
function lastGiven(
  events: readonly Event[],
): Pick<LayerSettings, 'budgetUsd' | 'onBudget' | 'timeoutMs' | 'retries' | 'maxConcurrency'> {
  const last = events.findLast((event) => event.type === 'run.resumed')
  const since = last ? events.slice(events.lastIndexOf(last)) : events
  const asked = since.filter((event) => event.type === 'slots.changed').findLast(({ why }) => !why)
  const changed = asked ? { maxConcurrency: asked.slots } : {}
  if (!last) return changed
  const { budget, timeoutMs, retries, slots: maxConcurrency } = last.limits
  return { budgetUsd: budget.usd, onBudget: budget.onReached, timeoutMs, retries, maxConcurrency, ...changed }
}
