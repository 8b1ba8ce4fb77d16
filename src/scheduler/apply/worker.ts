// Workers come and go. Part of `apply`.
//
// A lost worker gets no new work, and a decision ends each of its attempts, so that every end is in the journal as usual.
// Half-done epics on it have all their work in a commit: they keep their claims and continue on another worker. So do
// half-done epics of a worker that takes no new work.
import type { EventOf } from '../../event.ts'
import { hasLabels, type Worker } from '../dispatch/workers.ts'
import { type Unit, unitAt } from '../graph.ts'
import { type RunState, record, unitState } from '../state.ts'
import { freeSlot } from './transitions.ts'

export function workerJoined(state: RunState, { worker, slots, labels, resources }: EventOf<'worker.joined'>): void {
  const joined = state.workers.join(worker, { slots, labels, resources })
  letUnfitGo(state, joined)
}

export function workerLost(state: RunState, { worker: name, why }: EventOf<'worker.lost'>): void {
  const worker = state.workers.named(name)
  if (!worker || worker === state.workers.local) return
  state.workers.lose(worker)
  for (const index of [...worker.slots]) {
    if (index === null) continue
    const unit = unitAt(state.graph, index)
    const running = unit.members.find((member) => state.running.has(member))
    if (running === undefined) freeSlot(state, unit)
    else state.lost.set(running, { attempt: record(state, running).history.at(-1)?.attempt ?? 0, worker: name, why })
  }
}

/** Frees the slot of a unit between two attempts if its worker left, takes no new work, or no longer fits. */
export function leaveUnfitWorker(state: RunState, unit: Unit): void {
  const { worker } = unitState(state, unit.index)
  if (worker !== null && !mayStay(state.workers.named(worker), unit)) freeSlot(state, unit)
}

/** Moves half-done epics off a worker that no longer fits. A running unit leaves after its attempt. */
export function letUnfitGo(state: RunState, worker: Worker): void {
  for (const index of [...worker.slots]) {
    const unit = index === null ? null : unitAt(state.graph, index)
    const isAtWork = unit?.members.some((member) => state.running.has(member))
    if (unit && !isAtWork && !mayStay(worker, unit)) freeSlot(state, unit)
  }
}

function mayStay(worker: Worker | undefined, { requires }: Unit): boolean {
  return Boolean(worker?.isThere && worker.count > 0 && hasLabels(worker, requires))
}

/** Copies the workers in the same order. The engine's own has the slots and labels of the new plan. */
export function carryWorkers(old: RunState, next: RunState): void {
  for (const { name, count, labels, resources, isThere } of old.workers.all) {
    if (name === next.workers.local.name) continue
    const worker = next.workers.join(name, { slots: count, labels, resources: resources.counts })
    if (!isThere) next.workers.lose(worker)
  }
}
