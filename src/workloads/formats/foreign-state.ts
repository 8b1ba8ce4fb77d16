// Whether a task of another format is still to be done.
import { shown } from '../field.ts'
import type { Entry } from './format.ts'
import type { Item, JsonReader } from './json-reader.ts'

export type States = { done: readonly string[]; skipped?: readonly string[]; open: readonly string[] }

/** Counts what is open although the file says something else than `pending`, to tell of it once per status. */
export class StateReader {
  readonly #reader: JsonReader
  readonly #states: States
  readonly #what: string
  readonly #restarted = new Map<string, { first: Item; count: number; known: boolean }>()

  constructor(reader: JsonReader, states: States, what: string) {
    this.#reader = reader
    this.#states = states
    this.#what = what
  }

  of(item: Item): Entry['state'] {
    const value = item.value.status
    if (value === undefined || value === null || value === '') return 'open'
    const status = String(value).trim().toLowerCase().replaceAll('-', '_')
    if (this.#states.done.includes(status)) return 'done'
    if (this.#states.skipped?.includes(status)) return 'skipped'
    // The first of them is what a task is that nobody has begun.
    if (status === this.#states.open[0]) return 'open'
    const noted = this.#restarted.get(status) ?? { first: item, count: 0, known: this.#states.open.includes(status) }
    noted.count++
    this.#restarted.set(status, noted)
    return 'open'
  }

  /** To be called when all have been looked at. */
  tell(): void {
    for (const [status, { first, count, known }] of this.#restarted) {
      const which = `${count} ${this.#what}${count === 1 ? ' is' : 's are'} ${shown(status)}`
      const why = known ? 'run from the start' : 'a status that is not known here, so it counts as not done'
      this.#reader.assume([...first.path, 'status'], `${which}: ${why}`)
    }
  }
}
