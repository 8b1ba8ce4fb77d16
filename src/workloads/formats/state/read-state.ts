// Whether a task of another format is still to be done.
import { shown } from '../../document/field.ts'
import type { Entry } from '../format.ts'
import type { JsonReader } from '../json/reader.ts'
import type { Item } from '../json/values.ts'
import { namesInWords } from '../names-in-words.ts'
import { prose } from '../prompt/text.ts'
import { FileStatus, isTruth } from './file-status.ts'
import { plainStatus, type States, stateOf } from './status-words.ts'

/** Counts what is open although the file says something else than `pending`, to tell of it once per status. */
export class StateReader {
  readonly #reader: JsonReader
  readonly #states: States
  readonly #what: string
  readonly #fields: FileStatus
  readonly #restarted = new Map<string, { first: Item; said: string; count: number; known: boolean }>()

  constructor(reader: JsonReader, states: States, what: string, fields = new FileStatus(['status'])) {
    this.#reader = reader
    this.#states = states
    this.#what = what
    this.#fields = fields
  }

  /** `isQuiet`: that it was begun is not worth a word. */
  of(item: Item, isQuiet = false): Entry['state'] {
    const field = this.#fields.fieldOf(item.value) ?? 'status'
    const said = prose(item.value[field])
    if (said === '') return 'open'
    if (isTruth(field)) return this.#fields.stateOf(item.value)
    const state = stateOf(said, this.#states)
    if (state !== 'open') return state
    const status = plainStatus(said)
    const known = this.#states.open.includes(status)
    const fresh = this.#states.fresh ?? this.#states.open.slice(0, 1)
    if (fresh.includes(status) || (known && isQuiet)) return 'open'
    const noted = this.#restarted.get(status) ?? { first: item, said, count: 0, known }
    noted.count++
    this.#restarted.set(status, noted)
    return 'open'
  }

  /** To be called when all have been looked at. */
  tell(): void {
    for (const { first, said, count, known } of this.#restarted.values()) {
      const which = `${count} ${this.#what}${count === 1 ? ' is' : 's are'} ${shown(said)}`
      const why = known ? 'run from the start' : 'a status that is not known here, so it counts as not done'
      this.#reader.assume([...first.path, this.#fields.fieldOf(first.value) ?? 'status'], `${which}: ${why}`)
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
    leftOut?.is ?? shown(reader.prose(item, 'status', 'state'))
  for (const [reason, all] of Map.groupBy(skipped, reasonOf)) {
    const [first] = all
    if (!first) continue
    const who = `${all.length === 1 ? what : `${what}s`} ${namesInWords(all.map(({ source }) => source))}`
    const verb = all.length === 1 ? 'is' : 'are'
    reader.assume([...first.item.path, first.leftOut?.field ?? 'status'], `${who} ${verb} ${reason}: left out`)
  }
}

// What a phase or an epic says of all that is in it: that it is done, or not to be done.

/** `whole`: what the whole says; `own`: what the part says, if `isSaid`. Whoever says it of the whole may not have written it at each part. */
export function stateWithin(whole: Entry['state'], own: Entry['state'], isSaid: boolean): Entry['state'] {
  if (own !== 'open') return own
  if (whole === 'skipped') return 'skipped'
  return whole === 'done' && !isSaid ? 'done' : 'open'
}

/** `left`: how many of its parts were to be done by themselves; `open`: how many are all the same. */
export type Whole = { item: Item; what: string; part: string; name: string; left: number; open: number }

export function tellOfWhole(reader: JsonReader, state: Entry['state'], { item, left, open, ...names }: Whole): void {
  if (state === 'open' || left === 0) return
  const { what, part, name } = names
  const path = [...item.path, 'status']
  const is = `${what} ${shown(name)} is ${shown(reader.prose(item, 'status'))}`
  const parts = (count: number): string => (count === 1 ? `1 ${part}` : `${count} ${part}s`)
  if (state === 'skipped') reader.assume(path, `${is}: left out, with ${parts(left)} that would be to do`)
  else if (open === 0)
    reader.assume(path, `${is}: ${parts(left)} without a status ${left === 1 ? 'counts' : 'count'} as done`)
  else
    reader.warn(
      path,
      `${is}, but ${parts(open)} in it ${open === 1 ? 'says' : 'say'} something else: ${open === 1 ? 'it is' : 'they are'} run`,
    )
}
