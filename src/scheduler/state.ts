// Everything that the scheduler knows about a run. Only `apply` changes it, in place: a plan may have 100,000 tasks, and a
// copy per event would cost more than the tasks. The same events always give the same state.
//
//            ┌────────────── retry, conflict ◀──────────────────┐
//            ▼                                                   │
//   pending ──▶ ready ──▶ running ──▶ landing ──▶ landed         │
//      │          │          │ │       ▲  └─▶ conflict ──────────┤     waits for a person
//      │          │          │ │       └──────────┘              │
//      │          │          │ ├──────────────────────────────────┤
//      │          │          │ └──▶ passed (nothing to land)      └──▶ failed
//      └──────────┴──────────┴──▶ cancelled          a need failed ──▶ blocked

import type { Failure, Limits, StopReason, TakenResources } from '../event.ts'
import type { FailureReason } from '../failure.ts'
import type { RunKind, RunStatus } from '../status.ts'
import type { Plan } from '../task.ts'
import { NO_USAGE } from '../usage.ts'
import type { AttemptView, Counts, Hold, PauseView } from '../view.ts'
import { newLedger } from './budgets/ledger.ts'
import type { Claim } from './claims/overlap.ts'
import { ClaimTable } from './claims/table.ts'
import { Heap } from './dispatch/heap.ts'
import { ReadyQueue } from './dispatch/ready-queue.ts'
import { Waves } from './dispatch/waves.ts'
import { Workers } from './dispatch/workers.ts'
import { buildGraph, dispatchOrder, edgesInto, type Unit, unitAt } from './graph.ts'
import { emptyBatch } from './landing/batch.ts'

export type TaskState =
  | { status: 'pending'; retryAt: number | null }
  | { status: 'ready' }
  | {
      status: 'running'
      attempt: number
      deadline: number
      stopping: StopReason | null
      /** Time of the stop request; 0: none. */
      stoppingSince: number
      /**
       * Time at which an interrupted engine asked the attempt to end and then let go of it: it may have ended because
       * of that.
       */
      askedToStopAt: number | null
      /** Start of a silence of its agent that is too long; null: the agent prints. */
      stalledSince: number | null
      /** True once its agent has ended by itself: it spends nothing more, so a budget does not end the attempt. */
      agentEnded: boolean
    }
  /** The attempt is finished: its work waits for the landing queue, or for the rest of its epic. */
  | { status: 'landing'; commit: string | null }
  | { status: 'conflict'; failure: Failure; since: number }
  | { status: 'landed'; commit: string; at: number }
  | { status: 'passed'; at: number }
  | { status: 'failed' | 'blocked' | 'cancelled'; failure: Failure; at: number }

type TaskRecord = ReturnType<typeof newTaskRecord>
export type UnitState = ReturnType<typeof newUnitState>
export type RunState = ReturnType<typeof emptyState>

/** Pause of an agent. `isOver`: expired. `probe`: the task whose attempt goes first until its model has answered. */
export type Pause = Pick<PauseView, 'until' | 'why' | 'needsLogin'> & { isOver: boolean; probe: string | null }

export function emptyState(plan: Plan, limits: Limits) {
  const graph = buildGraph(plan)
  const tasks = graph.tasks.map(() => newTaskRecord())
  const claims = new ClaimTable()
  const workers = new Workers(plan, limits)
  return {
    graph,
    limits,
    kind: 'plan' as RunKind,
    seed: 0,
    base: '',
    branch: '',
    head: '',
    startedAt: 0,
    tasks,
    units: graph.units.map((unit) => newUnitState(unit)),
    claims,
    workers,
    holds: new Map<number, Hold>(),
    ready: new ReadyQueue(claims, workers),
    delayed: new Heap<{ at: number; unit: number }>((a, b) => a.at - b.at),
    continuing: new Set<number>(),
    running: new Set<number>(),
    /** Sorted by time, then by plan order, whatever else is in the heap (I14). */
    deadlines: new Heap<{ at: number; task: number; attempt: number }>((a, b) => a.at - b.at || a.task - b.task),
    /** Attempts of lost workers, by task, which are still to be ended. */
    lost: new Map<number, { attempt: number; worker: string; why: string }>(),
    /** Slots (`slotKey`) reserved for interrupted work, with its unit. */
    wantedSlots: new Map<string, number>(),
    perEpic: new Map<string, number>(),
    /** Units that wait to land and are not in the batch. */
    landingQueue: new Set<number>(),
    batch: emptyBatch(),
    paused: new Map<string, Pause>(),
    /** Attempts in a row that ended by trouble of the agent's provider. */
    providerTroubles: new Map<string, number>(),
    cancelling: new Set<number>(),
    stop: null as 'interrupt' | 'cancel' | 'strict' | null,
    strictCause: null as string | null,
    /** Null: without waves, each unit starts as soon as it can. */
    waves: limits.schedule === 'waves' ? new Waves(graph.units) : null,
    counts: countsOf(tasks),
    usage: NO_USAGE,
    ledger: newLedger(plan),
    /** Tasks that changed since the views were last written. */
    changed: new Set<number>(),
    finished: null as Exclude<RunStatus, 'running'> | null,
    finishedAt: null as number | null,
    lastAt: 0,
    /** Total time without an engine. */
    idleMs: 0,
    /** The number of the newest request that was taken in. */
    lastRequest: 0,
  }
}

export function readyUnits({ graph, units }: RunState): Unit[] {
  return graph.units.filter(({ index }) => units[index]?.status === 'ready')
}

export function newTaskRecord(queuedAt: number | null = null) {
  return {
    state: WAITING,
    /** Compared with `retries`: failed attempts that count as a try (also of tasks it starts over with) and refused landings. */
    failedTries: 0,
    /** Number of ended attempts by reason; the first ones of some reasons are spared (failure.ts). */
    endsByReason: {} as Partial<Record<FailureReason, number>>,
    /** The attempt whose work the next one continues; null: it begins anew. */
    continues: null as number | null,
    history: [] as AttemptView[],
    /** Time at which it joined a running plan; null: part of it from the start. */
    queuedAt,
    /** Priority set by a person during the run; null: that of the plan applies. */
    priority: null as number | null,
  }
}

export function newUnitState(unit: Unit) {
  return {
    status: 'waiting' as UnitStatus,
    waitingFor: edgesInto(unit),
    /** Slot and worker, kept from the first task to the last so that the tasks of an epic share one worktree. */
    slot: null as number | null,
    worker: null as string | null,
    next: 0,
    /** The last commit of the unit's work. */
    head: null as string | null,
    delayedUntil: null as number | null,
    /** The conflict that its work resolves or has to resolve; null: none. */
    resolves: null as { commit: string; onto: string } | null,
    /** Resource numbers it holds together with its slot. */
    resources: null as TakenResources | null,
    /** Claims added for undeclared changes, in a run with `claims: extend`. */
    extended: [] as Claim[],
  }
}

/** `continuing`: an epic between two of its tasks, which keeps its slot. */
type UnitStatus = 'waiting' | 'ready' | 'delayed' | 'continuing' | 'running' | 'landing' | 'conflict' | 'settled'

export const WAITING: TaskState = { status: 'pending', retryAt: null }
export const READY: TaskState = { status: 'ready' }

export function retriesOf(state: RunState, task: number): number {
  return state.graph.tasks[task]?.retries ?? state.limits.retries
}

export function record(state: RunState, task: number): TaskRecord {
  return state.tasks[task] as TaskRecord
}

export function indexOf(state: RunState, id: string): number {
  const index = state.graph.taskIndex.get(id)
  if (index === undefined) throw new Error(`the journal names a task the plan does not have: ${id}`)
  return index
}

/** The commit of a task's last attempt, or its base if it changed nothing. Null: the task was never tried. */
export function commitOf(state: RunState, id: string): string | null {
  const last = record(state, indexOf(state, id)).history.at(-1)
  return last ? (last.commit ?? last.base) : null
}

export function unitState(state: RunState, unit: number): UnitState {
  return state.units[unit] as UnitState
}

/** The task that a unit starts or continues with; undefined if all its tasks are done. */
export function nextTask(state: RunState, unit: Unit): number {
  return unit.members[unitState(state, unit.index).next] as number
}

/** Half-done epics in dispatch order, because the order in the set depends on when `decide` ran. */
export function continuingUnits({ graph, continuing }: RunState): Unit[] {
  return [...continuing].map((unit) => unitAt(graph, unit)).sort(dispatchOrder)
}

export function countsOf(tasks: readonly TaskRecord[]): Counts {
  const open = { pending: 0, ready: 0, running: 0, landing: 0, conflict: 0 }
  const counts = { total: tasks.length, ...open, landed: 0, passed: 0, failed: 0, blocked: 0, cancelled: 0 }
  for (const { state } of tasks) counts[state.status]++
  return counts
}
