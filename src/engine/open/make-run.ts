// The steps that opening and resuming a run share: ends leftover processes, writes the first events, makes the `Run`.
import { onlyLocal } from '../../attempt/attempt.ts'
import type { Settings } from '../../config.ts'
import type { AddedTasks, Event, Fact } from '../../event.ts'
import { listIncluded } from '../../git/user/included-files.ts'
import { Landing } from '../../landing/landing.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { apply } from '../../scheduler/apply/apply.ts'
import type { RunState } from '../../scheduler/state.ts'
import { runSummary } from '../../scheduler/view.ts'
import type { Plan } from '../../task.ts'
import type { PlanFileTasks } from '../../workloads/formats/status/plan-file-tasks.ts'
import { SearchGrowth } from '../../workloads/search/growth.ts'
import type { LockedWorkspace } from '../../workspace/lock.ts'
import { attemptToken } from '../../workspace/state-folder.ts'
import { planFilesIn } from '../plan-file/kept-tasks.ts'
import { PlanFileStatus, planFilesOnBranch } from '../plan-file/plan-file-status.ts'
import { Growth } from '../run/added-tasks.ts'
import { Journal, takenOverText } from '../run/journal.ts'
import { Run } from '../run/run.ts'
import type { RunContext } from '../run/run-context.ts'
import { endLeftoversBut } from '../upkeep/leftover-processes.ts'
import { checkPlan, type MakeRunner } from './check-before-run.ts'
import { withEstimates } from './estimates.ts'

/** Ends processes of attempts that are over by the journal: they may write into worktrees. Returns how many. */
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

type Opening = Omit<
  RunContext,
  'locked' | 'machine' | 'runner' | 'landing' | 'growth' | 'planFiles' | 'planFileStatus'
> & {
  plan: Plan
  origin: PlanFileTasks | null
  environment: NodeJS.ProcessEnv | undefined
  runner: MakeRunner | undefined
  orphansEnded: number
}

export async function makeRun(locked: LockedWorkspace, opening: Opening): Promise<Run> {
  const { origin, plan, environment, runner: makeRunner, orphansEnded, ...given } = opening
  const { id, state, settings } = given
  const { engine, user, folder, store } = locked
  const machine = { engine, folder, environment: environment ?? process.env, include: await listIncluded(user) }
  const runner = (makeRunner ?? onlyLocal)(machine, folder.database)
  const search = plan.search ? new SearchGrowth(plan.search) : null
  const ofRun = {
    ...{ store, run: id, settings },
    isTask: (task: string) => state.graph.taskIndex.has(task),
    onBranch: planFilesOnBranch(engine, state),
  }
  return new Run(
    {
      ...given,
      ...{ locked, machine, runner },
      landing: new Landing({ id, state, settings, machine, runner, store, search }),
      growth: new Growth({ id, state, prepare: (added) => prepared(added, opening) }, plan, search),
      planFiles: await planFilesIn(user.top, origin, settings),
      planFileStatus: await PlanFileStatus.open(ofRun, origin),
    },
    orphansEnded,
  )
}

function prepared({ tasks, epics }: AddedTasks, { plan, settings, environment, learner }: Opening): Result<AddedTasks> {
  const added = withEstimates({ ...plan, tasks, epics }, learner)
  const problems = checkPlan(added, settings, environment)
  return problems.length > 0 ? { ok: false, problems } : ok({ tasks: added.tasks, epics })
}

/** The journal of a run with the first facts of this engine, and the state after them. */
export async function beginJournal(
  locked: LockedWorkspace,
  { id, plan, state, past }: { id: string; plan: Plan; state: RunState; past: Event[] | null },
  facts: Fact[],
): Promise<Result<{ journal: Journal; state: RunState }>> {
  const journal = new Journal(locked, id, past)
  const events = facts.map((fact) => journal.event(fact, Date.now()))
  const after = events.reduce(apply, state)
  const summary = runSummary(after, { run: id, name: plan.name, repo: locked.user.top, enginePid: process.pid })
  const written = await journal.append(after, events, summary)
  return written === 'fenced' || written === 'removed' ? refuse(takenOverText(id)) : ok({ journal, state: after })
}
