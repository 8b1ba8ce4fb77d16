// Opening a run: everything that can be refused is refused here, before anything runs.
import { randomInt } from 'node:crypto'
import { onlyLocal } from '../../attempt/attempt.ts'
import { type LayerSettings, resolveSettings, type Settings, type SettingsLayer } from '../../config.ts'
import type { Event, Fact, Limits } from '../../event.ts'
import { runsWithRefs } from '../../git/engine/inventory.ts'
import { readRef } from '../../git/engine/ref-file.ts'
import { runBranch } from '../../git/engine/refs.ts'
import type { EngineRepository } from '../../git/engine/repository.ts'
import { moveBranch } from '../../git/landing/merge-onto.ts'
import { objectInfo } from '../../git/run/read-objects.ts'
import { useGitRunner } from '../../git/run/runner.ts'
import { prepareAhead } from '../../git/slots/pool.ts'
import { listIncluded } from '../../git/user/included-files.ts'
import { publish, reserveRun } from '../../git/user/publish.ts'
import { publishWork, runsInUser } from '../../git/user/publish-work.ts'
import { builtFacts } from '../../landing/build.ts'
import { landAgain, landBatch, landItems } from '../../landing/land.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { readStatus } from '../../process/supervise/exit.ts'
import { goesOn } from '../../process/supervise/supervise.ts'
import type { Templates } from '../../prompts/templates.ts'
import { apply } from '../../scheduler/apply/apply.ts'
import { reopen } from '../../scheduler/apply/reopen.ts'
import { emptyState, indexOf, type RunState, TERMINAL } from '../../scheduler/state.ts'
import { isResumable, runSummary, taskView } from '../../scheduler/view.ts'
import type { RunSummary, TaskView } from '../../status.ts'
import { storeName } from '../../store/open.ts'
import type { Plan } from '../../task.ts'
import type { PlanOrigin } from '../../workloads/formats/write-back/plan-file-at-start.ts'
import { SearchGrowth } from '../../workloads/search/growth.ts'
import { type LockedWorkspace, lockWorkspace } from '../../workspace/lock.ts'
import { keepTemplates, keptTemplates } from '../../workspace/prompt-templates.ts'
import { attemptFolder, attemptToken, newestIteration } from '../../workspace/state-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { Learner } from '../expertise/learner.ts'
import { doneSince, endedByOthers, nextStepOf } from '../history/other-runs.ts'
import { withRenamed } from '../plan-file/find-renamed-plan-files.ts'
import { keepOrigin, keepWordsLeft, keptOrigin, planFilesIn } from '../plan-file/keep-plan-file-at-start.ts'
import { PlanFileWatch } from '../plan-file/notice-settled-by-others.ts'
import { WriteBack } from '../plan-file/write-back.ts'
import { catchUp } from '../run/feed-learner.ts'
import { Publisher } from '../run/publish-run-branch.ts'
import { Run } from '../run/run.ts'
import { takenOverText } from '../run/run-result.ts'
import { endLeftoversBut } from '../upkeep/leftover-processes.ts'
import { checkPlan, checkUnlanded, lookBefore, type MakeRunner, type OpenRun } from './check-before-run.ts'
import { withEstimates } from './estimates.ts'
import { PLAN_LIMITS_NOTE, type PlanLimits } from './limits-in-plan.ts'
import { lackingNeeds } from './needs-missing-on-branch.ts'
import { outOfSight } from './out-of-sight.ts'
import { droppedFor, ONLY_AGENT, replanning } from './replan.ts'
import { planByJournal, type Replayed, stateFromJournal } from './replay-journal.ts'
import { tasksToReopen } from './tasks-to-retry.ts'

/** Takes the lock, pins the base, writes the first event. Nothing runs yet: see `Run.execute`. */
export async function openRun(workspace: Workspace, options: OpenRun): Promise<Result<Run>> {
  const { settings } = options
  // Asked for before it is of use: it takes as long to start as looking at the repository does.
  using _runner = useGitRunner()
  const found = await lookBefore(workspace, options)
  if (!found.ok) return found
  const { user, base, prompts } = found.value
  const shown = runsInUser({ user })
  shown.catch(() => {}) // whoever waits for it gets the failure; nobody may, where something is refused before
  const open = async (locked: LockedWorkspace): Promise<Result<Run>> => {
    const unfinished = await othersAtWork(locked, null)
    if (unfinished) return refuse(unfinished)
    const firstOnes = options.plan.tasks.filter(({ needs }) => needs.length === 0).length
    const ahead = prepareAhead(locked.engine, base, Math.min(firstOnes, limitsOf(settings).slots))
    const opened = await openLocked({ ...locked, resources: after(ahead, locked.resources) })
    if (!opened.ok) await ahead
    return opened
  }
  const openLocked = async (locked: LockedWorkspace): Promise<Result<Run>> => {
    const unlanded = await checkUnlanded(locked, options, base)
    if (unlanded.length > 0) return refuse(...unlanded)
    const learner = await Learner.open(locked.store, settings)
    const plan = withEstimates(options.plan, learner)
    const [id, orphansEnded] = await Promise.all([
      newRunId(plan.name, locked, base, shown),
      endOrphans(locked, settings, null),
    ])
    const branch = runBranch(id).replace('refs/heads/', '')
    await locked.store.createRun({
      id,
      name: plan.name,
      repo: locked.user.top,
      planFile: options.planFile ?? null,
      createdAt: Date.now(),
      plan,
      settings: { ...settings, store: settings.store && storeName(settings.store) },
    })
    await keepTemplates(locked.store, id, prompts.own)
    if (options.onlyAgent) await locked.store.putNote(id, ONLY_AGENT, options.onlyAgent)
    if (options.planLimits) await locked.store.putNote(id, PLAN_LIMITS_NOTE, options.planLimits)
    const ofRun = { store: locked.store, run: id, top: locked.user.top }
    const origin = options.origin ? await keepOrigin(ofRun, options.origin) : null
    const [created, published] = await Promise.all([
      moveBranch(locked.engine, { ref: runBranch(id), to: base, from: null }),
      // Nothing of a suite lands: a branch for each would only be in the way.
      options.kind === 'suite' ? NOT_SHOWN : publish(locked.engine, { run: id, base, to: base, isNew: true }),
    ])
    if (created.kind === 'locked')
      return refuse(`the branch of run ${id} could not be made in ${locked.engine.gitDir}: ${created.message}`)
    if (created.kind !== 'moved') throw new Error(`the branch of run ${id} exists already in the engine's repository`)
    if (!published.ok) return refuse(published.message)
    const limits = limitsOf(settings)
    const state = emptyState(plan, limits)
    const seed = randomInt(2 ** 31)
    const kind = options.kind ?? (plan.search ? 'search' : undefined)
    const begun: Fact = { type: 'run.started', ...(kind ? { kind } : {}), base, branch, seed, limits }
    const first = await firstEvents(locked, id, { plan, state, seq: 0 }, [begun])
    if (!first.ok) return first
    const replayed = { state, stoppedAt: new Map<string, number>(), past: null }
    const { environment, runner, planFile = null } = options
    const { templates } = prompts
    const opening = { id, plan, replayed, seq: 1, settings, templates, learner, origin, environment, orphansEnded }
    return ok(await newRun(workspace, locked, { ...opening, runner, planFile }))
  }
  return await lockWorkspace(workspace, open, user)
}

const NOT_SHOWN = { ok: true } as const

/** The lock is not given back while something is still written. */
function after(writing: Promise<void>, resources: AsyncDisposable): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      await writing
      await resources[Symbol.asyncDispose]()
    },
  }
}

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
  origin?: PlanOrigin | null | undefined
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
    const begun = { ...ofRun, startedAt: replayed.state.startedAt }
    const kept = await keptOrigin(locked.store, id)
    const since = await doneSince(locked.store, begun)
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
      const renamed = kept && (await withRenamed(kept))
      const lacking = lackingNeeds(replayed.state, { run: id, origin, doneNeeds, since, again, plans, kept: renamed })
      if (lacking.length > 0) return refuse(...lacking)
    }
    if (!again && !isResumable(replayed.state)) {
      const retrying = tasksToReopen(replayed.state, { run: id, since, wanted: 'all', mayBeNone: false })
      return refuse(overAlready(replayed.state, id, retrying.ok))
    }
    // Before the journal says that they begin anew: an engine that takes over would not know it any more.
    const byOthers = goingOn(replayed.state, await endedByOthers(locked.store, begun), again ?? [])
    await keepWordsLeft(ofRun, viewsOf(replayed.state, again ?? []), byOthers)
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
    const origin = options.origin
      ? await keepOrigin(ofRun, options.origin, tooLate)
      : await keptOrigin(locked.store, id)
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
      await newRun(workspace, locked, { ...opening, environment, runner, orphansEnded, planFile: run.planFile }),
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

function viewsOf(state: RunState, tasks: readonly string[]): TaskView[] {
  return tasks.map((task) => taskView(state, indexOf(state, task)))
}

function goingOn<T>(state: RunState, tasks: ReadonlyMap<string, T>, again: readonly string[]): Map<string, T> {
  const opened = new Set(again)
  const isOver = (task: string) =>
    TERMINAL.has(state.tasks[state.graph.taskIndex.get(task) ?? -1]?.state.status ?? 'pending')
  return new Map([...tasks].filter(([task]) => opened.has(task) || !isOver(task)))
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

/** Agents of a killed run have their work in worktrees that this run would reset, and nowhere else (I10). */
async function othersAtWork({ store }: LockedWorkspace, id: string | null): Promise<string | null> {
  const other = (await store.runs()).find((run) => run.resumable && run.counts.running > 0 && run.run !== id)
  if (!other) return null
  const tasks = other.counts.running === 1 ? '1 task' : `${other.counts.running} tasks`
  return `no engine works on run ${other.run}, which was left while ${tasks} ran, and that work is not safe yet: \`espalier resume ${other.run}\` continues it, \`espalier cancel --run ${other.run}\` keeps what there is and ends it`
}

/** Ends what attempts have left running that are over by the journal: it may write into worktrees. Returns how many. */
async function endOrphans(
  { folder }: LockedWorkspace,
  { graceMs }: Settings,
  resumed: { id: string; state: RunState } | null,
): Promise<number> {
  const goOn = new Set<string>()
  resumed?.state.tasks.forEach(({ state }, index) => {
    const { id = '' } = resumed.state.graph.tasks[index] ?? {}
    if (state.status === 'running') goOn.add(attemptToken(resumed.id, resumed.state.seed, id, state.attempt))
  })
  const ended = await endLeftoversBut(folder, graceMs, goOn)
  return ended.reduce((sum, { processes, survivors }) => sum + processes - survivors.length, 0)
}

type NewRun = {
  id: string
  plan: Plan
  planFile: string | null
  replayed: Replayed & { past: Event[] | null }
  seq: number
  settings: Settings
  templates: Templates
  learner: Learner
  origin: PlanOrigin | null
  environment: NodeJS.ProcessEnv | undefined
  runner: MakeRunner | undefined
  orphansEnded: number
}

async function newRun(workspace: Workspace, locked: LockedWorkspace, opening: NewRun): Promise<Run> {
  const { id, plan, replayed, seq, settings, templates, environment, orphansEnded } = opening
  const { engine, user } = locked
  const { state } = replayed
  const { conflict, merge, signoff } = settings.landing
  const include = await listIncluded(user)
  const machine = { engine, folder: locked.folder, environment: environment ?? process.env, include }
  const form = { merge, signOff: (signoff ?? user.signsOff) ? user.identity : null }
  const batch = { engine, run: id, conflict, form }
  const search = plan.search ? new SearchGrowth(plan.search) : null
  const run = new Run({
    id,
    workspace,
    repo: user.top,
    plan,
    planFile: opening.planFile,
    ...replayed,
    seq,
    orphansEnded,
    store: locked.store,
    resources: locked.resources,
    settings,
    ...machine,
    templates,
    learner: opening.learner,
    runner: (opening.runner ?? onlyLocal)(machine, locked.folder.database),
    prepare: ({ tasks, epics }) => {
      const added = withEstimates({ ...plan, tasks, epics }, opening.learner)
      const problems = checkPlan(added, settings, environment)
      return problems.length > 0 ? { ok: false, problems } : ok({ tasks: added.tasks, epics })
    },
    build: (items, onto) => landAgain(() => builtFacts({ ...batch, items, onto, head: state.head })),
    land: (items, onto) => landAgain(() => landBatch({ ...batch, items, onto, head: onto })),
    move: (items, onto) => landAgain(() => landItems({ engine, run: id, items, onto })),
    publisher: new Publisher({
      head: async (to) => {
        const result = await publish(engine, { run: id, base: state.base, to })
        return result.ok ? null : result.message
      },
      work: (work) => publishWork(engine, id, work),
    }),
    planFiles: settings.writeBack ? await planFilesIn(user.top, opening.origin) : [],
    writeBack: settings.writeBack ? WriteBack.of(opening.origin, (task) => state.graph.taskIndex.has(task)) : null,
    planFileWatch: settings.writeBack ? PlanFileWatch.of(opening.origin, (task) => isWaiting(state, task)) : null,
    search,
  })
  if (search) run.growBy((now) => search.next(now))
  return run
}

function isWaiting(state: RunState, task: string): boolean {
  const record = state.tasks[state.graph.taskIndex.get(task) ?? -1]
  return record?.state.status === 'pending' || record?.state.status === 'ready'
}

async function firstEvents(
  { store, user }: LockedWorkspace,
  run: string,
  { plan, state, seq }: { plan: Plan; state: RunState; seq: number },
  facts: Fact[],
): Promise<Result<RunState>> {
  const events = facts.map((fact, n): Event => ({ ...fact, seq: seq + n + 1, at: Date.now() }))
  const after = events.reduce(apply, state)
  const tasks = [...after.changed].map((index) => taskView(after, index))
  after.changed.clear()
  const summary = runSummary(after, { run, name: plan.name, repo: user.top, enginePid: process.pid })
  const changed = facts.some((fact) => fact.type === 'run.replanned') ? { plan } : {}
  const written = await store.append(run, events, { run: summary, tasks, ...changed })
  return written === 'fenced' ? refuse(takenOverText(run)) : ok(after)
}

export function limitsOf(settings: Settings): Limits {
  const { maxConcurrency, maxPerEpic, schedule, strict, backoff, timeoutMs, retries, onStall, claims } = settings
  const { verify, window, batch, allgreen, reruns } = settings.landing
  const landing = { verify: verify.length > 0, window, batch, allgreen, reruns }
  const budget = { usd: settings.budgetUsd, onReached: settings.onBudget }
  const tasks = { timeoutMs, retries, onStall, claims }
  // The machine says how many more it carries.
  const most = settings.autoConcurrency ? Math.ceil(maxConcurrency / 2) : maxConcurrency
  const slots = settings.workersOnly ? 0 : most
  const labels = settings.labels.length > 0 ? { labels: settings.labels } : {}
  return { slots, ...labels, maxPerEpic, schedule, strict, backoff, ...tasks, landing, budget }
}

/** `checkout-1`: short to type. One that exists nowhere, taken at once: another engine may look for one, too. */
async function newRunId(
  name: string,
  { store, engine }: LockedWorkspace,
  base: string,
  shown: Promise<string[]>,
): Promise<string> {
  const [inUser, inEngine, inStore] = await Promise.all([shown, runsWithRefs(engine), store.runIds()])
  const taken = new Set([...inUser, ...inEngine.map((kept) => kept.run), ...inStore])
  for (let number = 1; ; number++) {
    const id = `${name}-${number}`
    if (!taken.has(id) && (await reserveRun(engine, id, base))) return id
  }
}
