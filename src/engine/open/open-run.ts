// Opening a run: every refusal comes before anything runs.
import { randomInt } from 'node:crypto'
import { Resources } from '../../async/resources.ts'
import { onlyLocal } from '../../attempt/attempt.ts'
import type { Settings } from '../../config.ts'
import type { AddedTasks, Event, Fact } from '../../event.ts'
import { runsWithRefs } from '../../git/engine/inventory.ts'
import { runBranch } from '../../git/engine/ref-names.ts'
import { moveBranch } from '../../git/landing/merge-onto.ts'
import { useGitRunner } from '../../git/run/runner-client.ts'
import { prepareAhead } from '../../git/slots/prepare-slot.ts'
import { listIncluded } from '../../git/user/included-files.ts'
import { publish, reserveRun, runsInUser } from '../../git/user/publish.ts'
import { Landing } from '../../landing/landing.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { secretValues } from '../../process/secrets.ts'
import { apply } from '../../scheduler/apply/apply.ts'
import { emptyState, type RunState } from '../../scheduler/state.ts'
import { runSummary } from '../../scheduler/view.ts'
import { storeName } from '../../store/place.ts'
import type { Plan } from '../../task.ts'
import type { PlanFileTasks } from '../../workloads/formats/status/plan-file-tasks.ts'
import { SearchGrowth } from '../../workloads/search/run-growth.ts'
import { type LockedWorkspace, lockWorkspace } from '../../workspace/lock.ts'
import { keepTemplates } from '../../workspace/prompt-templates.ts'
import { attemptFolder, attemptToken } from '../../workspace/state-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { Learner } from '../expertise/learner.ts'
import { PlanFileStatus, planFilesOnBranch } from '../plan-file/plan-file-status.ts'
import { planFilesIn, saveOrigin } from '../plan-file/saved-tasks.ts'
import { Clock } from '../run/clock.ts'
import { journalOf, takenOverText } from '../run/journal.ts'
import { Run } from '../run/run.ts'
import type { RunContext } from '../run/run-context.ts'
import { Growth } from '../run/run-growth.ts'
import { endLeftoversBut, recordedToken } from '../upkeep/leftovers-of-killed-engine.ts'
import { checkPlan, type OpenRun } from './check-before-run.ts'
import { withEstimates } from './estimates.ts'
import { type RunStart, refusalsUnderLock, runStart } from './inspect-before-run.ts'
import { limitsOf, PLAN_LIMITS_NOTE } from './limits.ts'
import { ONLY_AGENT } from './take-over-changed-plan.ts'

/**
 * Takes the lock, pins the base, writes the first event. Nothing runs yet: see `Run.execute`. `inspected`: the result of an
 * `inspectBeforeRun` just now.
 */
export async function openRun(
  workspace: Workspace,
  options: OpenRun,
  inspected: RunStart | null = null,
): Promise<Result<Run>> {
  const { settings } = options
  // Started early: its start takes as long as looking at the repository.
  using _runner = useGitRunner()
  const start = inspected ? ok(inspected) : await runStart(workspace, options)
  if (!start.ok) return start
  const { user, base } = start.value
  const shown = runsInUser({ user })
  shown.catch(() => {}) // whoever waits for it gets the failure; nobody may, where something is refused before
  const open = async (locked: LockedWorkspace): Promise<Result<Run>> => {
    const refusals = await refusalsUnderLock(locked, options, start.value)
    if (refusals.length > 0) return refuse(...refusals)
    const firstOnes = options.plan.tasks.filter(({ needs }) => needs.length === 0).length
    const ahead = prepareAhead(locked.engine, base, Math.min(firstOnes, limitsOf(settings).slots))
    // Keeps the lock until the worktrees that are being prepared are written.
    const resources = new Resources()
    resources.use(locked.resources)
    resources.use({ [Symbol.asyncDispose]: () => ahead })
    const opened = await openLocked({ ...locked, resources }, options, start.value, shown)
    if (!opened.ok) await ahead
    return opened
  }
  return await lockWorkspace(workspace, open, user)
}

async function openLocked(
  locked: LockedWorkspace,
  options: OpenRun,
  { base, prompts }: RunStart,
  shown: Promise<string[]>,
): Promise<Result<Run>> {
  const { settings, environment, runner, planFile = null } = options
  const learner = await Learner.open(locked.store, settings)
  const plan = withEstimates(options.plan, learner)
  const [id, orphansEnded] = await Promise.all([
    newRunId(plan.name, locked, base, shown),
    endOrphans(locked, settings, null),
  ])
  const origin = await keepRun(locked, id, plan, options)
  await keepTemplates(locked.store, id, prompts.own)
  const trouble = await makeBranch(locked, id, base, options)
  if (trouble !== null) return refuse(trouble)
  const limits = limitsOf(settings)
  const kind = options.kind ?? (plan.search ? 'search' : undefined)
  const branch = runBranch(id).replace('refs/heads/', '')
  const seed = randomInt(2 ** 31)
  const begun: Fact = { type: 'run.started', ...(kind ? { kind } : {}), base, branch, seed, limits }
  return makeRun(locked, {
    ...{ id, plan, state: emptyState(plan, limits), past: null, facts: [begun] },
    ...{ planFile, settings, templates: prompts.templates, learner, origin, environment, runner, orphansEnded },
  })
}

async function keepRun(
  { store, user }: LockedWorkspace,
  id: string,
  plan: Plan,
  options: OpenRun,
): Promise<PlanFileTasks | null> {
  const { settings, planFile = null, onlyAgent, planLimits, origin } = options
  const kept = { ...settings, store: settings.store && storeName(settings.store) }
  await store.createRun({ id, name: plan.name, repo: user.top, planFile, createdAt: Date.now(), plan, settings: kept })
  if (onlyAgent) await store.putNote(id, ONLY_AGENT, onlyAgent)
  if (planLimits) await store.putNote(id, PLAN_LIMITS_NOTE, planLimits)
  return origin ? saveOrigin({ store, run: id, top: user.top }, origin) : null
}

/** Why the branch of the run could not be made, here or in the user's repository; null: it was made. */
async function makeBranch(
  { engine }: LockedWorkspace,
  run: string,
  base: string,
  { kind }: OpenRun,
): Promise<string | null> {
  const [created, published] = await Promise.all([
    moveBranch(engine, { ref: runBranch(run), to: base, from: null }),
    // Nothing of a suite lands, so it needs no visible branch.
    kind === 'suite' ? NOT_SHOWN : publish(engine, { run, base, to: base, isNew: true }),
  ])
  if (created.kind === 'locked')
    return `the branch of run ${run} could not be made in ${engine.gitDir}: ${created.message}`
  if (created.kind !== 'moved') throw new Error(`the branch of run ${run} exists already in the engine's repository`)
  return published.ok ? null : published.message
}

const NOT_SHOWN = { ok: true } as const

/** `checkout-1`: short to type. Unused everywhere, and reserved at once: another engine may look for one, too. */
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

/**
 * Ends processes of attempts that are over by the journal, or whose folder is gone, so that nobody can adopt them and they start
 * again (I2): they may write into worktrees. Returns how many.
 */
export async function endOrphans(
  { folder }: LockedWorkspace,
  { graceMs }: Settings,
  resumed: { id: string; state: RunState } | null,
): Promise<number> {
  const goOn = new Set<string>()
  resumed?.state.tasks.forEach(({ state }, index) => {
    const { id = '' } = resumed.state.graph.tasks[index] ?? {}
    if (state.status !== 'running') return
    const token = attemptToken(resumed.id, resumed.state.seed, id, state.attempt)
    if (recordedToken(attemptFolder(folder, resumed.id, id, state.attempt).root) === token) goOn.add(token)
  })
  const ended = await endLeftoversBut(folder, graceMs, goOn)
  return ended.reduce((sum, { processes, survivors }) => sum + processes - survivors.length, 0)
}

type Opening = Pick<RunContext, 'id' | 'state' | 'settings' | 'templates' | 'learner'> &
  Pick<OpenRun, 'environment' | 'runner'> & {
    plan: Plan
    planFile: string | null
    origin: PlanFileTasks | null
    /** Events of earlier engines; null: the run is new. */
    past: Event[] | null
    facts: Fact[]
    orphansEnded: number
  }

/** Writes the first facts of this engine and makes the `Run`, for a new run and for one that is resumed. */
export async function makeRun(locked: LockedWorkspace, opening: Opening): Promise<Result<Run>> {
  const { id, plan, settings, templates, learner, planFile, origin, past, facts, orphansEnded } = opening
  const { environment = process.env, runner: makeRunner = onlyLocal } = opening
  const { engine, user, folder, store } = locked
  const journal = journalOf(locked, id, past)
  const events = facts.map((fact) => journal.event(fact, Date.now()))
  const state = events.reduce(apply, opening.state)
  const summary = runSummary(state, { run: id, name: plan.name, repo: user.top, enginePid: process.pid })
  const written = await journal.append(state, events, summary)
  if (written === 'fenced' || written === 'removed') return refuse(takenOverText(id))
  const machine = { engine, folder, environment, include: await listIncluded(user) }
  const runner = makeRunner(machine, folder.database)
  const search = plan.search ? new SearchGrowth(plan.search) : null
  const prepare = ({ tasks, epics }: AddedTasks): Result<AddedTasks> => {
    const added = withEstimates({ ...plan, tasks, epics }, learner)
    const problems = checkPlan(added, settings, environment)
    return problems.length > 0 ? { ok: false, problems } : ok({ tasks: added.tasks, epics })
  }
  const ofRun = {
    ...{ store, run: id, settings },
    isTask: (task: string) => state.graph.taskIndex.has(task),
    onBranch: planFilesOnBranch(engine, state),
  }
  const context: RunContext = {
    ...{ id, state, settings, locked, machine, journal, runner, templates, learner },
    ...{ clock: new Clock(state), secrets: secretValues(environment) },
    landing: new Landing({ id, state, settings, machine, runner, store, search }),
    growth: new Growth({ id, state, prepare }, plan, search),
    planFile: {
      path: planFile,
      inRepository: await planFilesIn(user.top, origin, settings),
      status: await PlanFileStatus.open(ofRun, origin),
    },
  }
  return ok(new Run(context, orphansEnded))
}
