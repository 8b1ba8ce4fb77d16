// A plan on its way from JSON, by path; and what of the file is told to agents without a meaning here, or has none at all.
import { problem, type Result, refuse } from '../../../problem.ts'
import { doubledWords } from '../../document/doubled-names.ts'
import { shown, shownNames } from '../../document/field.ts'
import type { Document, Path } from '../../document/place.ts'
import type { Translation } from '../format.ts'
import { PlanDraft } from '../plan-draft.ts'
import { otherFields } from '../task-prompt/other-fields.ts'
import type { Item } from './values.ts'

export class JsonRemarks extends PlanDraft<Path> {
  protected readonly document: Document
  readonly #ignoredNames = new Set<string>()
  /** Where they stand first: fields that are told to agents, and texts among the paths that are none. */
  readonly #told = new Map<string, Path>()
  readonly #noPaths = new Map<string, Path>()

  constructor(document: Document, file: string) {
    super(file, (all) =>
      document.locate(all.map(({ place, isName }) => ({ path: place, at: isName ? 'name' : 'value' }))),
    )
    this.document = document
  }

  /** Notes where it stands, and reports a second of the same name. `first`: where each of them is. */
  noteName(first: Map<string, Path>, what: string, name: string, path: Path): void {
    const same = first.get(name)
    if (!same) first.set(name, path)
    else this.error(path, (line) => `there are two ${what}s ${shown(name)}; the first is in line ${line}`, same)
  }

  protected noteTold(name: string, path: Path): void {
    noteFirst(this.#told, name, path)
  }

  protected noteNoPath(text: string, path: Path): void {
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
    for (const { name, place } of this.document.doubled?.() ?? [])
      read.value.warnings?.push({ message: doubledWords(name), place })
    return read
  }
}

/** A file has no end of names and texts; so many are enough to count. */
const MAX_NOTED = 10_000

function noteFirst(noted: Map<string, Path>, name: string, path: Path): void {
  if (noted.size < MAX_NOTED && !noted.has(name)) noted.set(name, path)
}
