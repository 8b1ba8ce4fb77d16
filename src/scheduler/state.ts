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
      /** When it was told to stop; 0 before that. */
      stoppingSince: number
      /** An engine that was interrupted asked it to end and then let go of it: it may have ended because of that. */
      askedToStopAt: number | null
      /** Its agent has printed nothing since then, which is too long; null while it is well. */
      stalledSince: number | null
      /** Its agent has ended by itself, so it spends nothing any more: it is not ended for want of money. */
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
  /** How many attempts ended for each reason that is spared up to a number of times (failure.ts). */
  spared: Partial<Record<FailureReason, number>>
  /** The attempt whose work the next one continues; null: it begins anew. */
  continues: number | null
  history: AttemptView[]
  /** When it joined a run that was going on; null: it was there from the start. */
  queuedAt: number | null
  /** As somebody changed it while it ran; null: that of the plan counts. */
  priority: number | null
}

export type UnitState = {
  /** `continuing`: an epic between two of its tasks, which keeps its slot. */
  status: 'waiting' | 'ready' | 'delayed' | 'continuing' | 'running' | 'landing' | 'conflict' | 'settled'
  waitingFor: number
  /** Kept from its first task to its last, so that the tasks of an epic share one worktree; and the worker it is on. */
  slot: number | null
  worker: string | null
  next: number
  /** The last commit of the work done so far; null while there is none. */
  head: string | null
  delayedUntil: number | null
  /** The conflict that its work resolves, or is to resolve; null where the work is its own. */
  resolves: { commit: string; onto: string } | null
  /** The numbers it has of what it uses, as long as it has its slot. */
  resources: TakenResources | null
  /** What it changed beyond its claims and holds since then, in a run that lets claims grow. */
  extended: Claim[]
}

/** After its time one attempt goes first: `probe`, by its task, while that runs and its model has not answered yet. */
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
  /** How often in a row the attempts of an agent ended because its provider did not work. */
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
  /** How long no engine was at work on it, since it began. */
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

/** In the order of dispatch: in which order they came to that depends on when `decide` looked at the time. */
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
