// Reads a JSON document of another format, and collects what there is to say of it. A value of the wrong kind is reported only
// where that matters.
import { LIMITS } from '../../../config.ts'
import { problem, type Result, refuse } from '../../../problem.ts'
import { doubledWords } from '../../document/doubled-names.ts'
import { kindOf, shown, shownNames } from '../../document/field.ts'
import type { Document, Path } from '../../document/place.ts'
import { isMapping } from '../../document/schema-check.ts'
import { claimsOf, type NamedPaths, type PathClaims, pathsInField, saysNone } from '../claims.ts'
import type { Translation } from '../format.ts'
import { PlanDraft } from '../plan-draft.ts'
import { otherFields, type PromptSection, prose, toSection } from '../prompt.ts'
import { type Item, isNothing, type Named, numberIn, numberName, truthOf } from './values.ts'

/** Names under which people write what a task waits for. */
export const WAIT_FIELDS: readonly string[] = [
  ...['depends_on', 'dependsOn', 'blocked_by', 'blockedBy', 'dependencies', 'needs'],
]

/** `own`: the fields that the format itself has for it; `not`: those it has for something else. */
type WaitOptions = { own: readonly string[]; not?: readonly string[]; isKnown(name: string): boolean }

export class JsonReader extends PlanDraft<Path> {
  readonly #document: Document
  #edgesLeft: number = LIMITS.epicEdges
  readonly #ignoredNames = new Set<string>()
  /** The first place of each field that is told to agents, and of each text among the paths that is none. */
  readonly #told = new Map<string, Path>()
  readonly #noPaths = new Map<string, Path>()

  constructor(document: Document, file: string) {
    super(file, (all) =>
      document.locate(all.map(({ place, isName }) => ({ path: place, at: isName ? 'name' : 'value' }))),
    )
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

  /** Words, in whatever form they were written: never an error. */
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

  claims(item: Item, what: string, paths: NamedPaths): PathClaims {
    const [write, read] = [this.#pathsIn(paths.write, item), this.#pathsIn(paths.read, item)]
    const claims = claimsOf({ write, read })
    const [first] = claims.outside ?? []
    if (first !== undefined) this.warn(item.path, `${what} will fail: ${first} is outside of the repository`)
    return claims
  }

  #pathsIn(texts: readonly string[], { path }: Item): string[] {
    return texts.flatMap((text) => {
      const paths = pathsInField(text)
      if (paths.length === 0 && !saysNone(text)) this.#noteNoPath(text, path)
      return paths
    })
  }

  otherSections({ value, path }: Item, known: ReadonlySet<string>): PromptSection[] {
    const fields = otherFields(value, known)
    for (const { name } of fields) this.#noteTold(name, [...path, name])
    return fields.map(toSection)
  }

  /** Asked before a need on a group becomes needs on its tasks: false, and reported once, when these are too many. */
  takeEdges(count: number, path: Path): boolean {
    if (this.#edgesLeft < 0) return false
    this.#edgesLeft -= count
    if (this.#edgesLeft >= 0) return true
    const most = LIMITS.epicEdges.toLocaleString('en')
    this.error(
      path,
      `the groups of this file are so large, or so deep, that they come to more than ${most} needs between tasks`,
    )
    return false
  }

  /** Each name once. An unknown one in a field of the format is for the caller to report; elsewhere it is only a warning. */
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

  /** Notes where it stands, and reports a second of the same name. `first`: where each of them is. */
  noteName(first: Map<string, Path>, what: string, name: string, path: Path): void {
    const same = first.get(name)
    if (!same) first.set(name, path)
    else this.error(path, (line) => `there are two ${what}s ${shown(name)}; the first is in line ${line}`, same)
  }

  #noteTold(name: string, path: Path): void {
    noteFirst(this.#told, name, path)
  }

  #noteNoPath(text: string, path: Path): void {
    noteFirst(this.#noPaths, text, path)
  }

  /** Notes every name of the mapping that is not among the known ones: once in the file. */
  noteUnknown({ value, path }: Item, known: ReadonlySet<string>, what: string, names = Object.keys(value)): void {
    for (const name of names) {
      if (known.has(name) || this.#ignoredNames.has(`${what} ${name}`)) continue
      this.#ignoredNames.add(`${what} ${name}`)
      this.ignore([...path, name], `${shown(name)} of ${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what}`)
    }
  }

  noteUntold(item: Item, known: ReadonlySet<string>, what: string): void {
    const told = new Set(otherFields(item.value, known).map(({ name }) => name))
    const names = Object.keys(item.value).filter((name) => !told.has(name))
    this.noteUnknown(item, known, what, names)
  }

  /** What was read, or everything that is wrong with it; `nothing`: what to say where there are no tasks at all. */
  finishJson(nothing: string): Result<Translation> {
    const [told] = this.#told.values()
    const names = shownNames([...this.#told.keys()])
    if (told) this.assume(told, `told to the agent, and otherwise without a meaning here: ${names}`)
    const [noPath] = this.#noPaths.values()
    const texts = shownNames([...this.#noPaths.keys()])
    if (noPath) this.assume(noPath, `told to the agent, but claimed by nobody, because it is no path: ${texts}`)
    const read = this.finish()
    if (!read.ok) return read
    if (this.entries.length === 0) return refuse(problem(nothing, { file: this.file, line: 1, column: 1 }))
    for (const { name, place } of this.#document.doubled?.() ?? [])
      read.value.warnings?.push({ message: doubledWords(name), place })
    return read
  }
}

const NO_NAME = /^(?:none|n\/a|nothing|-)$/i

export function noTaskWords(field: string, name: string): string {
  return `\`${field}\` names ${shown(name)}, which is no task here: nothing waits for it`
}

/** One word, or `Task 3`: not `waiting for legal`. */
export function mayBeName(text: string): boolean {
  return /^(?:(?:task|subtask|issue|feature|story|epic|phase|plan)\s{1,9})?\S+$/i.test(text)
}

/** Level 0 goes first; level 2 is as good as no priority. `1` is `P1` is high. */
function priorityOf(level: number): number {
  return 20 - 10 * level
}

const LEVELS = [['critical', 'urgent', 'highest'], ['high'], ['medium', 'normal'], ['low'], ['lowest']]

/** A file has no end of names and texts; so many are enough to count. */
const MAX_NOTED = 10_000

function noteFirst(noted: Map<string, Path>, name: string, path: Path): void {
  if (noted.size < MAX_NOTED && !noted.has(name)) noted.set(name, path)
}
