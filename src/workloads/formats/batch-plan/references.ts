// The batches and tasks that a `**Dependencies:**` names, found in the plan.
import { shown } from '../../document/field.ts'
import type { Place } from '../../document/place.ts'
import type { MarkdownPlan } from '../markdown/plan.ts'
import { type Dependency, readBefore, readDependencies, type Way } from './dependencies.ts'
import { blocksOf, otherWaitsOf, ownWaitsOf } from './fields.ts'
import { type Field, itemsOf, type Section } from './sections.ts'

type Numbered<T> = Section & { number: number; tasks: readonly T[] }
type Named = Section & { id: string; batch: Section }

/** One of the things that were written, with all it stands for: a range stands for several. */
export type Reference<B, T> = {
  place: Place
  batches: B[]
  tasks: T[]
  /** It only orders: `Task 1.2 (optional)`. */
  isSoft: boolean
}

/** Null for `waits` where nothing is said about what it waits for. */
type Said<B, T> = { waits: Reference<B, T>[] | null; blocks: Reference<B, T>[] }

export class BatchReferences<B extends Numbered<T>, T extends Named> {
  readonly #plan: MarkdownPlan
  readonly #placeOf: (line: number, column: number) => Place
  readonly #batches: readonly B[]
  readonly #tasks: readonly T[]
  readonly #byNumber = new Map<number, B>()
  readonly #indexOf = new Map<string, number>()
  /** Where each stands in its list. */
  readonly #order = new Map<Section, number>()
  readonly #known = new Map<Section, Said<B, T>>()
  /** Made when it is first asked for: all of the plan has to be known for it. */
  #blockers: Map<Section, Reference<B, T>[]> | null = null

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

  /** What it says that it waits for. Null where it says nothing about that. */
  of(section: B | T): Reference<B, T>[] | null {
    return this.#said(section).waits
  }

  /** Those that say that it waits for them. */
  blockersOf(section: B | T): Reference<B, T>[] {
    this.#blockers ??= this.#allBlockers()
    return this.#blockers.get(section) ?? []
  }

  #allBlockers(): Map<Section, Reference<B, T>[]> {
    const blockers = new Map<Section, Reference<B, T>[]>()
    for (const section of [...this.#batches, ...this.#tasks])
      for (const { place, batches, tasks } of this.#said(section).blocks)
        for (const blocked of [...batches, ...tasks]) {
          // A range may hold the one that names it.
          if (blocked === section) continue
          const all = blockers.get(blocked) ?? []
          all.push({ place, isSoft: false, ...asReference<B, T>(section) })
          blockers.set(blocked, all)
        }
    return blockers
  }

  #said(section: B | T): Said<B, T> {
    const known = this.#known.get(section) ?? this.#read(section)
    this.#known.set(section, known)
    return known
  }

  #read(section: B | T): Said<B, T> {
    const said: Said<B, T> = { waits: null, blocks: [] }
    const vague: { text: string; place: Place }[] = []
    for (const written of writtenIn(section)) {
      const { waits, blocks, isSaid } = this.#readLine(written, section)
      if (waits) said.waits ??= []
      for (const one of waits ?? []) said.waits?.push(one)
      for (const one of blocks) said.blocks.push(one)
      if (isSaid || this.#plan.isRefused) continue
      const place = this.#placeOf(written.line, written.column)
      if (written.usual === 'needs') vague.push({ text: written.text, place })
      else this.#plan.assume(place, `${shown(written.text)} names no batch or task that would wait for this`)
    }
    const instead = this.#insteadOf(vague, section, said.waits !== null)
    return vague.length > 0 ? { ...said, waits: [...(said.waits ?? []), ...instead] } : said
  }

  /** `isSaid`: it is understood. */
  #readLine({ text, line, column, usual, isLoose }: Written, section: B | T): Said<B, T> & { isSaid: boolean } {
    const what = 'number' in section ? 'batch' : 'task'
    const { found: mentioned, saysNone, exceptAt } = readDependencies(text, { what, usual, isLoose })
    // `Task 1.1 must land before Task 1.3`, said of task 1.3, speaks of itself.
    const found = mentioned.filter((one) => !one.isUnclear || !isItself(one, section))
    const all = found.flatMap((one) => {
      const place = this.#placeOf(line, column + one.offset)
      const reference = this.#find(one, place, isLoose)
      if (reference && usual === 'needs') this.#tellOfWay(one, what, place)
      return reference ? [{ way: one.way, reference }] : []
    })
    const of = (...ways: Way[]) => all.flatMap(({ way, reference }) => (ways.includes(way) ? [reference] : []))
    const [named, blocks] = [of('needs', 'after'), of('blocks')]
    if (usual === 'blocks')
      return { waits: null, blocks, isSaid: saysNone || found.some(({ isNamed }) => isNamed) || blocks.length > 0 }
    const saysWaits =
      named.length > 0 || saysNone || (!isLoose && found.some(({ isNamed, way }) => isNamed && WAITING.has(way)))
    const head = exceptAt === null ? text : text.slice(0, exceptAt)
    const before = saysWaits || blocks.length > 0 ? null : this.#before(head, section, this.#placeOf(line, column))
    const waits = saysWaits || before ? without([...named, ...(before ?? [])], of('except')) : null
    // That what it names is not there was said; but a batch then still has to come behind something.
    const isTold = what === 'task' && found.some(({ isNamed }) => isNamed)
    return { waits, blocks, isSaid: waits !== null || blocks.length > 0 || isTold }
  }

  /** Null where it names nothing of the plan. */
  #find(dependency: Dependency, place: Place, isLoose: boolean): Reference<B, T> | null {
    const batches = dependency.kind === 'batch' ? this.#batchesOf(dependency, place) : []
    const tasks = dependency.kind === 'task' ? this.#tasksOf(dependency, place) : []
    if (!batches || !tasks) return null
    if (batches.length + tasks.length > 0) return { place, batches, tasks, isSoft: dependency.way === 'after' }
    const use = dependency.way === 'blocks' ? 'that could wait for this' : 'to depend on'
    const missing = `there is no ${wordsFor(dependency)} ${use}`
    if (dependency.isNamed && isLoose) this.#plan.warn(place, `${missing}: it is told to the agent, and orders nothing`)
    else if (dependency.isNamed) this.#plan.error(place, missing)
    return null
  }

  /** An order that is turned round by the words of a field, or might be, is not taken in silence. */
  #tellOfWay(dependency: Dependency, what: 'batch' | 'task', place: Place): void {
    const other = wordsFor(dependency)
    if (dependency.way === 'blocks')
      this.#plan.assume(place, `${other} waits for this ${what}, as the words before it say`)
    else if (dependency.isUnclear)
      this.#plan.assume(
        place,
        `this ${what} waits for ${other}: the words before it do not say clearly which of them comes first`,
      )
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
    return this.#plan.mayNeed(at - from, place)
      ? [{ place, isSoft: false, batches: [], tasks: this.#tasks.slice(from, at) }]
      : []
  }

  #batchesBefore(batch: Section, isAll: boolean, place: Place): Reference<B, T>[] {
    const at = this.#order.get(batch) ?? 0
    const from = isAll ? 0 : Math.max(0, at - 1)
    return this.#plan.mayNeed(at - from, place)
      ? [{ place, isSoft: false, batches: this.#batches.slice(from, at), tasks: [] }]
      : []
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

const WAITING = new Set<Way>(['needs', 'after'])

type FieldKind = { usual: 'needs' | 'blocks'; isLoose: boolean }

type Written = FieldKind & { text: string; line: number; column: number }

function writtenIn(section: Section): Written[] {
  const ofEach = (fields: readonly Field[], kind: FieldKind) => fields.flatMap((field) => linesOf(field, kind))
  return [
    ...ofEach(ownWaitsOf(section), { usual: 'needs', isLoose: false }),
    ...ofEach(otherWaitsOf(section), { usual: 'needs', isLoose: true }),
    ...ofEach(blocksOf(section), { usual: 'blocks', isLoose: true }),
  ]
}

function linesOf(field: Field, kind: FieldKind): Written[] {
  const items = itemsOf(field)
  if (field.said !== '' || items.length === 0)
    return [{ ...kind, text: field.said, line: field.line, column: field.column }]
  return items.map(({ text, line }) => ({
    text,
    line: line.number,
    column: line.text.trimEnd().length - text.length + 1,
    ...kind,
  }))
}

function asReference<B extends Numbered<T>, T extends Named>(section: B | T): { batches: B[]; tasks: T[] } {
  return 'number' in section ? { batches: [section], tasks: [] } : { batches: [], tasks: [section] }
}

/** Of a batch of which a task is left out, the others. */
function without<B extends Numbered<T>, T extends Named>(
  references: Reference<B, T>[],
  except: readonly Reference<B, T>[],
): Reference<B, T>[] {
  if (except.length === 0) return references
  const tasksLeft = new Set(except.flatMap(({ tasks }) => tasks))
  const batchesLeft = new Set(except.flatMap(({ batches }) => batches))
  return references.map((reference) => {
    const whole = reference.batches.filter((batch) => !batchesLeft.has(batch))
    const isCut = (batch: B): boolean => batch.tasks.some((task) => tasksLeft.has(task))
    const tasks = [...reference.tasks, ...whole.filter(isCut).flatMap((batch) => batch.tasks)]
    return {
      ...reference,
      batches: whole.filter((batch) => !isCut(batch)),
      tasks: tasks.filter((task) => !tasksLeft.has(task)),
    }
  })
}

function isItself<T>({ kind, first, last }: Dependency, section: Numbered<T> | Named): boolean {
  if (last !== null) return false
  return 'number' in section ? kind === 'batch' && Number(first) === section.number : first === section.id
}

function wordsFor({ kind, first, last }: Dependency): string {
  return last === null ? `${kind} ${first}` : `${kind} ${first}-${last}`
}
