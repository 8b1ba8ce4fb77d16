// An assignment of a worker with its controls: stop, allow, budget. Controls that come before its start wait for it; after a
// restart, because of an error of the machine, all of them are applied again.
import type { RunningAttempt } from '../../attempt/attempt-order.ts'
import { machineTroubleText } from '../../git/run/machine-trouble.ts'
import { orderName, type WorkOrder } from '../orders.ts'
import type { Control } from '../protocol.ts'

export class Held<Order extends WorkOrder = WorkOrder> {
  readonly job: string
  readonly order: Order
  readonly #say: (line: string) => void
  /** In the order in which they came; the newest stop and the newest budget replace earlier ones. */
  #told: Control[] = []
  #apply: ((control: Control) => Promise<void> | void) | null = null
  readonly #stopped = new AbortController()

  constructor(job: string, order: Order, say: (line: string) => void) {
    this.job = job
    this.order = order
    this.#say = say
  }

  get stopping(): Extract<Control, { type: 'stop' }> | null {
    return this.#told.find((control) => control.type === 'stop') ?? null
  }

  /** Aborted by a stop, also before the assignment has begun. */
  get stopped(): AbortSignal {
    return this.#stopped.signal
  }

  tell(control: Control): void {
    this.#told = [...this.#told.filter(({ type }) => type === 'allow' || type !== control.type), control]
    if (control.type === 'stop') this.#stopped.abort()
    if (this.#apply !== null) void this.#applied(control)
  }

  begin(apply: (control: Control) => Promise<void> | void): void {
    this.#apply = apply
    for (const control of this.#told) void this.#applied(control)
  }

  /** Forgets the stop, because the attempt continues in spite of it. */
  continues(): void {
    this.#told = this.#told.filter(({ type }) => type !== 'stop')
  }

  async #applied(control: Control): Promise<void> {
    try {
      await this.#apply?.(control)
    } catch (error) {
      this.#say(`${orderName(this.order)}: ${machineTroubleText(error)}`)
    }
  }
}

/** False: the attempt was asked to stop and continues. `aheadMs`: the engine's clock minus ours. */
export async function applyTo(attempt: RunningAttempt, control: Control, aheadMs: number): Promise<boolean> {
  if (control.type === 'stop') return attempt.stop(control.why, control.decidedAt - aheadMs)
  if (control.type === 'allow') await attempt.allow?.(control.globs)
  else attempt.setBudget?.(control.budget)
  return true
}
