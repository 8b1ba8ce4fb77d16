// What `**Dependencies:**` names, found in the plan. A batch without any waits for the one before it: late is better than early.
import { shown } from '../../document/field.ts'
import type { Place } from '../../document/place.ts'
import type { GroupNeed } from '../order/needs-through.ts'
import { type Dependencies, type Dependency, readDependencies } from './dependencies.ts'
import { OTHER_WAITS, OWN_WAITS } from './field-names.ts'
import { fieldsNamed } from './fields.ts'
import { type Field, itemsOf, type Section } from './sections.ts'
import type { BatchFile, Planned, PlannedBatch } from './tasks.ts'

export type Waits = { batches: GroupNeed<PlannedBatch, Place>[]; tasks: GroupNeed<Planned, Place>[] }

type Part = PlannedBatch | Planned

/** Each is read once, so that what is wrong with it is said once. */
export function waitsReader(read: BatchFile): (part: Part) => Waits {
  const finder = new Finder(read)
  const known = new Map<Part, Waits>()
  return (part) => {
    const waits = known.get(part) ?? readWaits(part, read, finder)
    known.set(part, waits)
    return waits
  }
}

function readWaits(part: Part, { plan, file }: BatchFile, finder: Finder): Waits {
  const waits = { batches: [], tasks: [], seen: new Set<Part>() } as Waits & { seen: Set<Part> }
  const vague: { text: string; place: Place }[] = []
  let isUnderstood = false
  for (const { text, isLoose, line, column } of writtenIn(part)) {
    const placeOf = (offset: number): Place => plan.place(file, line, column + offset)
    const { named, before, isNone } = readDependencies(text, 'number' in part ? 'batch' : 'task', isLoose)
    const found = named.map((one) => add(finder.named(one, placeOf(one.offset), isLoose), placeOf(one.offset), waits))
    if (before) add(finder.before(part, before, placeOf(0)), placeOf(0), waits)
    const isSaid = isNone || before !== null || found.includes(true)
    isUnderstood ||= isSaid
    if (!isSaid && !named.some(({ isNamed }) => isNamed)) vague.push({ text, place: placeOf(0) })
  }
  const instead = 'number' in part && !isUnderstood ? part.before : null
  if (instead) waits.batches.push({ group: instead, path: plan.place(file, part.line, part.column) })
  const end = instead ? 'the batch waits for the one before it' : 'nothing waits for it'
  for (const { text, place } of plan.isRefused ? [] : vague)
    plan.assume(place, `the dependency ${shown(text)} does not begin with a batch or task: ${end}`)
  return waits
}

function add(parts: readonly Part[], path: Place, { seen, ...waits }: Waits & { seen: Set<Part> }): boolean {
  for (const group of parts) {
    if (seen.has(group)) continue
    seen.add(group)
    if ('number' in group) waits.batches.push({ group, path })
    else waits.tasks.push({ group, path })
  }
  return parts.length > 0
}

class Finder {
  readonly #read: BatchFile
  readonly #batchOf: Map<string, PlannedBatch>
  readonly #indexOf: Map<string, number>
  readonly #positionOf: Map<Part, number>

  constructor(read: BatchFile) {
    this.#read = read
    this.#batchOf = new Map(read.batches.map((batch) => [batch.id, batch]))
    this.#indexOf = new Map(read.tasks.map(({ id }, i) => [id, i]))
    this.#positionOf = new Map([
      ...read.batches.map((batch, i): [Part, number] => [batch, i]),
      ...read.tasks.map((task, i): [Part, number] => [task, i]),
    ])
  }

  /** None where it is not in the plan. `isLoose`: something else may be meant. */
  named(dependency: Dependency, place: Place, isLoose: boolean): readonly Part[] {
    const { kind, first, last, isNamed } = dependency
    const found = kind === 'batch' ? this.#batches(dependency, place) : this.#tasks(dependency, place)
    if (found.length > 0 || !isNamed || this.#read.plan.isRefused) return found
    const missing = `there is no ${kind} ${first}${last === null ? '' : `-${last}`} to depend on`
    if (isLoose) this.#read.plan.warn(place, `${missing}: it is told to the agent, and orders nothing`)
    else this.#read.plan.error(place, missing)
    return []
  }

  /** Batches before the one it is or is in; or tasks of its batch. */
  before(part: Part, { kind, isAll }: NonNullable<Dependencies['before']>, place: Place): readonly Part[] {
    const { plan, batches, tasks } = this.#read
    const isOfTasks = !('number' in part) && kind === 'task'
    const end = this.#positionOf.get(isOfTasks || 'number' in part ? part : part.batch) ?? 0
    const first = isOfTasks ? (this.#positionOf.get(part.batch.tasks[0] ?? part) ?? end) : 0
    const start = isAll ? first : Math.max(end - 1, first)
    if (!plan.mayNeed(end - start, place)) return []
    return isOfTasks ? tasks.slice(start, end) : batches.slice(start, end)
  }

  /** `Batch 0` is `Batch 0a` and `Batch 0b` where there is no other. */
  #batches({ first, last }: Dependency, place: Place): PlannedBatch[] {
    const { plan, batches } = this.#read
    const [from, to] = [Number.parseInt(first, 10), Number.parseInt(last ?? first, 10)]
    const exact = last === null ? (this.#batchOf.get(first) ?? this.#batchOf.get(String(from))) : undefined
    if (exact) return [exact]
    if (!plan.mayNeed(batches.length, place)) return []
    return batches.filter(({ number }) => number >= from && number <= to)
  }

  #tasks({ first, last }: Dependency, place: Place): Planned[] {
    const [from, to] = [this.#indexOf.get(first), this.#indexOf.get(last ?? first)]
    if (from === undefined || to === undefined) return []
    return this.#read.plan.mayNeed(Math.max(to - from, 0), place) ? this.#read.tasks.slice(from, to + 1) : []
  }
}

type Written = { text: string; isLoose: boolean; line: number; column: number }

function writtenIn(section: Section): Written[] {
  return [
    ...fieldsNamed(section, OWN_WAITS).flatMap((field) => linesOf(field, false)),
    ...fieldsNamed(section, OTHER_WAITS).flatMap((field) => linesOf(field, true)),
  ]
}

function linesOf(field: Field, isLoose: boolean): Written[] {
  const items = itemsOf(field)
  if (field.said !== '' || items.length === 0)
    return [{ isLoose, text: field.said, line: field.line, column: field.column }]
  return items.map(({ text, line }) => {
    return { isLoose, text, line: line.number, column: line.text.trimEnd().length - text.length + 1 }
  })
}
