// An assignment that a worker has, and what changes it while it is carried out: stop, allow, budget. What comes before it has begun
// waits for it; one that is begun again, because the machine had some trouble, hears again that it is to stop.
import { machineTroubleText } from '../../git/run/machine-trouble.ts'
import { orderName, type WorkOrder } from '../orders.ts'
import type { Control } from '../protocol.ts'

export type Stop = Extract<Control, { type: 'stop' }>

export class Held<Order extends WorkOrder = WorkOrder> {
  readonly job: string
  readonly order: Order
  readonly #say: (line: string) => void
  readonly #early: Control[] = []
  #apply: ((control: Control) => Promise<void> | void) | null = null
  /** What it was told to end for. */
  stopping: Stop | null = null

  constructor(job: string, order: Order, say: (line: string) => void) {
    this.job = job
    this.order = order
    this.#say = say
  }

  tell(control: Control): void {
    if (control.type === 'stop') this.stopping = control
    if (this.#apply === null) this.#early.push(control)
    else void this.#applied(control)
  }

  begin(apply: (control: Control) => Promise<void> | void): void {
    const isAgain = this.#apply !== null
    this.#apply = apply
    for (const control of this.#early.splice(0)) void this.#applied(control)
    if (isAgain && this.stopping) void this.#applied(this.stopping)
  }

  async #applied(control: Control): Promise<void> {
    try {
      await this.#apply?.(control)
    } catch (error) {
      this.#say(`${orderName(this.order)}: ${machineTroubleText(error)}`)
    }
  }
}
