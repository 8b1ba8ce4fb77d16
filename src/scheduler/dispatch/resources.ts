// Numbered resources of a machine (`gpu: 2`) and the unit that has each number. A unit takes all it uses at once, with its
// slot, and returns it with the slot: no unit holds one and waits for another, so there is no deadlock. Properties: a number
// belongs to one unit. The lowest free numbers are chosen and recorded in `attempt.started`, so a replay does not depend on the
// choice. After a plan change to fewer, more may be taken than exist.

import type { TakenResources } from '../../event.ts'
import type { Task } from '../../task.ts'

/** Sorted by name. */
export type Uses = readonly (readonly [name: string, count: number])[]

export class Resources {
  #counts: Readonly<Record<string, number>> = {}
  readonly #taken = new Map<string, Set<number>>()

  declare(counts: Readonly<Record<string, number>>): void {
    this.#counts = counts
  }

  get counts(): Readonly<Record<string, number>> {
    return this.#counts
  }

  countOf(name: string): number {
    return Object.hasOwn(this.#counts, name) ? (this.#counts[name] ?? 0) : 0
  }

  /** The first of them that there is not enough of now; null: it can have all of them. */
  lacking(uses: Uses): string | null {
    for (const [name, count] of uses) if (this.countOf(name) - (this.#taken.get(name)?.size ?? 0) < count) return name
    return null
  }

  /** The numbers it would get. */
  choose(uses: Uses): TakenResources {
    return Object.fromEntries(uses.map(([name, count]) => [name, this.#lowest(name, count)]))
  }

  take(numbers: TakenResources): void {
    for (const [name, list] of Object.entries(numbers)) {
      const taken = this.#taken.get(name) ?? new Set()
      for (const number of list) taken.add(number)
      this.#taken.set(name, taken)
    }
  }

  giveBack(numbers: TakenResources): void {
    for (const [name, list] of Object.entries(numbers)) for (const number of list) this.#taken.get(name)?.delete(number)
  }

  #lowest(name: string, count: number): number[] {
    const taken = this.#taken.get(name)
    const found: number[] = []
    for (let number = 0; found.length < count; number++) if (!taken?.has(number)) found.push(number)
    return found
  }
}

/** Largest use of each resource by tasks that run one after the other with one set of numbers. */
export function usesOf(tasks: readonly Pick<Task, 'uses'>[]): Uses {
  const most = new Map<string, number>()
  for (const { uses } of tasks)
    for (const [name, count] of Object.entries(uses ?? {})) most.set(name, Math.max(count, most.get(name) ?? 0))
  return most.size === 0 ? NONE : [...most].sort(([a], [b]) => (a < b ? -1 : 1))
}

const NONE: Uses = []
