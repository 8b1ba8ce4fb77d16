// Whether a task of another format is still to be done.
import { shown } from '../../field.ts'
import type { Entry } from '../format.ts'
import type { JsonReader } from '../json/json-reader.ts'
import type { Item } from '../json/json-values.ts'
import { namesInWords } from './names-in-words.ts'
import { prose } from './prompt-text.ts'
import { plainStatus, type States, stateOf } from './status-words.ts'

/** Counts what is open although the file says something else than `pending`, to tell of it once per status. */
export class StateReader {
  readonly #reader: JsonReader
  readonly #states: States
  readonly #what: string
  readonly #restarted = new Map<string, { first: Item; said: string; count: number; known: boolean }>()

  constructor(reader: JsonReader, states: States, what: string) {
    this.#reader = reader
    this.#states = states
    this.#what = what
  }

  /** `isQuiet`: that it was begun is not worth a word. */
  of(item: Item, isQuiet = false): Entry['state'] {
    const value = item.value.status
    if (value === undefined || value === null || value === '') return 'open'
    const said = prose(value)
    const state = stateOf(said, this.#states)
    if (state !== 'open') return state
    const status = plainStatus(said)
    // The first of them is what a task is that nobody has begun.
    const known = this.#states.open.includes(status)
    if (status === this.#states.open[0] || (known && isQuiet)) return 'open'
    const noted = this.#restarted.get(status) ?? {
      first: item,
      said,
      count: 0,
      known,
    }
    noted.count++
    this.#restarted.set(status, noted)
    return 'open'
  }

  /** To be called when all have been looked at. */
  tell(): void {
    for (const { first, said, count, known } of this.#restarted.values()) {
      const which = `${count} ${this.#what}${count === 1 ? ' is' : 's are'} ${shown(said)}`
      const why = known ? 'run from the start' : 'a status that is not known here, so it counts as not done'
      this.#reader.assume([...first.path, 'status'], `${which}: ${why}`)
    }
  }
}

/** Why it is not to be done: what it `is`, such as `deferred`, and the field that says so. */
export type LeftOut = { is: string; field: string }

/** Says which tasks are left out because of what the file says about them: once for every reason, its status unless it has another. */
export function tellOfSkipped(
  reader: JsonReader,
  what: string,
  skipped: readonly { item: Item; source: string; leftOut?: LeftOut | null }[],
): void {
  const reasonOf = ({ item, leftOut }: (typeof skipped)[number]): string =>
    leftOut?.is ?? shown(reader.prose(item, 'status'))
  for (const [reason, all] of Map.groupBy(skipped, reasonOf)) {
    const [first] = all
    if (!first) continue
    const who = `${all.length === 1 ? what : `${what}s`} ${namesInWords(all.map(({ source }) => source))}`
    const verb = all.length === 1 ? 'is' : 'are'
    reader.assume([...first.item.path, first.leftOut?.field ?? 'status'], `${who} ${verb} ${reason}: left out`)
  }
}
