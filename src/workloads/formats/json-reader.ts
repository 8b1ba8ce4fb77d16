// Reads a JSON document of another format. Where a value has the wrong kind and that matters, it is reported with its
// place; what nobody knows is noted once. Places are worked out in the end, all in one pass over the text.
import { LIMITS } from '../../config.ts'
import { ok, problem, type Result, refuse } from '../../problem.ts'
import { type DoubledName, doubledWords } from '../doubled-names.ts'
import { kindOf, shown } from '../field.ts'
import { addError, addWarning, errorsOf, type Findings, newFindings } from '../findings.ts'
import { readJson } from '../json-document.ts'
import type { Document, Path } from '../place.ts'
import { isMapping } from '../schema-check.ts'
import type { Entry, Remark, SourceFile, Translation } from './format.ts'
import { namesInWords } from './names-in-words.ts'
import { claimsOf, type NamedPaths, type PathClaims } from './path-claims.ts'
import type { PlanBuilder } from './plan-builder.ts'
import { prose, type Section } from './prompt-text.ts'
import { pathsSaid, saysNone } from './said-paths.ts'
import { toldFields, toSection } from './told-fields.ts'

/** A mapping of the file and where it is. */
export type Item = { value: Record<string, unknown>; path: Path }

/** A text or number of the file, as text, and where it is. */
export type Named = { text: string; path: Path }

type Noted = { path: Path; at: 'value' | 'name'; message: string }

export class JsonReader {
  readonly #document: Document
  readonly #file: string
  readonly #findings: Findings = newFindings()
  readonly #assumed: Noted[] = []
  readonly #ignored: Noted[] = []
  readonly #ignoredNames = new Set<string>()
  /** Where they stand first: fields that are told to agents, and texts among the paths that are none. */
  readonly #told = new Map<string, Path>()
  readonly #noPaths = new Map<string, Path>()
  #edgesLeft: number = LIMITS.epicEdges

  constructor(document: Document, file: string) {
    this.#document = document
    this.#file = file
  }

  /** The whole file; an empty mapping where it is something else. */
  root(): Item {
    const { value } = this.#document
    if (isMapping(value)) return { value, path: [] }
    this.error([], `a mapping is expected here, not ${kindOf(value)}`)
    return { value: {}, path: [] }
  }

  /** The mappings of a list; none where there is no list. */
  items({ value, path }: Item, name: string): Item[] {
    const list = value[name]
    if (list === undefined || list === null) return []
    if (!Array.isArray(list)) {
      this.error([...path, name], `\`${name}\` must be a list, not ${kindOf(list)}`)
      return []
    }
    return list.flatMap((item, i) => {
      const at = [...path, name, i]
      if (isMapping(item)) return [{ value: item, path: at }]
      this.error(at, `\`${name}[${i}]\` must be a mapping, not ${kindOf(item)}`)
      return []
    })
  }

  /** The mapping inside this one; an empty one where there is none. */
  inner({ value, path }: Item, name: string): Item {
    const inside = value[name]
    return { value: isMapping(inside) ? inside : {}, path: [...path, name] }
  }

  /** What a thing is called: a text or a number. Null and reported where it has no name that could be used. */
  id(item: Item, what: string, name = 'id'): string | null {
    const value = item.value[name]
    const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
    if (text !== '') return text
    if (value === undefined || value === null || value === '') this.error(item.path, `this ${what} has no \`${name}\``)
    else this.error([...item.path, name], `\`${name}\` must be a text or a number, not ${kindOf(value)}`)
    return null
  }

  /** Texts and numbers of a list; one alone counts as a list of one. */
  names({ value, path }: Item, name: string): Named[] {
    const written = value[name]
    if (written === undefined || written === null) return []
    const list = Array.isArray(written) ? written : [written]
    return list.flatMap((one, i) => {
      const at = Array.isArray(written) ? [...path, name, i] : [...path, name]
      if (typeof one === 'number') return [{ text: String(one), path: at }]
      if (typeof one === 'string') return one.trim() === '' ? [] : [{ text: one.trim(), path: at }]
      this.error(at, `\`${name}\` must hold texts or numbers, not ${kindOf(one)}`)
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

  /** undefined where there is none; reported where it is something else, or out of bounds. */
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

  /** The claims of a task; `what` names it in the warning that it cannot succeed. */
  claims(item: Item, what: string, paths: NamedPaths): PathClaims {
    const [write, read] = [this.#pathsIn(paths.write, item), this.#pathsIn(paths.read, item)]
    const claims = claimsOf({ write, read })
    const [first] = claims.outside ?? []
    if (first !== undefined) this.warn(item.path, `${what} will fail: ${first} is outside of the repository`)
    return claims
  }

  #pathsIn(texts: readonly string[], { path }: Item): string[] {
    return texts.flatMap((text) => {
      const paths = pathsSaid(text)
      if (paths.length === 0 && !saysNone(text)) noteFirst(this.#noPaths, text, path)
      return paths
    })
  }

  /** What a task says in fields that have no meaning here, for its prompt. */
  told({ value, path }: Item, known: ReadonlySet<string>): Section[] {
    const fields = toldFields(value, known)
    for (const { name } of fields) noteFirst(this.#told, name, [...path, name])
    return fields.map(toSection)
  }

  error(path: Path, message: string | ((line: number) => string), extra: { other?: Path } = {}): void {
    addError(this.#findings, path, message, extra)
  }

  /**
   * Where a need on a group of tasks becomes needs on each of them: false, and reported once, when these are too many.
   */
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

  /** Two of the same name: `first` is where the other one is. */
  twice(what: string, name: string, path: Path, first: Path): void {
    const message = (line: number): string => `there are two ${what}s ${shown(name)}; the first is in line ${line}`
    this.error(path, message, { other: first })
  }

  warn(path: Path, message: string): void {
    addWarning(this.#findings, path, message)
  }

  assume(path: Path, message: string): void {
    if (this.#assumed.length < LIMITS.problems) this.#assumed.push({ path, at: 'value', message })
  }

  ignore(path: Path, message: string): void {
    if (this.#ignored.length < LIMITS.problems) this.#ignored.push({ path, at: 'name', message })
  }

  /** Notes every name of the mapping that is not among the known ones: once in the file. */
  noteUnknown({ value, path }: Item, known: ReadonlySet<string>, what: string): void {
    this.#noteNames({ value, path }, Object.keys(value), known, what)
  }

  /** The same for a task, without what is told to its agent. */
  noteUntold(item: Item, known: ReadonlySet<string>, what: string): void {
    const told = new Set(toldFields(item.value, known).map(({ name }) => name))
    const names = Object.keys(item.value).filter((name) => !told.has(name))
    this.#noteNames(item, names, known, what)
  }

  #noteNames({ path }: Item, names: readonly string[], known: ReadonlySet<string>, what: string): void {
    for (const name of names) {
      if (known.has(name) || this.#ignoredNames.has(`${what} ${name}`)) continue
      this.#ignoredNames.add(`${what} ${name}`)
      this.ignore([...path, name], `${shown(name)} of ${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what}`)
    }
  }

  /** What was read, or everything that is wrong with it; `nothing`: what to say where there are no tasks at all. */
  finish(plan: PlanBuilder, entries: Entry[], nothing: string): Result<Translation> {
    const document = this.#document
    this.#tellOfGroups()
    if (this.#findings.errors.length > 0) return refuse(...errorsOf(this.#findings, document, this.#file))
    if (entries.length === 0) return refuse(problem(nothing, { file: this.#file, line: 1, column: 1 }))
    const warned = this.#findings.warnings.map(({ path, message }): Noted => {
      return { path, at: 'value', message: String(message) }
    })
    const noted = [...this.#assumed, ...this.#ignored, ...warned]
    const places = noted.length > 0 ? document.locate(noted) : []
    const remarks = noted.map(({ message }, i): Remark => ({ message, place: places[i] ?? { line: 1, column: 1 } }))
    const [assumed, ignored] = [this.#assumed.length, this.#ignored.length]
    return ok({
      value: plan.value(),
      locate: (spots) => document.locate(spots.map(({ path }) => ({ path: plan.origin(path), at: 'value' as const }))),
      assumed: remarks.slice(0, assumed),
      ignored: remarks.slice(assumed, assumed + ignored),
      warnings: [...remarks.slice(assumed + ignored), ...(document.doubled?.() ?? []).map(toWarning)],
      entries,
      epicNames: plan.epicNames,
    })
  }

  #tellOfGroups(): void {
    const [told] = this.#told.values()
    const names = namesInWords([...this.#told.keys()])
    if (told) this.assume(told, `told to the agent, and otherwise without a meaning here: ${names}`)
    const [noPath] = this.#noPaths.values()
    const texts = namesInWords([...this.#noPaths.keys()])
    if (noPath) this.assume(noPath, `told to the agent, but claimed by nobody, because it is no path: ${texts}`)
  }
}

/** A file has no end of names and texts; so many are enough to count. */
const MAX_NOTED = 10_000

function noteFirst(noted: Map<string, Path>, name: string, path: Path): void {
  if (noted.size < MAX_NOTED && !noted.has(name)) noted.set(name, path)
}

function toWarning({ name, place }: DoubledName): Remark {
  return { message: doubledWords(name), place }
}

/** Some programs write numbers as texts: `"5"` is 5. Anything else stays as it is. */
export function numberIn(value: unknown): unknown {
  return typeof value === 'string' && /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value
}

export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** Also as a text, or as a database prints it: 1 and 0. Null for anything else. */
export function truthOf(value: unknown): boolean | null {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value
  if (word === true || word === 'true' || numberIn(word) === 1) return true
  return word === false || word === 'false' || numberIn(word) === 0 ? false : null
}

/** The document of a file whose format is JSON. */
export function jsonOf({ file, text, json }: SourceFile): Result<Document> {
  return json ? ok(json) : readJson(text, file)
}
