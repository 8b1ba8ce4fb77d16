// Everything the scheduler knows of a run. Only `apply` changes it, in place: a plan may have 100,000 tasks, and a
// copy per event would cost more than the tasks. The same events give the same state, always.
//
//            ┌────────────── retry, conflict ◀──────────────────┐
//            ▼                                                   │
//   pending ──▶ ready ──▶ running ──▶ landing ──▶ landed         │
//      │          │          │ │       ▲  └─▶ conflict ──────────┤     waits for a person
//      │          │          │ │       └──────────┘              │
//      │          │          │ ├──────────────────────────────────┤
//      │          │          │ └──▶ passed (nothing to land)      └──▶ failed
//      └──────────┴──────────┴──▶ cancelled          a need failed ──▶ blocked

import type { Failure, Limits, StopReason } from '../event.ts'
import type { FailureReason } from '../failure.ts'
import type { RunKind, RunStatus } from '../status.ts'
import type { Plan } from '../task.ts'
import { NO_USAGE, type Usage } from '../usage.ts'
import type { AttemptView, Counts, Hold, PauseView, TakenResources } from '../view.ts'
import { type Ledger, newLedger } from './budgets/ledger.ts'
import type { Claim } from './claims/overlap.ts'
import { ClaimTable } from './claims/table.ts'
import { Heap } from './dispatch/heap.ts'
import { ReadyQueue } from './dispatch/ready-queue.ts'
import { type Waves, wavesOf } from './dispatch/waves.ts'
import { Workers } from './dispatch/workers.ts'
import { buildGraph, dispatchOrder, edgesInto, type Graph, type Unit, unitAt } from './graph.ts'
import { emptyBatch, type LandingBatch } from './landing/batch.ts'

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
      /** Start of a silence of its agent that is too long; null while it prints. */
      stalledSince: number | null
      /** True once its agent has ended by itself: it spends nothing more, so a budget does not end the attempt. */
      agentEnded: boolean
    }
  | { status: 'landing'; commit: string | null }
  | { status: 'conflict'; failure: Failure; since: number }
  | { status: 'landed'; commit: string; at: number }
  | { status: 'passed'; at: number }
  | { status: 'failed' | 'blocked' | 'cancelled'; failure: Failure; at: number }

type TaskRecord = {
  state: TaskState
  /** Compared with `retries`: failed attempts that count as a try (also of neighbours it starts over with) and refused landings. */
  failedTries: number
  /** Ended attempts by reason, for reasons that are spared a number of times (failure.ts). */
  spared: Partial<Record<FailureReason, number>>
  /** The attempt whose work the next one continues; null: it begins anew. */
  continues: number | null
  history: AttemptView[]
  /** Time at which it joined a running plan; null: part of it from the start. */
  queuedAt: number | null
  /** Priority set by a person during the run; null: that of the plan applies. */
  priority: number | null
}

export type UnitState = {
  /** `continuing`: an epic between two of its tasks, which keeps its slot. */
  status: 'waiting' | 'ready' | 'delayed' | 'continuing' | 'running' | 'landing' | 'conflict' | 'settled'
  waitingFor: number
  /** Slot and worker, kept from the first task to the last so that the tasks of an epic share one worktree. */
  slot: number | null
  worker: string | null
  next: number
  /** The last commit of the work done so far; null while there is none. */
  head: string | null
  delayedUntil: number | null
  /** The conflict that its work resolves, or is to resolve; null where the work is its own. */
  resolves: { commit: string; onto: string } | null
  /** Resource numbers it holds together with its slot. */
  resources: TakenResources | null
  /** Claims added for undeclared changes, in a run with `claims: extend`. */
  extended: Claim[]
}

/** Pause of an agent. `isOver`: expired. `probe`: task whose attempt goes first until its model has answered. */
export type Pause = Pick<PauseView, 'until' | 'why' | 'needsLogin'> & { isOver: boolean; probe: string | null }

export type RunState = {
  graph: Graph
  limits: Limits
  kind: RunKind
  seed: number
  base: string
  branch: string
  head: string
  startedAt: number
  tasks: TaskRecord[]
  units: UnitState[]
  claims: ClaimTable
  workers: Workers
  holds: Map<number, Hold>
  ready: ReadyQueue
  delayed: Heap<{ at: number; unit: number }>
  continuing: Set<number>
  running: Set<number>
  deadlines: Heap<{ at: number; task: number; attempt: number }>
  /** Attempts of workers that were lost, by task: they are to be ended. */
  lost: Map<number, { attempt: number; worker: string; why: string }>
  /** Slots in which interrupted work was done that waits to be continued (`slotKey`), and the unit it is of. */
  wantedSlots: Map<string, number>
  perEpic: Map<string, number>
  /** Units whose work waits to land and is not in the batch. */
  landingQueue: Set<number>
  batch: LandingBatch
  /** Agents whose provider lets nobody work, and until when. */
  paused: Map<string, Pause>
  /** Attempts in a row that ended by trouble of the agent's provider. */
  providerTroubles: Map<string, number>
  cancelling: Set<number>
  stop: 'interrupt' | 'cancel' | 'strict' | null
  strictCause: string | null
  /** Null: each unit starts as soon as it can. */
  waves: Waves | null
  counts: Counts
  usage: Usage
  ledger: Ledger
  /** Tasks that changed since somebody last asked; for the views. */
  changed: Set<number>
  finished: Exclude<RunStatus, 'running'> | null
  finishedAt: number | null
  lastAt: number
  /** Total time without an engine. */
  idleMs: number
  /** The highest request this run has answered. */
  lastRequest: number
}

export function emptyState(plan: Plan, limits: Limits): RunState {
  const graph = buildGraph(plan)
  const claims = new ClaimTable()
  const workers = new Workers(plan, limits)
  return {
    graph,
    limits,
    kind: 'plan',
    seed: 0,
    base: '',
    branch: '',
    head: '',
    startedAt: 0,
    tasks: graph.tasks.map(() => newTaskRecord()),
    units: graph.units.map((unit) => newUnitState(unit)),
    claims,
    workers,
    holds: new Map(),
    ready: new ReadyQueue(claims, workers),
    delayed: new Heap((a, b) => a.at - b.at),
    continuing: new Set(),
    running: new Set(),
    // Which of two that are due at once is ended first must not depend on what else was in the heap (I14).
    deadlines: new Heap((a, b) => a.at - b.at || a.task - b.task),
    lost: new Map(),
    wantedSlots: new Map(),
    perEpic: new Map(),
    landingQueue: new Set(),
    batch: emptyBatch(),
    paused: new Map(),
    providerTroubles: new Map(),
    cancelling: new Set(),
    stop: null,
    strictCause: null,
    waves: limits.schedule === 'waves' ? wavesOf(graph) : null,
    counts: countAllPending(graph.tasks.length),
    usage: NO_USAGE,
    ledger: newLedger(plan),
    changed: new Set(),
    finished: null,
    finishedAt: null,
    lastAt: 0,
    idleMs: 0,
    lastRequest: 0,
  }
}

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

/** The commit a task left: the one it began with where it changed nothing. Null: it was never tried. */
export function commitOf(state: RunState, id: string): string | null {
  const last = record(state, indexOf(state, id)).history.at(-1)
  return last ? (last.commit ?? last.base) : null
}

export function unitState(state: RunState, unit: number): UnitState {
  return state.units[unit] as UnitState
}

/** Half-done epics in dispatch order: the order in which they were added depends on when `decide` ran. */
export function continuingUnits({ graph, continuing }: RunState): Unit[] {
  return [...continuing].map((unit) => unitAt(graph, unit)).sort(dispatchOrder)
}

export function newTaskRecord(queuedAt: number | null = null): TaskRecord {
  return { state: WAITING, failedTries: 0, spared: {}, continues: null, history: [], queuedAt, priority: null }
}

export function newUnitState(unit: Unit): UnitState {
  const nothing = {
    slot: null,
    worker: null,
    next: 0,
    head: null,
    delayedUntil: null,
    resolves: null,
    resources: null,
    extended: [],
  }
  return { status: 'waiting', waitingFor: edgesInto(unit), ...nothing }
}

function countAllPending(total: number): Counts {
  const open = { ready: 0, running: 0, landing: 0, conflict: 0 }
  return { total, pending: total, ...open, landed: 0, passed: 0, failed: 0, blocked: 0, cancelled: 0 }
}
