// Verifications of the landing queue on a worker. Their worktrees are numbered after those of the slots.
import type { Machine } from '../../attempt/attempt-context.ts'
import type { RunningVerification, VerificationOrder, Verified } from '../../attempt/attempt-order.ts'
import { VerificationHere } from '../../landing/verification.ts'
import { keptText, secretValues } from '../../process/secrets.ts'
import type { Store } from '../../store/store.ts'
import { orderFolder } from '../orders.ts'

export class VerificationsHere {
  readonly #machine: Machine
  readonly #passed = new PassedHere()
  readonly #taken = new Set<number>()

  constructor(machine: Machine) {
    this.#machine = machine
  }

  /** This machine chooses the worktree: a verification that the engine gave up may still be ending in one. */
  start(order: VerificationOrder): RunningVerification {
    let slot = 1
    while (this.#taken.has(slot)) slot++
    this.#taken.add(slot)
    const folder = orderFolder(this.#machine.folder, order)
    const running = new VerificationHere({ ...order, slot }, folder, this.#machine, this.#passed)
    const result = running.result.then((fact) => this.#cleaned(fact)).finally(() => this.#taken.delete(slot))
    return { result, halt: () => running.halt(), letGo: () => running.letGo() }
  }

  /** Removes secrets of this machine. */
  #cleaned(fact: Verified): Verified {
    const { verdict } = fact
    if (!verdict?.failure) return fact
    const message = keptText(verdict.failure.message, secretValues(this.#machine.environment))
    return { ...fact, verdict: { ...verdict, failure: { ...verdict.failure, message } } }
  }
}

/** Trees that have passed on this machine since its worker began: results of other machines do not count here. */
class PassedHere implements Pick<Store, 'hasPassed' | 'rememberPassed'> {
  readonly #keys = new Set<string>()

  async hasPassed(key: VerdictKey): Promise<boolean> {
    return this.#keys.has(textOf(key))
  }

  async rememberPassed(key: VerdictKey): Promise<void> {
    this.#keys.add(textOf(key))
    const [oldest] = this.#keys
    if (this.#keys.size > MOST_PASSED && oldest !== undefined) this.#keys.delete(oldest)
  }
}

type VerdictKey = Parameters<Store['hasPassed']>[0]

function textOf({ tree, commands }: VerdictKey): string {
  return `${tree} ${commands}`
}

const MOST_PASSED = 10_000
