// What there is to say about a JSON document of another format, by path. Places are worked out in the end, all in one pass
// over the text.
import { LIMITS } from '../../../config.ts'
import { ok, problem, type Result, refuse } from '../../../problem.ts'
import { doubledWords } from '../../document/doubled-names.ts'
import { shown } from '../../document/field.ts'
import { addError, addWarning, errorsOf, type Findings, newFindings } from '../../document/findings.ts'
import type { Document, Path } from '../../document/place.ts'
import type { Entry, Remark, Translation } from '../format.ts'
import { namesInWords } from '../names-in-words.ts'
import { toldFields } from '../prompt/other-fields.ts'
import type { PlanBuilder } from './plan-builder.ts'
import type { Item } from './values.ts'

export class JsonRemarks {
  protected readonly document: Document
  readonly #file: string
  readonly #findings: Findings = newFindings()
  readonly #assumed: Noted[] = []
  readonly #ignored: Noted[] = []
  readonly #ignoredNames = new Set<string>()
  /** Where they stand first: fields that are told to agents, and texts among the paths that are none. */
  readonly #told = new Map<string, Path>()
  readonly #noPaths = new Map<string, Path>()

  constructor(document: Document, file: string) {
    this.document = document
    this.#file = file
  }

  error(path: Path, message: string | ((line: number) => string), extra: { other?: Path } = {}): void {
    addError(this.#findings, path, message, extra)
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

  /** A field that is told to an agent, and otherwise has no meaning here. */
  protected noteTold(name: string, path: Path): void {
    noteFirst(this.#told, name, path)
  }

  /** A text among the paths that is none. */
  protected noteNoPath(text: string, path: Path): void {
    noteFirst(this.#noPaths, text, path)
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
    const { document } = this
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
      warnings: [
        ...remarks.slice(assumed + ignored),
        ...(document.doubled?.() ?? []).map((one) => ({ message: doubledWords(one.name), place: one.place })),
      ],
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

type Noted = { path: Path; at: 'value' | 'name'; message: string }

/** A file has no end of names and texts; so many are enough to count. */
const MAX_NOTED = 10_000

function noteFirst(noted: Map<string, Path>, name: string, path: Path): void {
  if (noted.size < MAX_NOTED && !noted.has(name)) noted.set(name, path)
}
