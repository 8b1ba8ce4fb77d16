// The events of the requirement documents (`batch_start`, `task_start`, `task_complete`, `batch_complete`) as a view of ours:
// derived from the journal of a run, so a client that comes back gets the same ones again.
import type { Event } from '../../event.ts'
import { apply } from '../../scheduler/apply/apply.ts'
import { wavesOf } from '../../scheduler/dispatch/waves.ts'
import { buildGraph, type Graph } from '../../scheduler/graph.ts'
import { emptyState, type RunState } from '../../scheduler/state.ts'
import { taskView } from '../../scheduler/view.ts'
import type { TaskView } from '../../status.ts'
import type { Plan } from '../../task.ts'
import { usageOf } from '../../usage.ts'

export type BatchEvent =
  | { type: 'batch_start'; batch_number: number; total_batches: number; task_count: number }
  | { type: 'task_start'; task_id: string; epic_id: string | null; model: string | null }
  | { type: 'task_complete'; task_id: string; status: 'completed' | 'failed' | 'cancelled'; cost: number }
  | { type: 'batch_complete'; batch_number: number; result: BatchResult }

export type BatchResult = {
  batch_number: number
  completed: number
  failed: { task_id: string; error: string }[]
  /** In seconds. */
  duration: number
  cost: number
}

export class BatchEvents {
  readonly #plan: Plan
  #state: RunState | null = null
  #batches: string[][] = []
  #batchOf = new Map<string, number>()
  readonly #begun = new Map<number, number>()
  readonly #over = new Set<string>()

  constructor(plan: Plan) {
    this.#plan = plan
  }

  /** In the order of the journal, from its first event on. */
  take(event: Event): BatchEvent[] {
    if (event.type === 'run.started') this.#begin(event)
    const state = this.#state
    if (!state) return []
    apply(state, event)
    if (event.type === 'run.replanned' || event.type === 'tasks.added') this.#divide(state)
    const told: BatchEvent[] = []
    if (event.type === 'attempt.started') {
      const task = this.#view(event.task)
      told.push(...this.#beginBatch(event.task, event.at), {
        type: 'task_start',
        task_id: event.task,
        epic_id: task?.epic ?? null,
        model: event.choice?.model ?? this.#modelOf(event.task),
      })
    }
    const changed = [...state.changed].map((index) => taskView(state, index))
    state.changed.clear()
    for (const task of changed) told.push(...this.#look(task, event.at))
    return told
  }

  #begin(event: Extract<Event, { type: 'run.started' }>): void {
    this.#state = emptyState(this.#plan, event.limits)
    this.#divide(this.#state)
  }

  #divide({ graph }: RunState): void {
    this.#batches = batchesOf(graph)
    this.#batchOf = new Map(this.#batches.flatMap((tasks, batch) => tasks.map((task) => [task, batch])))
  }

  #beginBatch(task: string, at: number): BatchEvent[] {
    const batch = this.#batchOf.get(task)
    if (batch === undefined || this.#begun.has(batch)) return []
    this.#begun.set(batch, at)
    const task_count = this.#batches[batch]?.length ?? 0
    return [{ type: 'batch_start', batch_number: batch, total_batches: this.#batches.length, task_count }]
  }

  #look(task: TaskView, at: number): BatchEvent[] {
    if (task.finishedAt === null) {
      // Tried again: its batch is open again, too.
      if (this.#over.delete(task.id)) this.#begun.delete(this.#batchOf.get(task.id) ?? -1)
      return []
    }
    if (this.#over.has(task.id)) return []
    this.#over.add(task.id)
    const batch = this.#batchOf.get(task.id) ?? -1
    const complete: BatchEvent = {
      type: 'task_complete',
      task_id: task.id,
      status: endOf(task),
      cost: usageOf(task.history).costUsd,
    }
    const tasks = this.#batches[batch] ?? []
    const told = [...this.#beginBatch(task.id, at), complete]
    if (tasks.some((one) => !this.#over.has(one))) return told
    const views = tasks.flatMap((one) => this.#view(one) ?? [])
    const result = batchResult(batch, views, (at - (this.#begun.get(batch) ?? at)) / 1000)
    return [...told, { type: 'batch_complete', batch_number: batch, result }]
  }

  #view(task: string): TaskView | null {
    const index = this.#state?.graph.taskIndex.get(task)
    return this.#state && index !== undefined ? taskView(this.#state, index) : null
  }

  #modelOf(task: string): string | null {
    const index = this.#state?.graph.taskIndex.get(task) ?? -1
    const work = this.#state?.graph.tasks[index]?.work
    return work?.kind === 'prompt' ? work.model : null
  }
}

/** The ids of the tasks of each batch: those that `schedule: waves` runs together. */
export function batchesOf(graph: Graph): string[][] {
  const waves = wavesOf(graph).of
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

/** Also for the routes that list batches. */
export function batchResult(batch: number, tasks: readonly TaskView[], seconds: number): BatchResult {
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
  if (status === 'landed' || status === 'passed') return 'completed'
  return status === 'cancelled' ? 'cancelled' : 'failed'
}
