// The batches and tasks that a `**Dependencies:**` names, found in the plan.
import { shown } from '../field.ts'
import type { Place } from '../place.ts'
import { type Dependency, readDependencies } from './batch-dependencies.ts'
import { dependenciesOf } from './batch-fields.ts'
import { type Field, itemsOf, type Section } from './batch-sections.ts'
import type { MarkdownPlan } from './markdown-plan.ts'

type Numbered = Section & { number: number }
type Named = Section & { id: string }

/** One of the things that were written, with all it stands for: a range stands for several. */
export type Reference<B, T> = { place: Place; batches: B[]; tasks: T[] }

export class BatchReferences<B extends Numbered, T extends Named> {
  readonly #plan: MarkdownPlan
  readonly #placeOf: (line: number, column: number) => Place
  readonly #batches: readonly B[]
  readonly #tasks: readonly T[]
  readonly #byNumber = new Map<number, B>()
  readonly #indexOf = new Map<string, number>()
  readonly #known = new Map<Section, Reference<B, T>[]>()

  constructor(
    plan: MarkdownPlan,
    placeOf: (line: number, column: number) => Place,
    { batches, tasks }: { batches: readonly B[]; tasks: readonly T[] },
  ) {
    this.#plan = plan
    this.#placeOf = placeOf
    this.#batches = batches
    this.#tasks = tasks
    for (const batch of batches) this.#byNumber.set(batch.number, batch)
    tasks.forEach(({ id }, index) => {
      if (!this.#indexOf.has(id)) this.#indexOf.set(id, index)
    })
  }

  /** Null where it says nothing about dependencies. */
  of(section: Section, what: 'batch' | 'task'): Reference<B, T>[] | null {
    const field = dependenciesOf(section)
    if (!field) return null
    const known = this.#known.get(section) ?? this.#read(field, what)
    this.#known.set(section, known)
    return known
  }

  #read(field: Field, what: 'batch' | 'task'): Reference<B, T>[] {
    return writtenIn(field).flatMap(({ text, line, column }) => {
      const dependencies = readDependencies(text, what)
      const found = dependencies.flatMap((dependency): Reference<B, T>[] => {
        const place = this.#placeOf(line, column + dependency.offset)
        const batches = dependency.kind === 'batch' ? this.#batchesOf(dependency, place) : []
        const tasks = dependency.kind === 'task' ? this.#tasksOf(dependency, place) : []
        if (!batches || !tasks) return []
        if (batches.length + tasks.length > 0) return [{ place, batches, tasks }]
        if (dependency.isNamed) this.#plan.error(place, `there is no ${wordsFor(dependency)} to depend on`)
        return []
      })
      if (found.length === 0 && !SAYS_NONE.test(text) && !dependencies.some(({ isNamed }) => isNamed))
        this.#plan.assume(
          this.#placeOf(line, column),
          `the dependency ${shown(text)} names no batch or task: nothing waits for it`,
        )
      return found
    })
  }

  /** Null where it would be too many. */
  #batchesOf({ first, last }: Dependency, place: Place): B[] | null {
    const batch = this.#byNumber.get(Number(first))
    if (last === null) return batch ? [batch] : []
    if (!this.#plan.mayNeed(this.#batches.length, place)) return null
    return this.#batches.filter(({ number }) => number >= Number(first) && number <= Number(last))
  }

  /** In the order of the file. Null where it would be too many. */
  #tasksOf({ first, last }: Dependency, place: Place): T[] | null {
    const from = this.#indexOf.get(first)
    const to = last === null ? from : this.#indexOf.get(last)
    if (from === undefined || to === undefined) return []
    return this.#plan.mayNeed(Math.max(to - from, 0), place) ? this.#tasks.slice(from, to + 1) : null
  }
}

function writtenIn(field: Field): { text: string; line: number; column: number }[] {
  const items = itemsOf(field)
  if (field.said !== '' || items.length === 0) return [{ text: field.said, line: field.line, column: field.column }]
  return items.map(({ text, line }) => ({
    text,
    line: line.number,
    column: line.text.trimEnd().length - text.length + 1,
  }))
}

function wordsFor({ kind, first, last }: Dependency): string {
  return last === null ? `${kind} ${first}` : `${kind} ${first}-${last}`
}

const SAYS_NONE = /^[\s*_`(-]*(?:none|no\b|n\/a|nothing|-|–|—|$)/i
