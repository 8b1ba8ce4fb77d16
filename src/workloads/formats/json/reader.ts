// Reads a JSON document of another format and collects remarks about it. A value of the wrong kind is reported only where it
// matters.
import { LIMITS } from '../../../config.ts'
import { problem, type Result, refuse } from '../../../problem.ts'
import { kindOf, shown } from '../../document/field.ts'
import type { Document, Path } from '../../document/place.ts'
import { isMapping } from '../../document/schema-check.ts'
import { pathsInField, saysNone } from '../claims-from-paths.ts'
import type { Translation } from '../format.ts'
import { PlanDraft } from '../plan-draft.ts'
import { headingOf, otherFields, type PromptSection, prose } from '../prompt-from-fields.ts'

export type Item = { value: Record<string, unknown>; path: Path }

export type Named = { text: string; path: Path }

/** Names of fields that people use for dependencies. */
export const WAIT_FIELDS: readonly string[] = [
  ...['depends_on', 'dependsOn', 'blocked_by', 'blockedBy', 'dependencies', 'needs'],
]

/** `own`: the format's own fields for dependencies; `not`: fields of such a name with another meaning. */
type WaitOptions = { own: readonly string[]; not?: readonly string[]; isKnown(name: string): boolean }

export class JsonReader extends PlanDraft<Path> {
  readonly #document: Document

  constructor(document: Document, file: string) {
    super(file, (all, at) => document.locate(all.map((path) => ({ path, at }))), LIMITS.epicEdges)
    this.#document = document
  }

  root(): Item {
    const { value } = this.#document
    if (isMapping(value)) return { value, path: [] }
    this.error([], `a mapping is expected here, not ${kindOf(value)}`)
    return { value: {}, path: [] }
  }

  items({ value, path }: Item, name: string): Item[] {
    const list = value[name]
    if (list === undefined || list === null) return []
    if (!Array.isArray(list)) {
      this.error([...path, name], `\`${name}\` must be a list, not ${kindOf(list)}`)
      return []
    }
    return list.flatMap((item, i) => {
      const where = [...path, name, i]
      if (isMapping(item)) return [{ value: item, path: where }]
      this.error(where, `\`${name}[${i}]\` must be a mapping, not ${kindOf(item)}`)
      return []
    })
  }

  inner({ value, path }: Item, name: string): Item {
    const inside = value[name]
    return { value: isMapping(inside) ? inside : {}, path: [...path, name] }
  }

  id(item: Item, what: string, name = 'id'): string | null {
    const value = item.value[name]
    const where = [...item.path, name]
    const text =
      typeof value === 'number'
        ? numberName(value, where, this.#document)
        : typeof value === 'string'
          ? value.trim()
          : ''
    if (text !== '') return text
    if (value === undefined || value === null || value === '') this.error(item.path, `this ${what} has no \`${name}\``)
    else this.error(where, `\`${name}\` must be a string or a number, not ${kindOf(value)}`)
    return null
  }

  names({ value, path }: Item, name: string): Named[] {
    const written = value[name]
    if (written === undefined || written === null) return []
    const list = Array.isArray(written) ? written : [written]
    return list.flatMap((one, i) => {
      const where = Array.isArray(written) ? [...path, name, i] : [...path, name]
      if (typeof one === 'number') return [{ text: numberName(one, where, this.#document), path: where }]
      if (typeof one === 'string') return one.trim() === '' ? [] : [{ text: one.trim(), path: where }]
      this.error(where, `\`${name}\` must hold texts or numbers, not ${kindOf(one)}`)
      return []
    })
  }

  texts(item: Item, name: string): string[] {
    return this.names(item, name).map(({ text }) => text)
  }

  /** The value of the first of these fields that has one, as text of any form. Never an error. */
  prose({ value }: Item, ...names: string[]): string {
    for (const name of names) {
      const text = prose(value[name])
      if (text !== '') return text
    }
    return ''
  }

  wholeNumber({ value, path }: Item, name: string, { min, max }: { min: number; max: number }): number | undefined {
    const number = numberIn(value[name])
    if (number === undefined || number === null || number === '') return undefined
    if (typeof number === 'number' && Number.isInteger(number) && number >= min) {
      if (number <= max) return number
      this.assume([...path, name], `\`${name}\` is ${number}: the most there is here is ${max}, which is taken`)
      return max
    }
    this.error([...path, name], `\`${name}\` must be a whole number from ${min} on, not ${kindOf(number)}`)
    return undefined
  }

  truth({ value, path }: Item, name: string): boolean {
    const written = value[name]
    if (isNothing(written)) return false
    const truth = truthOf(written)
    if (truth === null) this.error([...path, name], `\`${name}\` must be true or false, not ${kindOf(written)}`)
    return truth ?? false
  }

  /** The paths in these texts, each of which should be one. */
  paths({ path }: Item, texts: readonly string[]): string[] {
    return texts.flatMap((text) => {
      const paths = pathsInField(text)
      if (paths.length === 0 && !saysNone(text))
        this.assume(path, 'told to the agent, but claimed by nobody, because it is no path', text)
      return paths
    })
  }

  otherSections({ value, path }: Item, known: ReadonlySet<string>): PromptSection[] {
    return otherFields(value, known).map(({ name, text }) => {
      this.assume([...path, name], 'told to the agent, and otherwise without a meaning here', name)
      return [headingOf(name), text]
    })
  }

  /** The dependencies of a task, each once. The caller reports unknown names in fields of the format; elsewhere they only warn. */
  waits(item: Item, { own, not = [], isKnown }: WaitOptions): Named[] {
    const found = new Map<string, Named>()
    const isName = (one: unknown): boolean => typeof one === 'string' || typeof one === 'number'
    for (const field of [...own, ...WAIT_FIELDS.filter((name) => !own.includes(name) && !not.includes(name))]) {
      const isOwn = own.includes(field)
      if (!isOwn && ![item.value[field] ?? []].flat().every(isName)) {
        this.warn([...item.path, field], `\`${field}\` is no list of names: nothing waits for it`)
        continue
      }
      for (const name of this.names(item, field)) {
        const isKnownName = isKnown(name.text)
        if (found.has(name.text) || (NO_NAME.test(name.text) && !isKnownName)) continue
        if ((isOwn && mayBeName(name.text)) || isKnownName) found.set(name.text, name)
        else this.warn(name.path, noTaskWords(field, name.text))
      }
    }
    return [...found.values()]
  }

  priority({ value, path }: Item): number | undefined {
    const level = numberIn(value.priority)
    if (isNothing(level)) return undefined
    if (typeof level === 'number' && Number.isFinite(level)) return priorityOf(level)
    const word = typeof level === 'string' ? level.trim().toLowerCase() : ''
    const known = Number(/^p(\d{1,3})$/.exec(word)?.[1] ?? LEVELS.findIndex((words) => words.includes(word)))
    if (known >= 0) return priorityOf(known)
    this.ignore([...path, 'priority'], `the priority is ${kindOf(level)}, which is not known here`)
    return undefined
  }

  /** Reports the fields of a task that have no meaning here and do not reach the agent. */
  noteUntold({ value, path }: Item, known: ReadonlySet<string>, what: string): void {
    const unknown = Object.keys(value).filter((name) => !known.has(name))
    if (unknown.length === 0) return
    const told = new Set(otherFields(value, known).map(({ name }) => name))
    for (const name of unknown) if (!told.has(name)) this.ignore([...path, name], `fields of a ${what}`, name)
  }

  /** The translation, or all problems. `nothing`: the help in the message if there are no tasks at all. */
  finishJson(nothing: string): Result<Translation> {
    const read = this.finish()
    if (!read.ok) return read
    if (this.entries.length === 0) return refuse(problem(nothing, { file: this.file, line: 1, column: 1 }))
    read.value.warnings?.push(...(this.#document.doubled?.() ?? []))
    return read
  }
}

const NO_NAME = /^(?:none|n\/a|nothing|-)$/i

export function noTaskWords(field: string, name: string): string {
  return `\`${field}\` names ${shown(name)}, which is no task here: nothing waits for it`
}

/** True for one word or `Task 3`, but not for `waiting for legal`. */
export function mayBeName(text: string): boolean {
  return /^(?:(?:task|subtask|issue|feature|story|epic|phase|plan)\s{1,9})?\S+$/i.test(text)
}

/** Level 0 is the most urgent; level 2 means no priority. `1` is `P1` is high. */
function priorityOf(level: number): number {
  return 20 - 10 * level
}

const LEVELS = [['critical', 'urgent', 'highest'], ['high'], ['medium', 'normal'], ['low'], ['lowest']]

// Loosely written values.

/** The number as it is written: `2.10` is another task than `2.1`. */
function numberName(value: number, path: Path, { numeral }: Pick<Document, 'numeral'>): string {
  const written = Number.isSafeInteger(value) ? null : numeral?.(path)
  return written ?? String(value)
}

/** A number written as text becomes one: `"5"` is 5. Any other value stays as it is. */
export function numberIn(value: unknown): unknown {
  return typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value
}

export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** A boolean, also written as text or as 1 and 0. Null for any other value. */
export function truthOf(value: unknown): boolean | null {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value
  if (word === true || word === 'true' || numberIn(word) === 1) return true
  return word === false || word === 'false' || numberIn(word) === 0 ? false : null
}
