// The ready set: which unit starts next? Units that ask the same of a machine stand in lanes of their own (ready-lanes.ts), and
// those that no machine has room for now are not looked at. What there is of such requirements in a plan is few, whatever
// the number of its tasks.
//
// Properties: the best unit that can start is found if there is one (work-conserving); looking changes nothing that
// can be seen from outside; a unit that was withdrawn meanwhile, or that another took the place of, is dropped when it comes up.
import type { ClaimTable } from '../claims/table.ts'
import { dispatchOrder, type Unit } from '../graph.ts'
import { type Found, type Holder, ReadyLanes } from './ready-lanes.ts'
import type { Requirement, Workers } from './workers.ts'

export class ReadyQueue {
  readonly #claims: ClaimTable
  readonly #workers: Workers
  readonly #paused = new Set<string>()
  readonly #waiting = new Map<number, Unit>()
  readonly #byRequirement = new Map<string, { requires: Requirement; lanes: ReadyLanes }>()

  constructor(claims: ClaimTable, workers: Workers) {
    this.#claims = claims
    this.#workers = workers
  }

  get size(): number {
    return this.#waiting.size
  }

  /** `agents`: those that may do it; none for a unit that no agent has to do with. */
  push(unit: Unit, group: string, agents: readonly string[] = []): void {
    this.#waiting.set(unit.index, unit)
    this.#lanesOf(unit).push(unit, group, agents)
  }

  pause(agent: string): void {
    this.#paused.add(agent)
  }

  goOn(agent: string): void {
    this.#paused.delete(agent)
    this.released(agent)
  }

  withdraw(unit: number): void {
    this.#waiting.delete(unit)
  }

  released(holder: Holder): void {
    for (const { lanes } of this.#byRequirement.values()) lanes.released(holder)
  }

  /** The best unit that could start now; groups for which `isCapped` answers true come second. It stays in the queue. */
  best(isCapped: (group: string) => boolean): Unit | null {
    let best: Found | null = null
    for (const { requires, lanes } of this.#byRequirement.values()) {
      if (this.#workers.best(requires) === null) continue
      const found = lanes.best(isCapped)
      if (found && (!best || before(found, best))) best = found
    }
    return best?.unit ?? null
  }

  #lanesOf({ requires }: Unit): ReadyLanes {
    const known = this.#byRequirement.get(requires.key)
    if (known) return known.lanes
    const lanes = new ReadyLanes(this.#claims, this.#paused, this.#waiting)
    this.#byRequirement.set(requires.key, { requires, lanes })
    return lanes
  }
}

function before(a: Found, b: Found): boolean {
  return a.isCapped === b.isCapped ? dispatchOrder(a.unit, b.unit) < 0 : b.isCapped
}
