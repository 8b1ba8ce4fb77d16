// The routes of the requirement documents: the same runs, in their words.
import { requestCancel } from '../../engine/requests/cancel.ts'
import type { Plan } from '../../task.ts'
import type { RunView, TaskView } from '../../view.ts'
import { listRuns, readPlanOf, readRun } from '../../workspace/read-runs.ts'
import { planArgument } from '../engines/plan-argument.ts'
import { startEngine } from '../engines/start.ts'
import { type BatchResult, batchesOfPlan, batchResult } from '../events/batch-events.ts'
import type { Project } from '../projects/projects.ts'
import type { RouteName } from '../protocol/paths.ts'
import { type Handlers, newestRun, withProject } from './call.ts'
import { give, type Reply, refusal, refusedBy } from './reply.ts'
import { parallelTestHandlers } from './test-sessions.ts'

type Names = Extract<RouteName, `${'parallel' | 'parallelTest'}.${string}`>

export const documentHandlers: Handlers<Names> = {
  ...parallelTestHandlers,

  'parallel.start': (call) =>
    withProject(call, async (project) => {
      const { plan, max_concurrency } = call.input
      const file = await planArgument(plan, project.repo, call.context.plansFolder)
      if (!file.ok) return refusedBy(file.problems)
      const named = file.value === null ? [] : ['--', file.value]
      const args = ['run', `--max-concurrency=${max_concurrency}`, '--schedule=waves', ...named]
      const started = await startEngine(project.workspace, args, call.context.environment)
      return started.ok
        ? give({ run: started.value.run, status: 'started', max_concurrency })
        : refusedBy(started.problems)
    }),

  'parallel.status': (call) =>
    withProject(call, async (project) => {
      const newest = await newestRun(project)
      if (!newest.ok) return refusedBy(newest.problems)
      const { run, slots } = newest.value ?? {}
      const settings = slots === undefined ? await project.settings() : null
      const running =
        run === undefined
          ? []
          : await project.workspace.readViews([], async (views) => [...(await views.tasks(run, 'running')).values()])
      const tasks = Array.isArray(running) ? running : running.ok ? running.value : []
      return give({
        running: project.workspace.engine !== null && newest.value?.status === 'running',
        active_agents: tasks.length,
        agents: tasks.map(agentOf),
        max_concurrency: slots ?? (settings?.ok ? settings.value.maxConcurrency : 0),
      })
    }),

  'parallel.cancel': (call) =>
    withProject(call, async ({ workspace }) => {
      const runs = await listRuns(workspace)
      if (!runs.ok) return refusedBy(runs.problems)
      const going = runs.value.find(({ resumable, status }) => resumable && status === 'running')
      if (!going) return give({ cancelled: 0 })
      const cancelled = await requestCancel(workspace, { run: going.run })
      return cancelled.ok ? give({ cancelled: going.counts.running }) : refusedBy(cancelled.problems)
    }),

  'parallel.batches': (call) =>
    withBatches(call, async ({ tasks, durationMs, usage }, batches) =>
      give({
        total_batches: batches.length,
        completed_batches: batches.filter(isOver).length,
        total_tasks: tasks.length,
        completed_tasks: batches.reduce((sum, { completed }) => sum + completed, 0),
        failed_tasks: batches.flatMap(({ failed }) => failed),
        batch_results: batches,
        total_duration: durationMs / 1000,
        total_cost: usage.costUsd,
      }),
    ),

  'parallel.batch': (call) =>
    withBatches(call, async ({ run }, batches) => {
      const batch = batches[call.input.batch]
      return batch ? give(batch) : refusal('not-found', `run ${run} has no batch ${call.input.batch}`)
    }),
}

function agentOf({ id, epic, history }: TaskView) {
  const last = history.at(-1)
  const model = last?.session?.model ?? last?.choice?.model ?? null
  return { task_id: id, epic_id: epic, model, duration: (Date.now() - (last?.startedAt ?? Date.now())) / 1000 }
}

type Batch = BatchResult & { task_ids: string[]; status: string; total: number }

function isOver({ total, completed, failed }: Batch): boolean {
  return completed + failed.length === total
}

/** Of the newest run. */
async function withBatches(
  call: Parameters<typeof withProject>[0],
  use: (view: RunView, batches: Batch[]) => Promise<Reply>,
): Promise<Reply> {
  return withProject(call, async (project: Project) => {
    const found = await readRun(project.workspace)
    if (!found.ok) return refusedBy(found.problems)
    if (!found.value) return refusal('not-found', `project ${project.id} has no run yet`)
    const plan = await readPlanOf(project.workspace, { run: found.value.run })
    if (!plan.ok) return refusedBy(plan.problems)
    return use(found.value, plan.value ? batchesIn(found.value, plan.value) : [])
  })
}

function batchesIn({ tasks }: RunView, plan: Plan): Batch[] {
  const views = new Map(tasks.map((task) => [task.id, task]))
  return batchesOfPlan(plan).map((ids, number) => {
    const mine = ids.flatMap((id) => views.get(id) ?? [])
    const result = batchResult(number, mine, spanOf(mine))
    const begun = mine.some(({ startedAt }) => startedAt !== null)
    const over = result.completed + result.failed.length === ids.length
    const status = over ? (result.failed.length > 0 ? 'failed' : 'completed') : begun ? 'running' : 'pending'
    return { ...result, task_ids: ids, status, total: ids.length }
  })
}

/** In seconds, until now where some of them are not over. */
function spanOf(tasks: readonly TaskView[]): number {
  const starts = tasks.flatMap(({ startedAt }) => startedAt ?? [])
  if (starts.length === 0) return 0
  const end = tasks.reduce(
    (last, { startedAt, finishedAt }) => Math.max(last, finishedAt ?? (startedAt === null ? 0 : Date.now())),
    0,
  )
  return Math.max(0, end - starts.reduce((a, b) => Math.min(a, b))) / 1000
}
