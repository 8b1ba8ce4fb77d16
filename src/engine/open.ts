// Opening a run: everything that can be refused is refused here, before anything runs.
import { createHash, randomInt } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { resolveSettings, type Settings, type SettingsLayer } from '../config.ts'
import type { Fact, Limits } from '../event.ts'
import { type EngineRepository, openEngineRepository, removeStaleLocks } from '../git/engine-repository.ts'
import { useGitRunner } from '../git/git-runner.ts'
import { listIncluded } from '../git/included-files.ts'
import { listRuns } from '../git/inventory.ts'
import { moveBranch } from '../git/landing.ts'
import { publish } from '../git/publish.ts'
import { publishWork } from '../git/publish-work.ts'
import { runBranch } from '../git/refs.ts'
import { inspect, listBranches, resolveCommit, type UserRepository } from '../git/user-repository.ts'
import { landUnit } from '../landing/land.ts'
import { ok, type Result, refuse } from '../problem.ts'
import { acquireLock } from '../process/lock.ts'
import { apply } from '../scheduler/apply.ts'
import { emptyState, type RunState } from '../scheduler/state.ts'
import { isResumable, runSummary, taskView } from '../scheduler/view.ts'
import { unlessDamaged } from '../store/sqlite/open.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import type { Plan } from '../task.ts'
import { agentOf, checkAgents } from './agents-of-plan.ts'
import { Publisher } from './publisher.ts'
import { Run } from './run.ts'
import { type StateFolder, stateFolder } from './state-folder.ts'

export type OpenRun = {
  /** Any path inside the checkout. */
  repo: string
  plan: Plan
  settings: Settings
  /** The commit to start from; overrules the plan's. */
  base?: string | undefined
  planFile?: string | undefined
  /** What agents may see a part of; by default this process's environment. */
  environment?: NodeJS.ProcessEnv | undefined
}

/** Takes the lock, pins the base, writes the first event. Nothing runs yet: see `Run.execute`. */
export async function openRun(options: OpenRun): Promise<Result<Run>> {
  const { plan, settings } = options
  const problems = checkAgents(plan, settings)
  if (problems.length > 0) return { ok: false, problems }
  const user = await inspect(options.repo)
  if (!user.ok) return user
  const base = await resolveCommit(user.value, options.base ?? plan.base ?? 'HEAD')
  if (!base.ok) return base
  return withEngine(user.value, settings.stateDir, async (at) => {
    const id = await newRunId(plan.name, at)
    const branch = runBranch(id).replace('refs/heads/', '')
    await at.store.createRun({
      id,
      name: plan.name,
      repo: at.user.top,
      planFile: options.planFile ?? null,
      createdAt: Date.now(),
      plan,
      settings,
    })
    const created = await moveBranch(at.engine, { ref: runBranch(id), to: base.value, from: null })
    if (created.kind !== 'moved') throw new Error(`the branch of run ${id} exists already in the engine's repository`)
    const shown = await publish(at.engine, { run: id, base: base.value, to: base.value })
    if (!shown.ok) return refuse(shown.message)
    const limits = limitsOf(settings)
    const state = emptyState(plan, limits)
    const seed = randomInt(2 ** 31)
    await firstEvent(at, id, plan, state, 0, { type: 'run.started', base: base.value, branch, seed, limits })
    return ok(await newRun(at, id, plan, state, 1, settings, options.environment))
  })
}

export type ResumeRun = {
  repo: string
  /** By default the newest run that has something left to do. */
  run?: string | undefined
  stateDir?: string | null | undefined
  /** What is to be different from now on: concurrency, the agent's command, … */
  changes?: SettingsLayer[] | undefined
  environment?: NodeJS.ProcessEnv | undefined
}

/** The same run again, from its journal. What goes on under supervisors is taken over. */
export async function resumeRun(options: ResumeRun): Promise<Result<Run>> {
  const user = await inspect(options.repo)
  if (!user.ok) return user
  return withEngine(user.value, options.stateDir ?? null, async (at) => {
    const id = options.run ?? (await at.store.runs()).find((run) => run.resumable)?.run
    if (id === undefined) return refuse('there is no run to resume: `espalier status` shows the last one')
    const run = await at.store.run(id)
    if (!run) return refuse(`there is no run ${id}: \`espalier status --all\` lists those there are`)
    const { settings } = resolveSettings([{ from: 'run', settings: run.settings }, ...(options.changes ?? [])])
    const problems = checkAgents(run.plan, settings)
    if (problems.length > 0) return { ok: false, problems }
    const events = await at.store.events(id)
    const first = events[0]
    if (first?.type !== 'run.started') return refuse(`run ${id} never started: run its plan again`)
    const state = events.reduce(apply, emptyState(run.plan, first.limits))
    state.changed.clear()
    if (!isResumable(state)) return refuse(`run ${id} is ${state.finished}: there is nothing left to resume`)
    await removeStaleLocks(at.engine)
    const limits = limitsOf(settings)
    await firstEvent(at, id, run.plan, state, events.length, { type: 'run.resumed', limits })
    return ok(await newRun(at, id, run.plan, state, events.length + 1, settings, options.environment))
  })
}

type Opened = {
  user: UserRepository
  engine: EngineRepository
  folder: StateFolder
  store: Store
  /** The store, the lock and what else is given back when the run is let go. */
  held: AsyncDisposable
}

/** The lock, the store and the engine's repository; all given back if `use` refuses or throws. */
async function withEngine(
  user: UserRepository,
  stateDir: string | null,
  use: (opened: Opened) => Promise<Result<Run>>,
): Promise<Result<Run>> {
  if (user.bare) return refuse(`${user.top} is a bare repository: run espalier in a checkout of it`)
  const folder = stateFolder(user.top, stateDir)
  try {
    await mkdir(folder.runs, { recursive: true, mode: 0o700 })
  } catch (error) {
    const why = (error as Error).message
    return refuse(
      `the state folder ${folder.root} cannot be written (${why}): name another with --state-dir or \`stateDir:\``,
    )
  }
  const locked = await acquireLock(folder.lock, 'engine')
  if (!locked.ok) {
    const who = locked.holder ? ` (process ${locked.holder.pid})` : ''
    return refuse(
      `another espalier is working on this repository${who}: follow it with \`espalier status --watch\`, or stop it with \`espalier cancel\``,
    )
  }
  const gitRunner = useGitRunner()
  const store = openSqliteStore(folder.database)
  const held: AsyncDisposable = {
    async [Symbol.asyncDispose]() {
      gitRunner[Symbol.dispose]()
      if (store.ok) await store.value[Symbol.asyncDispose]()
      await locked.lock[Symbol.asyncDispose]()
    },
  }
  let kept = false
  try {
    if (!store.ok) return store
    const engine = await openEngineRepository(folder.root, user)
    const opened = { user, engine, folder, store: store.value, held }
    const result = await unlessDamaged(folder.database, () => use(opened))
    kept = result.ok
    return result
  } finally {
    if (!kept) await held[Symbol.asyncDispose]()
  }
}

async function newRun(
  at: Opened,
  id: string,
  plan: Plan,
  state: RunState,
  seq: number,
  settings: Settings,
  environment: NodeJS.ProcessEnv | undefined,
): Promise<Run> {
  const { engine, user } = at
  return new Run({
    id,
    repo: user.top,
    plan,
    state,
    seq,
    store: at.store,
    folder: at.folder,
    held: at.held,
    settings,
    environment: environment ?? process.env,
    engine,
    include: await listIncluded(user),
    setupKey: setupKey(settings.setup, state.base),
    agentOf: (task) => agentOf(task, settings),
    land: (tasks, work, onto) => landUnit({ engine, run: id, tasks, work, onto, conflict: settings.landing.conflict }),
    publisher: new Publisher({
      head: async (to) => {
        const result = await publish(engine, { run: id, base: state.base, to })
        return result.ok ? null : result.message
      },
      work: (work) => publishWork(engine, id, work),
    }),
  })
}

async function firstEvent(
  at: Opened,
  run: string,
  plan: Plan,
  state: RunState,
  seq: number,
  fact: Fact,
): Promise<void> {
  const { store, user } = at
  const event = { ...fact, seq: seq + 1, at: Date.now() }
  apply(state, event)
  const tasks = [...state.changed].map((index) => taskView(state, index))
  state.changed.clear()
  const facts = { run, name: plan.name, repo: user.top, enginePid: process.pid }
  await store.append(run, [event], { run: runSummary(state, facts), tasks })
}

export function limitsOf(settings: Settings): Limits {
  const { maxConcurrency, maxPerEpic, schedule, strict, backoff } = settings
  return { slots: maxConcurrency, maxPerEpic, schedule, strict, backoff }
}

/** Setup runs once per worktree and base. */
function setupKey(commands: string[], base: string): string | null {
  if (commands.length === 0) return null
  return createHash('sha256')
    .update(JSON.stringify([commands, base]))
    .digest('hex')
}

/** `checkout-1`, `checkout-2`: short enough to type. Never one that exists anywhere, whoever made it. */
async function newRunId(name: string, { store, user, engine }: Opened): Promise<string> {
  const taken = new Set([
    ...(await listBranches(user, 'espalier/')).map((branch) => branch.name.replace('espalier/', '')),
    ...(await listRuns(engine)).map((kept) => kept.run),
    ...(await store.runIds()),
  ])
  for (let number = 1; ; number++) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`
}
