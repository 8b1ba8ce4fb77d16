// Resuming a run from its journal, also with a changed plan or to retry what failed: everything that can be refused is
// refused here, before anything runs.
import { type LayerSettings, resolveSettings, type SettingsLayer } from '../../config.ts'
import type { Event, Fact } from '../../event.ts'
import { readRef } from '../../git/engine/ref-file.ts'
import { runBranch } from '../../git/engine/refs.ts'
import type { EngineRepository } from '../../git/engine/repository.ts'
import { moveBranch } from '../../git/landing/merge-onto.ts'
import { objectInfo } from '../../git/run/read-objects.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { readStatus } from '../../process/supervise/exit.ts'
import { goesOn } from '../../process/supervise/supervise.ts'
import { reopen } from '../../scheduler/apply/reopen.ts'
import type { RunState } from '../../scheduler/state.ts'
import { isResumable } from '../../scheduler/view.ts'
import type { RunSummary } from '../../status.ts'
import type { Plan } from '../../task.ts'
import { type LockedWorkspace, lockWorkspace } from '../../workspace/lock.ts'
import { keptTemplates } from '../../workspace/prompt-templates.ts'
import { attemptFolder, newestIteration } from '../../workspace/state-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { Learner } from '../expertise/learner.ts'
import { doneSince, nextStepOf } from '../history/landed-tasks.ts'
import { keepOrigin, keptOrigin } from '../plan-file/kept-origin.ts'
import { catchUp } from '../run/feed-learner.ts'
import type { Run } from '../run/run.ts'
import { outOfSight } from './attempts-in-other-pid-namespace.ts'
import { checkPlan, type MakeRunner, type OpenRun } from './check-before-run.ts'
import { withEstimates } from './estimates.ts'
import { limitsOf } from './limits-from-settings.ts'
import { PLAN_LIMITS_NOTE, type PlanLimits } from './limits-in-plan.ts'
import { endOrphans, firstEvents, makeRun, othersAtWork } from './make-run.ts'
import { lackingNeeds } from './needs-missing-on-branch.ts'
import { planByJournal, stateFromJournal } from './replay-journal.ts'
import { droppedFor, ONLY_AGENT, replanning } from './take-over-changed-plan.ts'
import { tasksToReopen } from './tasks-to-retry.ts'

export type ResumeRun = {
  /** By default the newest run that has something left to do; with `again` the newest. */
  run?: string | undefined
  /** What is to be different from now on: concurrency, the agent's command, … */
  changes?: SettingsLayer[] | undefined
  /** The plan as it is now: what has not begun yet is taken over from it. */
  replan?: Plan | undefined
  /** What its file says of the run as a whole; what of it is new has to be among the changes. */
  planLimits?: PlanLimits | undefined
  /** What the file of that plan says. */
  origin?: OpenRun['origin']
  /** By task of that plan: what it needs and its file calls done. Refused where that is not on the branch of the run. */
  doneNeeds?: ReadonlyMap<string, readonly string[]> | undefined
  /** Tasks that did not succeed and are to be tried again, with what they block. The run may be over. */
  again?: 'all' | readonly string[] | undefined
  environment?: NodeJS.ProcessEnv | undefined
  runner?: MakeRunner | undefined
}

/** The same run again, from its journal. What goes on under supervisors is taken over. */
export async function resumeRun(workspace: Workspace, options: ResumeRun = {}): Promise<Result<Run>> {
  return lockWorkspace(workspace, async (locked) => {
    const runs = await locked.store.runs()
    const id = options.run ?? runs.find((run) => run.resumable || options.again !== undefined)?.run
    if (id === undefined) return refuse(await noneToResume(locked, runs[0]))
    const unfinished = await othersAtWork(locked, id)
    if (unfinished) return refuse(unfinished)
    const run = await locked.store.run(id, { grown: false })
    if (!run) return refuse(`there is no run ${id}: \`espalier status --all\` lists those there are`)
    const events = await locked.store.events(id)
    const currentPlan = planByJournal(run.plan, events)
    const before = { ...run.settings, ...lastGiven(events) }
    const { settings } = resolveSettings([{ from: 'run', settings: before }, ...(options.changes ?? [])])
    const problems = checkPlan(options.replan ?? currentPlan, settings, options.environment)
    if (problems.length > 0) return { ok: false, problems }
    const first = events[0]
    if (first?.type !== 'run.started') return refuse(`run ${id} never started: run its plan again`)
    const workOf = (task: string, attempt: number) =>
      newestIteration(attemptFolder(locked.folder, id, task, attempt)).work
    const hidden = outOfSight(locked.folder, id, events)
    if (hidden !== null) return refuse(hidden)
    const replayed = stateFromJournal(run.plan, first.limits, events, {
      workEnd: (task, attempt) => readStatus(workOf(task, attempt))?.endedAt ?? null,
      goesOn: (task, attempt) => goesOn(workOf(task, attempt)),
      now: Date.now(),
    })
    const lost = await branchLost(locked.engine, id, replayed.state.head)
    if (lost !== null) return refuse(lost)
    const ofRun = { store: locked.store, run: id, top: locked.user.top }
    const kept = await keptOrigin(locked.store, id)
    const since = await doneSince(locked.store, { ...ofRun, startedAt: replayed.state.startedAt })
    const wanted = options.again
    if (wanted && run.plan.search)
      return refuse(`run ${id} is a search: what failed in it has been decided about; start the search again`)
    const reopening = { run: id, since, mayBeNone: options.replan !== undefined }
    const reopened = wanted ? tasksToReopen(replayed.state, { ...reopening, wanted }) : ok(null)
    if (!reopened.ok) return reopened
    const again = reopened.value
    if (options.origin && options.doneNeeds) {
      const { origin, doneNeeds } = options
      const plans = [run.plan, currentPlan]
      const lacking = lackingNeeds(replayed.state, { run: id, origin, doneNeeds, since, again, plans, kept })
      if (lacking.length > 0) return refuse(...lacking)
    }
    if (!again && !isResumable(replayed.state)) {
      const retrying = tasksToReopen(replayed.state, { run: id, since, wanted: 'all', mayBeNone: false })
      return refuse(overAlready(replayed.state, id, retrying.ok))
    }
    if (again) reopen(replayed.state, again)
    replayed.state.changed.clear()
    const templates = await keptTemplates(locked.store, id)
    if (!templates.ok) return templates
    const orphansEnded = await endOrphans(locked, settings, { id, state: replayed.state })
    const learner = await Learner.open(locked.store, settings)
    const written = options.replan && withEstimates(options.replan, learner)
    const { plan, facts, tooLate } = replanning(replayed.state, {
      now: currentPlan,
      next: written ?? null,
      again,
      done: new Set(options.origin?.done?.map(({ task }) => task)),
    })
    // Before the journal has the tasks that were added: an engine that takes over could not write how they stand.
    const origin = options.origin ? await keepOrigin(ofRun, options.origin, tooLate) : kept
    const named = options.replan && options.changes?.findLast((layer) => layer.settings.agent != null)
    if (named) await locked.store.putNote(id, ONLY_AGENT, named.settings.agent)
    if (options.replan && options.planLimits) await locked.store.putNote(id, PLAN_LIMITS_NOTE, options.planLimits)
    const dropped = droppedFor(replayed.state, plan, since, again ?? [])
    const news: Fact[] = [...facts, ...dropped, { type: 'run.resumed', limits: limitsOf(settings) }]
    const state = await firstEvents(locked, id, { plan, state: replayed.state, seq: events.length }, news)
    if (!state.ok) return state
    const seq = events.length + news.length
    const { environment, runner } = options
    const past = await locked.store.events(id, events.length)
    const all = { ...replayed, state: state.value, past: [...events, ...past] }
    const { store } = locked
    await catchUp(learner, { id, settings, environment: environment ?? process.env, store, plan: run.plan, events })
    const opening = { id, plan, replayed: all, seq, settings, templates: templates.value, learner, origin }
    return ok(
      await makeRun(workspace, locked, { ...opening, environment, runner, orphansEnded, planFile: run.planFile }),
    )
  })
}

/**
 * An engine's repository that was removed is made anew, and the branch of the run with it: what has landed is in the user's
 * repository too, mostly. Null: the branch is there.
 */
async function branchLost(engine: EngineRepository, run: string, head: string): Promise<string | null> {
  if (readRef(engine, runBranch(run)) !== null) return null
  if ((await objectInfo(engine, head))?.type === 'commit') {
    await moveBranch(engine, { ref: runBranch(run), to: head, from: null })
    return null
  }
  return `${engine.gitDir} was removed, and with it ${head.slice(0, 12)}, the newest commit of run ${run}: what had landed before may be on ${runBranch(run).replace('refs/heads/', '')} of your repository. Put the folder back, or run the plan again`
}

async function noneToResume(locked: LockedWorkspace, newest: RunSummary | undefined): Promise<string> {
  if (!newest) return 'there is no run to resume'
  const way = (await nextStepOf(locked.store, newest))?.kind === 'retry' ? wayToRetry(newest.run) : ''
  return `there is no run to resume. The newest, ${newest.run}, has finished (${newest.status})${way}`
}

function overAlready({ finished }: RunState, id: string, canRetry: boolean): string {
  return `run ${id} has finished (${finished}): nothing left to resume${canRetry ? wayToRetry(id) : ''}`
}

function wayToRetry(id: string): string {
  return `; \`espalier retry --run ${id}\` retries what did not succeed`
}

/** What was given when the run was resumed stays: a budget would be used up again at once without it. */
function lastGiven(
  events: readonly Event[],
): Pick<LayerSettings, 'budgetUsd' | 'onBudget' | 'timeoutMs' | 'retries' | 'maxConcurrency'> {
  const isGiven = (event: Event) => (event.type === 'slots.changed' && !event.why) || event.type === 'run.resumed'
  const slots = events.findLast(isGiven)
  const changed = slots?.type === 'slots.changed' ? { maxConcurrency: slots.slots } : {}
  const last = events.findLast((event) => event.type === 'run.resumed')
  if (!last) return changed
  const { budget, timeoutMs, retries, slots: maxConcurrency } = last.limits
  return { budgetUsd: budget.usd, onBudget: budget.onReached, timeoutMs, retries, maxConcurrency, ...changed }
}
