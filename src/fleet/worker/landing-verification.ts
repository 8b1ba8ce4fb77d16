// Verifications of the landing queue on a worker. Their worktrees are numbered after those of the slots.
import type { Machine } from '../../attempt/attempt-context.ts'
import type { RunningVerification, VerificationOrder, Verified } from '../../attempt/attempt-order.ts'
import { VerificationHere } from '../../landing/verification.ts'
import { keptText, secretValues } from '../../process/secrets.ts'
import type { Store } from '../../store/store.ts'
import { orderFolder } from '../orders.ts'

/** This machine chooses the worktree: a verification that the engine gave up may still be ending in one. */
export function verificationsOn(machine: Machine): (order: VerificationOrder) => RunningVerification {
  const passed = passedHere()
  const taken = new Set<number>()
  return (order) => {
    let slot = 1
    while (taken.has(slot)) slot++
    taken.add(slot)
    const running = new VerificationHere({ ...order, slot }, orderFolder(machine.folder, order), machine, passed)
    const result = running.result.then((fact) => cleaned(fact, machine)).finally(() => taken.delete(slot))
    return { result, halt: () => running.halt(), letGo: () => running.letGo() }
  }
}

/** Removes secrets of this machine. */
function cleaned(fact: Verified, { environment }: Machine): Verified {
  const { verdict } = fact
  if (!verdict?.failure) return fact
  const message = keptText(verdict.failure.message, secretValues(environment))
  return { ...fact, verdict: { ...verdict, failure: { ...verdict.failure, message } } }
}

/** Trees that have passed on this machine since its worker began: results of other machines do not count here. */
function passedHere(): Pick<Store, 'hasPassed' | 'rememberPassed'> {
  const keys = new Set<string>()
  return {
    hasPassed: async ({ tree, commands }) => keys.has(`${tree} ${commands}`),
    rememberPassed: async ({ tree, commands }) => {
      keys.add(`${tree} ${commands}`)
      const [oldest] = keys
      if (keys.size > MOST_PASSED && oldest !== undefined) keys.delete(oldest)
    },
  }
}

const MOST_PASSED = 10_000
