// Whether a task of a JSON file is still to be done; and what of that has to be said, once for all with the same status.
import { shown, shownNames } from '../../document/field.ts'
import type { Path } from '../../document/place.ts'
import type { Entry } from '../format.ts'
import type { JsonReader } from '../json/json-reader.ts'
import type { Item } from '../json/values.ts'
import { prose } from '../task-prompt/compose-prompt.ts'
import { FileStatus, isTruth } from './json-status-field.ts'
import { plainStatus, type States, stateOf } from './status-words.ts'

type Noted = { path: Path; names: string[] }

export class StateReader {
  readonly #reader: JsonReader
  readonly #states: States
  readonly #what: string
  readonly #fields: FileStatus
  readonly #restarted = new Map<string, Noted>()
  readonly #leftOut = new Map<string, Noted>()

  constructor(reader: JsonReader, states: States, what: string, fields = new FileStatus(['status'])) {
    this.#reader = reader
    this.#states = states
    this.#what = what
    this.#fields = fields
  }

  /** `isQuiet`: that it was begun is not worth a word. */
  of(item: Item, source: string, isQuiet = false): Entry['state'] {
    const field = this.#fields.fieldOf(item.value) ?? 'status'
    const written = isTruth(field) ? prose(item.value.status) : prose(item.value[field])
    const state = isTruth(field) ? this.#fields.stateOf(item.value) : stateOf(written, this.#states)
    const path = [...item.path, isTruth(field) ? 'status' : field]
    if (state === 'skipped') this.leaveOut(source, shown(written), path)
    const status = plainStatus(written)
    const isKnown = this.#states.open.includes(status)
    const fresh = ['', ...(this.#states.fresh ?? this.#states.open.slice(0, 1))]
    // Beside a truth that says otherwise, words that it is done say nothing.
    if (state !== 'open' || stateOf(written, this.#states) !== 'open') return state
    if (fresh.includes(status) || (isKnown && isQuiet)) return state
    const why = isKnown ? 'run from the start' : 'a status that is not known here, so it counts as not done'
    note(this.#restarted, `${shown(written)}: ${why}`, path, source)
    return state
  }

  /** One that is not to be done; `is` says why, such as `deferred`. */
  leaveOut(source: string, is: string, path: Path): void {
    note(this.#leftOut, is, path, source)
  }

  tell(): void {
    const verb = (count: number): string => (count === 1 ? ' is' : 's are')
    for (const [is, { path, names }] of this.#restarted)
      this.#reader.assume(path, `${names.length} ${this.#what}${verb(names.length)} ${is}`)
    for (const [is, { path, names }] of this.#leftOut) {
      const who = `${this.#what}${names.length === 1 ? '' : 's'} ${shownNames(names)}`
      this.#reader.assume(path, `${who} ${names.length === 1 ? 'is' : 'are'} ${is}: left out`)
    }
  }
}

function note(noted: Map<string, Noted>, key: string, path: Path, name: string): void {
  const known = noted.get(key)
  if (known) known.names.push(name)
  else noted.set(key, { path, names: [name] })
}
