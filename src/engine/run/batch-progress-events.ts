// The events of the requirement documents (`batch_start`, `task_start`, `task_complete`, `batch_complete`), derived from the
// journal of a run, so a client that comes back gets the same ones again.

import type { Event, EventOf } from '../../event.ts'
import { formatProblem } from '../../problem.ts'
import { Waves } from '../../scheduler/dispatch/waves.ts'
import { buildGraph, type Graph } from '../../scheduler/graph.ts'
import { SettledTasks } from '../../scheduler/settled-task-tracker.ts'
import { isDone } from '../../status.ts'
import type { Plan } from '../../task.ts'
import { usageOf } from '../../usage.ts'
import type { TaskView } from '../../view.ts'
import type { Run } from './run.ts'

type BatchEvent =
  | { type: 'batch_start'; batch_number: number; total_batches: number; task_count: number }
  | { type: 'task_start'; task_id: string; epic_id: string | null; model: string | null }
  | { type: 'task_complete'; task_id: string; status: 'completed' | 'failed' | 'cancelled'; cost: number }
  | { type: 'batch_complete'; batch_number: number; result: ReturnType<typeof batchResult> }

/** The batch events of a run of the library, until it ends. Throws if the store cannot be read. */
export async function* batchEvents(run: Run): AsyncGenerator<BatchEvent, void, void> {
  const record = await run.workspace.readViews(null, (views) => views.run(run.id))
  if (!record.ok) throw new Error(record.problems.map(formatProblem).join('\n'))
  if (!record.value) throw new Error(`the store has no run ${run.id} any more`)
  const events = new BatchEvents(record.value.plan)
  for await (const event of run.events()) if ('seq' in event) yield* events.take(event)
}

export class BatchEvents {
  readonly #tasks: SettledTasks
  #graph: Graph | null = null
  #batches: string[][] = []
  #batchOf = new Map<string, number>()
  readonly #begun = new Map<number, number>()

  constructor(plan: Plan) {
    this.#tasks = new SettledTasks(plan)
  }

  /** Takes every event from the first on, in order. */
  take(event: Event): BatchEvent[] {
    const after = this.#tasks.take(event)
    if (!after) return []
    if (this.#graph !== after.state.graph || event.type === 'tasks.added') this.#divide(after.state.graph)
    for (const { id } of after.reopened) this.#begun.delete(this.#batchOf.get(id) ?? -1)
    const started = event.type === 'attempt.started' ? this.#start(event) : []
    const lastOf = new Map(after.settled.map(({ id }) => [this.#batchOf.get(id), id]))
    const ended = after.settled.flatMap((task) => {
      const isLast = lastOf.get(this.#batchOf.get(task.id)) === task.id
      return [...this.#settle(task, event.at), ...(isLast ? this.#endBatch(task.id, event.at) : [])]
    })
    return [...started, ...ended]
  }

  #divide(graph: Graph): void {
    this.#graph = graph
    this.#batches = batchesOf(graph)
    this.#batchOf = new Map(this.#batches.flatMap((tasks, batch) => tasks.map((task) => [task, batch])))
  }

  #start({ task: task_id, choice, at }: EventOf<'attempt.started'>): BatchEvent[] {
    const { task, view } = this.#tasks.find(task_id) ?? {}
    const planned = task?.work.kind === 'prompt' ? task.work.model : null
    const model = choice?.model ?? planned
    return [...this.#beginBatch(task_id, at), { type: 'task_start', task_id, epic_id: view?.epic ?? null, model }]
  }

  #beginBatch(task: string, at: number): BatchEvent[] {
    const batch = this.#batchOf.get(task)
    if (batch === undefined || this.#begun.has(batch)) return []
    this.#begun.set(batch, at)
    const task_count = this.#batches[batch]?.length ?? 0
    return [{ type: 'batch_start', batch_number: batch, total_batches: this.#batches.length, task_count }]
  }

  #settle(task: TaskView, at: number): BatchEvent[] {
    const cost = usageOf(task.history).costUsd
    const complete: BatchEvent = { type: 'task_complete', task_id: task.id, status: endOf(task), cost }
    return [...this.#beginBatch(task.id, at), complete]
  }

  /** Ends a batch once all of its tasks are settled. */
  #endBatch(task: string, at: number): BatchEvent[] {
    const batch = this.#batchOf.get(task) ?? -1
    const tasks = this.#batches[batch] ?? []
    if (tasks.some((one) => !this.#tasks.has(one))) return []
    const views = tasks.flatMap((one) => this.#tasks.find(one)?.view ?? [])
    const result = batchResult(batch, views, (at - (this.#begun.get(batch) ?? at)) / 1000)
    return [{ type: 'batch_complete', batch_number: batch, result }]
  }
}

/** The ids of the tasks of each batch: those that `schedule: waves` runs together. */
function batchesOf(graph: Graph): string[][] {
  const waves = new Waves(graph.units).of
  const batches: string[][] = []
  graph.tasks.forEach(({ id }, index) => {
    const wave = waves[graph.unitOf[index] as number] as number
    batches[wave] ??= []
    batches[wave].push(id)
  })
  return batches
}

export function batchesOfPlan(plan: Plan): string[][] {
  return batchesOf(buildGraph(plan))
}

/** `seconds`: its duration. */
export function batchResult(batch: number, tasks: readonly TaskView[], seconds: number) {
  const failed = tasks.filter((task) => task.finishedAt !== null && endOf(task) !== 'completed')
  return {
    batch_number: batch,
    completed: tasks.filter((task) => endOf(task) === 'completed').length,
    failed: failed.map((task) => ({ task_id: task.id, error: task.failure?.message ?? task.status })),
    duration: seconds,
    cost: usageOf(tasks.flatMap(({ history }) => history)).costUsd,
  }
}

export function endOf({ status }: TaskView): 'completed' | 'failed' | 'cancelled' {
  if (isDone(status)) return 'completed'
  return status === 'cancelled' ? 'cancelled' : 'failed'
}
