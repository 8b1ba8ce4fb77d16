// Orders for workers: attempts and verifications of the landing queue.
import { join } from 'node:path'
import type { AttemptFinished, AttemptOrder, VerificationOrder, Verified } from '../attempt/attempt-order.ts'
import { attemptFolder, type StateFolder, verificationFolder } from '../workspace/state-folder.ts'

export type WorkOrder = AttemptOrder | VerificationOrder
/** The result of an order. */
export type Delivered = AttemptFinished | Verified

/** The folder for its output, on the worker and here. */
export function orderFolder(states: StateFolder, order: WorkOrder): string {
  if (order.kind === 'attempt') return attemptFolder(states, order.run, order.task.id, order.attempt).root
  const folder = verificationFolder(states, order.run, order.number)
  return order.isOfBranch ? join(folder, 'branch') : folder
}

/** Commits that have to be present before the order begins. */
export function neededCommits(order: WorkOrder): string[] {
  if (order.kind === 'verification') return [...new Set([order.commit, order.runBase])]
  const { base, runBase, interrupted, resolves, search } = order
  const parent = search?.role === 'judge' ? search.parent : null
  const named = [base, runBase, interrupted?.commit, resolves?.commit, resolves?.onto, parent]
  return [...new Set(named.filter((one) => one != null))]
}

export function isResultOf(order: WorkOrder, fact: Delivered): boolean {
  if (fact.type === 'attempt.finished')
    return order.kind === 'attempt' && fact.task === order.task.id && fact.attempt === order.attempt
  return order.kind === 'verification' && fact.verification === order.number && fact.commit === order.commit
}

/** Name of an order in lists of running work. */
export function orderPath(order: WorkOrder): string {
  return order.kind === 'attempt' ? `${order.run}/${order.task.id}` : `${order.run} verification ${order.number}`
}

/** Name of an order in the log of a worker. */
export function orderName(order: WorkOrder): string {
  if (order.kind === 'attempt') return `${order.task.id} (attempt ${order.attempt})`
  return `verification ${order.number} of ${order.run}`
}
