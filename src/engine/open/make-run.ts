// What opening and resuming a run have in common: no agents of another run may be at work, what earlier attempts left is ended,
// the first events are written, and the `Run` is made.
import { onlyLocal } from '../../attempt/attempt.ts'
import type { Settings } from '../../config.ts'
import type { Event, Fact } from '../../event.ts'
import { listIncluded } from '../../git/user/included-files.ts'
import { publish } from '../../git/user/publish.ts'
import { publishWork } from '../../git/user/publish-work.ts'
import { builtFacts } from '../../landing/build.ts'
import { landAgain, landBatch, landItems } from '../../landing/land.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { Templates } from '../../prompts/templates.ts'
import { apply } from '../../scheduler/apply/apply.ts'
import type { RunState } from '../../scheduler/state.ts'
import { runSummary, taskView } from '../../scheduler/view.ts'
import type { Plan } from '../../task.ts'
import type { PlanOrigin } from '../../workloads/formats/status/plan-origin.ts'
import { SearchGrowth } from '../../workloads/search/growth.ts'
import type { LockedWorkspace } from '../../workspace/lock.ts'
import { attemptToken } from '../../workspace/state-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Learner } from '../expertise/learner.ts'
import { planFilesIn } from '../plan-file/kept-origin.ts'
import { PlanFileStatus, planFileOnBranch } from '../plan-file/plan-file-status.ts'
import { Publisher } from '../run/publish-to-user-repository.ts'
import { Run } from '../run/run.ts'
import { takenOverText } from '../run/run-result.ts'
import { endLeftoversBut } from '../upkeep/leftover-processes.ts'
import { checkPlan, type MakeRunner } from './check-before-run.ts'
import { withEstimates } from './estimates.ts'
import type { Replayed } from './replay-journal.ts'

/** Agents of a killed run have their work in worktrees that this run would reset, and nowhere else (I10). */
export async function othersAtWork({ store }: LockedWorkspace, id: string | null): Promise<string | null> {
  const other = (await store.runs()).find((run) => run.resumable && run.counts.running > 0 && run.run !== id)
  if (!other) return null
  const tasks = other.counts.running === 1 ? '1 task' : `${other.counts.running} tasks`
  return `no engine works on run ${other.run}, which was left while ${tasks} ran, and that work is not safe yet: \`espalier resume ${other.run}\` continues it, \`espalier cancel --run ${other.run}\` keeps what there is and ends it`
}

/** Ends what attempts have left running that are over by the journal: it may write into worktrees. Returns how many. */
export async function endOrphans(
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

type Opened = {
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

export async function makeRun(workspace: Workspace, locked: LockedWorkspace, opening: Opened): Promise<Run> {
  const { id, plan, replayed, seq, settings, templates, environment, orphansEnded } = opening
  const { engine, user } = locked
  const { state } = replayed
  const { conflict, merge, signoff } = settings.landing
  const include = await listIncluded(user)
  const machine = { engine, folder: locked.folder, environment: environment ?? process.env, include }
  const form = { merge, signOff: (signoff ?? user.signsOff) ? user.identity : null }
  const batch = { engine, run: id, conflict, form }
  const ofRun = {
    store: locked.store,
    run: id,
    isTask: (task: string) => state.graph.taskIndex.has(task),
    onBranch: (path: string) => planFileOnBranch(engine, state, path),
  }
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
    planFiles: await planFilesIn(user.top, opening.origin, settings),
    planFileStatus: settings.writeBack ? await PlanFileStatus.open(ofRun, opening.origin) : null,
    search,
  })
  if (search) run.growBy((now) => search.next(now))
  return run
}

export async function firstEvents(
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
