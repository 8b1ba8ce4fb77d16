// Classifies errors of assignments: those of this machine are not the fault of the task.
import { existsSync } from 'node:fs'
import type { PauseAfter } from '../../async/retry.ts'
import { isOfOneAttempt } from '../../engine/run/retry-on-machine-trouble.ts'
import type { Failure } from '../../event.ts'
import { isDiskTrouble, isMachineTrouble, isShortage, machineTroubleText } from '../../git/run/machine-trouble.ts'
import { endedWithoutWork } from '../../outcome-of-failure.ts'
import { UNKNOWN_COST } from '../../usage.ts'
import { attemptFolder, type StateFolder } from '../../workspace/state-folder.ts'
import { FLEET } from '../limits.ts'
import type { Delivered, WorkOrder } from '../orders.ts'
import type { Held } from './held-assignment.ts'

/**
 * `isOfMachine`: the task is not at fault. `isGeneral`: the next assignment would fail, too.
 */
export function troubleWith(states: StateFolder, { order, stopping }: Held, error: unknown) {
  const why = machineTroubleText(error)
  const isOfMachine = isMachineTrouble(error) && !isOfItsFiles(states, order, error)
  const message = `its worker could not carry it out: ${why}`
  const failure: Failure = { reason: isOfMachine ? 'worker-lost' : 'worktree-broken', message }
  const isGeneral = isDiskTrouble(error) || isShortage(error)
  return { fact: undone(order, stopping?.why ?? failure, hasBegun(states, order)), why, isOfMachine, isGeneral }
}

/** True if the error comes from files of this attempt, which its agent may have changed. */
export function isOfItsFiles(states: StateFolder, order: WorkOrder, error: Error): boolean {
  if (order.kind !== 'attempt') return false
  return isOfOneAttempt(states, attemptFolder(states, order.run, order.task.id, order.attempt), error)
}

export function hasBegun(states: StateFolder, order: WorkOrder): boolean {
  if (order.kind !== 'attempt') return false
  return existsSync(attemptFolder(states, order.run, order.task.id, order.attempt).iteration(1).prepared)
}

function undone(order: WorkOrder, failure: Failure, hasBegun: boolean): Delivered {
  if (order.kind === 'verification')
    return { type: 'landing.verified', verification: order.number, commit: order.commit, verdict: null }
  const { task, attempt } = order
  // An agent that was started has cost money.
  const usage = hasBegun && task.work.kind !== 'command' ? UNKNOWN_COST : null
  return endedWithoutWork({ task: task.id, attempt }, failure, usage)
}

/**
 * Pauses of `retry` for finished work that cannot be saved because the disk is full. It waits at most as long as the work took, and
 * `roomMs`; then another machine does it again. `isWorth`: there is work to save.
 */
export function untilThereIsRoom(disk: { isWorth(): boolean; waits(error: unknown): void }): PauseAfter {
  const startedAt = performance.now()
  let until: number | null = null
  return (error) => {
    const now = performance.now()
    until ??= now + Math.min(now - startedAt, FLEET.roomMs)
    if (!isDiskTrouble(error) || now >= until || !disk.isWorth()) return null
    disk.waits(error)
    return Math.min(FLEET.roomLookMs, until - now)
  }
}
