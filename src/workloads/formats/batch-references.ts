// The batches and tasks that a `**Dependencies:**` names, found in the plan.
import { shown } from '../field.ts'
import type { Place } from '../place.ts'
import { type Dependency, readBefore, readDependencies } from './batch-dependencies.ts'
import { dependenciesOf } from './batch-fields.ts'
import { type Field, itemsOf, type Section } from './batch-sections.ts'
import type { MarkdownPlan } from './markdown-plan.ts'

type Numbered = Section & { number: number }
type Named = Section & { id: string; batch: Section }

/** One of the things that were written, with all it stands for: a range stands for several. */
export type Reference<B, T> = { place: Place; batches: B[]; tasks: T[] }

export class BatchReferences<B extends Numbered, T extends Named> {
  readonly #plan: MarkdownPlan
  readonly #placeOf: (line: number, column: number) => Place
  readonly #batches: readonly B[]
  readonly #tasks: readonly T[]
  readonly #byNumber = new Map<number, B>()
  readonly #indexOf = new Map<string, number>()
  /** Where each stands in its list. */
  readonly #order = new Map<Section, number>()
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
    for (const [index, batch] of batches.entries()) {
      this.#byNumber.set(batch.number, batch)
      this.#order.set(batch, index)
    }
    for (const [index, task] of tasks.entries()) {
      if (!this.#indexOf.has(task.id)) this.#indexOf.set(task.id, index)
      this.#order.set(task, index)
    }
  }

  /** Null where it says nothing about dependencies. */
  of(section: B | T): Reference<B, T>[] | null {
    const field = dependenciesOf(section)
    if (!field) return null
    const known = this.#known.get(section) ?? this.#read(field, section)
    this.#known.set(section, known)
    return known
  }

  #read(field: Field, section: B | T): Reference<B, T>[] {
    const what = 'number' in section ? 'batch' : 'task'
    const vague: { text: string; place: Place }[] = []
    const all = writtenIn(field).flatMap(({ text, line, column }) => {
      const { found: dependencies, saysNone } = readDependencies(text, what)
      const found = dependencies.flatMap((dependency): Reference<B, T>[] => {
        const place = this.#placeOf(line, column + dependency.offset)
        const batches = dependency.kind === 'batch' ? this.#batchesOf(dependency, place) : []
        const tasks = dependency.kind === 'task' ? this.#tasksOf(dependency, place) : []
        if (!batches || !tasks) return []
        if (batches.length + tasks.length > 0) return [{ place, batches, tasks }]
        if (dependency.isNamed) this.#plan.error(place, `there is no ${wordsFor(dependency)} to depend on`)
        return []
      })
      if (found.length > 0 || saysNone || dependencies.some(({ isNamed }) => isNamed)) return found
      const place = this.#placeOf(line, column)
      const before = this.#before(text, section, place)
      if (!before) vague.push({ text, place })
      return before ?? []
    })
    return [...all, ...this.#insteadOf(vague, section, all.length > 0)]
  }

  /** `All previous batches`, and what is like it. Null: it is something else. */
  #before(text: string, section: B | T, place: Place): Reference<B, T>[] | null {
    const said = readBefore(text)
    if (!said) return null
    if ('number' in section) return this.#batchesBefore(section, said.isAll, place)
    if (said.kind === 'batch') return this.#batchesBefore(section.batch, said.isAll, place)
    const at = this.#order.get(section) ?? 0
    let from = at
    while (from > 0 && this.#tasks[from - 1]?.batch === section.batch && (said.isAll || from === at)) from--
    return this.#plan.mayNeed(at - from, place) ? [{ place, batches: [], tasks: this.#tasks.slice(from, at) }] : []
  }

  #batchesBefore(batch: Section, isAll: boolean, place: Place): Reference<B, T>[] {
    const at = this.#order.get(batch) ?? 0
    const from = isAll ? 0 : Math.max(0, at - 1)
    return this.#plan.mayNeed(at - from, place) ? [{ place, batches: this.#batches.slice(from, at), tasks: [] }] : []
  }

  /** A batch of which nobody knows what it waits for waits for the one before it: too early is worse than late. */
  #insteadOf(vague: readonly { text: string; place: Place }[], section: B | T, isKnown: boolean): Reference<B, T>[] {
    const [first] = vague
    if (!first) return []
    const before = 'number' in section && !isKnown ? this.#batchesBefore(section, false, first.place) : []
    const waits = before.some(({ batches }) => batches.length > 0)
    for (const { text, place } of vague)
      this.#plan.assume(
        place,
        `the dependency ${shown(text)} names no batch or task: ${waits ? 'the batch waits for the one before it' : 'nothing waits for it'}`,
      )
    return before
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
