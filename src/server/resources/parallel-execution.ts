// `parallel/` of document 001 (4.7, 4.9), with its names and shapes: a project has one run at work.
import * as z from 'zod'
import { requestCancel } from '../../engine/requests/change-run.ts'
import { batchesOfPlan, batchResult, endOf } from '../../engine/run/batch-progress-events.ts'
import { mapped, ok } from '../../problem.ts'
import type { Plan } from '../../task.ts'
import type { RunView, TaskView } from '../../view.ts'
import { listRuns, readPlanOf, readRun } from '../../workspace/read-runs.ts'
import { planWords } from '../engines/plan-argument.ts'
import { startEngine } from '../engines/start.ts'
import { type Reply, refusal } from './refusal.ts'
import { type Call, projectOf, projectRoute, routesOf } from './route.ts'
import { OF_PROJECT, planInput, slots, whole } from './shared-inputs.ts'

const seconds = z.number().describe('seconds')

const batch = z.object({
  batch_number: z.number().int().describe('from 0'),
  task_ids: z.array(z.string()),
  status: z.enum(['pending', 'running', 'completed', 'failed']),
  total: z.number(),
  completed: z.number(),
  failed: z.array(z.object({ task_id: z.string(), error: z.string() })),
  duration: seconds,
  cost: z.number().describe('US dollars'),
})
type Batch = z.infer<typeof batch>

/** Makes routes of the newest run of a project. */
const newestRoute = routesOf(OF_PROJECT, newestRun)

export const parallelRoutes = {
  'parallel.start': projectRoute({
    scope: 'run',
    summary: 'Start parallel execution of the plan of a project, batch by batch',
    input: { max_concurrency: slots.default(3), plan: planInput },
    answer: z.object({ run: z.string(), status: z.literal('started'), max_concurrency: z.number() }),
    status: 201,
    large: true,
    handle: async (call) => {
      const { plan, max_concurrency } = call.input
      const settings = { maxConcurrency: max_concurrency, schedule: 'waves' }
      const begun = await startEngine(call, ['run'], settings, await planWords(plan, call))
      return mapped(begun, ({ run }) => ({ run, status: 'started' as const, max_concurrency }))
    },
  }),

  'parallel.status': projectRoute({
    scope: 'read',
    summary: 'What runs now',
    answer: z.object({
      running: z.boolean(),
      active_agents: z.number(),
      agents: z.array(
        z.object({
          task_id: z.string(),
          epic_id: z.string().nullable(),
          model: z.string().nullable(),
          duration: seconds,
        }),
      ),
      max_concurrency: z.number(),
    }),
    handle: async ({ project, workspace }) => {
      const found = await workspace.readViews(null, async (views) => {
        const [newest] = await views.runs(1)
        return newest ? { newest, tasks: [...(await views.tasks(newest.run, 'running')).values()] } : null
      })
      if (!found.ok) return found
      const { newest, tasks = [] } = found.value ?? {}
      const settings = newest ? null : await project.settings()
      return ok({
        running: workspace.engine !== null && newest?.status === 'running',
        active_agents: tasks.length,
        agents: tasks.map(agentOf),
        max_concurrency: newest?.slots ?? (settings?.ok ? settings.value.maxConcurrency : 0),
      })
    },
  }),

  'parallel.cancel': projectRoute({
    scope: 'run',
    summary: 'Cancel all running agents; answers with how many there were',
    answer: z.object({ cancelled: z.number() }),
    handle: async ({ workspace }) => {
      const runs = await listRuns(workspace)
      if (!runs.ok) return runs
      const going = runs.value.find(({ resumable, status }) => resumable && status === 'running')
      if (!going) return ok({ cancelled: 0 })
      const { run, counts } = going
      return mapped(await requestCancel(workspace, { run }), () => ({ cancelled: counts.running }))
    },
  }),

  'parallel.batches': newestRoute({
    scope: 'read',
    summary: 'The batches of the newest run',
    answer: z.object({
      total_batches: z.number(),
      completed_batches: z.number(),
      total_tasks: z.number(),
      completed_tasks: z.number(),
      failed_tasks: batch.shape.failed,
      batch_results: z.array(batch),
      total_duration: seconds,
      total_cost: z.number(),
    }),
    handle: async ({ view, batches }) => {
      return ok({
        total_batches: batches.length,
        completed_batches: batches.filter(({ total, completed, failed }) => completed + failed.length === total).length,
        total_tasks: view.tasks.length,
        completed_tasks: batches.reduce((sum, { completed }) => sum + completed, 0),
        failed_tasks: batches.flatMap(({ failed }) => failed),
        batch_results: batches,
        total_duration: view.durationMs / 1000,
        total_cost: view.usage.costUsd,
      })
    },
  }),

  'parallel.batch': newestRoute({
    scope: 'read',
    summary: 'One of them, counted from 0',
    input: { batch: whole(0, 1e6) },
    answer: batch,
    handle: async ({ view, batches, input: { batch } }) => {
      const found = batches[batch]
      return found ? ok(found) : refusal('not-found', `run ${view.run} has no batch ${batch}`)
    },
  }),
}

function agentOf({ id, epic, history }: TaskView) {
  const last = history.at(-1)
  const model = last?.session?.model ?? last?.choice?.model ?? null
  return { task_id: id, epic_id: epic, model, duration: (Date.now() - (last?.startedAt ?? Date.now())) / 1000 }
}

async function newestRun(call: Call<{ project: string }>): Promise<Reply<{ view: RunView; batches: Batch[] }>> {
  const project = await projectOf(call)
  if (!project.ok) return project
  const { workspace } = project.value
  const found = await readRun(workspace)
  if (!found.ok) return found
  const view = found.value
  if (!view) return refusal('not-found', `project ${call.input.project} has no run yet`)
  return mapped(await readPlanOf(workspace, { run: view.run }), (plan) => {
    return { view, batches: plan ? batchesIn(view, plan) : [] }
  })
}

function batchesIn({ tasks }: RunView, plan: Plan): Batch[] {
  const views = new Map(tasks.map((task) => [task.id, task]))
  return batchesOfPlan(plan).map((ids, number) => {
    const mine = ids.flatMap((id) => views.get(id) ?? [])
    const { status, seconds } = standing(mine)
    return { ...batchResult(number, mine, seconds), task_ids: ids, status, total: ids.length }
  })
}

/** The common status of some tasks. `seconds`: from their first start to their last end, or until now. */
export function standing(tasks: readonly TaskView[]): { status: Batch['status']; seconds: number } {
  const isOver = tasks.every(({ finishedAt }) => finishedAt !== null)
  const starts = tasks.flatMap(({ startedAt }) => startedAt ?? [])
  const ends = tasks.flatMap(({ startedAt, finishedAt }) => finishedAt ?? (startedAt === null ? [] : Date.now()))
  const from = starts.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const seconds = Math.max(0, ends.reduce((a, b) => Math.max(a, b), 0) - from) / 1000
  if (isOver) return { status: tasks.every((task) => endOf(task) === 'completed') ? 'completed' : 'failed', seconds }
  return { status: ends.length === 0 ? 'pending' : 'running', seconds }
}
