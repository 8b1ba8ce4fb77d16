// What the batches and tasks of a batch plan wait for. What was left out stands for what it waits for itself.
import type { Place } from '../../document/place.ts'
import { type GroupNeed, needsThrough } from '../order.ts'
import { type Batch, type BatchTask, itemsOf, MAX_CHARS, WAITS } from './batch-sections.ts'
import type { MarkdownPlan } from './plan.ts'

export type BatchFile = { plan: MarkdownPlan; batches: readonly Batch[]; tasks: readonly BatchTask[] }

type Waits = GroupNeed<Batch | BatchTask, Place>[]

export function isOpen({ tasks }: Batch): boolean {
  return tasks.some(({ state }) => state === 'open')
}

function isBatch(part: Batch | BatchTask): part is Batch {
  return 'tasks' in part
}

export function orderOf(read: BatchFile) {
  const { plan } = read
  const names: Names = {
    batches: new Map(read.batches.map((batch) => [batch.id, batch])),
    tasks: new Map(read.tasks.map(({ id }, i) => [id, i])),
  }
  const known = new Map<Batch | BatchTask, Waits>()
  /** Each is read once, so that what is wrong with it is said once. */
  const waitsOf = (part: Batch | BatchTask): Waits => {
    const waits = known.get(part) ?? readWaits(part, read, names)
    known.set(part, waits)
    return waits
  }
  const mayGoOn = (place: Place): boolean => plan.mayAdd(1, place)
  const ofBatch = needsThrough<Batch, Place>({
    named: (batch) => waitsOf(batch).flatMap(({ group, path }) => (isBatch(group) ? [{ group, path }] : [])),
    isOpen,
    isEmpty: ({ tasks }) => tasks.length === 0 || tasks.some(({ state }) => state === 'skipped'),
    mayGoOn,
  })
  const ofTask = needsThrough<BatchTask, Place>({
    named: (task) => {
      // What a whole batch needs, the need of its epic says; but of what was left out there is no epic.
      const whole = waitsOf(task.batch).filter(({ group }) => task.state !== 'open' || !isBatch(group))
      return [...waitsOf(task), ...whole].flatMap(({ group, path }) => {
        const tasks = isBatch(group) ? group.tasks : [group]
        return plan.mayAdd(tasks.length, path) ? tasks.map((one) => ({ group: one, path })) : []
      })
    },
    isOpen: ({ state }) => state === 'open',
    isEmpty: ({ state }) => state === 'skipped',
    mayGoOn,
  })
  return { ofBatch, ofTask: (task: BatchTask) => (plan.isRefused ? [] : ofTask(task)) }
}

/** Batches by id, and where each task stands among all. */
type Names = { batches: Map<string, Batch>; tasks: Map<string, number> }

/** A batch that names none waits for the one before it: late is better than early. */
function readWaits(part: Batch | BatchTask, read: BatchFile, names: Names): Waits {
  const { plan } = read
  const found = new Map<Batch | BatchTask, Place>()
  const vague: (Place & { text: string })[] = []
  let isUnderstood = false
  for (const { named, isNone, ...field } of dependenciesOf(part, isBatch(part) ? 'batch' : 'task')) {
    let isSaid = isNone
    for (const one of named) {
      const parts = one.kind === 'batch' ? batchesNamed(one, read, names) : tasksNamed(one, read, names)
      for (const other of parts) if (!found.has(other)) found.set(other, one)
      isSaid ||= parts.length > 0
      const missing = `there is no ${one.kind} ${one.first}${one.last === null ? '' : `-${one.last}`} to depend on`
      if (parts.length === 0 && one.isNamed && !plan.isRefused) plan.error(one, missing)
    }
    isUnderstood ||= isSaid
    if (!isSaid && !named.some(({ isNamed }) => isNamed)) vague.push(field)
  }
  const instead = isBatch(part) && !isUnderstood ? part.before : null
  if (instead) found.set(instead, part)
  const end = instead ? 'the batch waits for the one before it' : 'nothing waits for it'
  for (const { text, ...place } of vague)
    plan.assume(place, `dependencies that do not begin with a batch or task: ${end}`, text)
  return [...found].map(([group, path]) => ({ group, path }))
}

/** `Batch 0` is `Batch 0a` and `Batch 0b` where there is no other. */
function batchesNamed(one: Dependency, { plan, batches }: BatchFile, names: Names): readonly Batch[] {
  const { first, last } = one
  const [from, to] = [Number.parseInt(first, 10), Number.parseInt(last ?? first, 10)]
  const exact = last === null ? (names.batches.get(first) ?? names.batches.get(String(from))) : undefined
  if (exact) return [exact]
  return plan.mayAdd(batches.length, one) ? batches.filter(({ number }) => number >= from && number <= to) : []
}

function tasksNamed(one: Dependency, { plan, tasks }: BatchFile, names: Names): readonly BatchTask[] {
  const [from, to] = [names.tasks.get(one.first), names.tasks.get(one.last ?? one.first)]
  if (from === undefined || to === undefined) return []
  return plan.mayAdd(Math.max(to - from, 0), one) ? tasks.slice(from, to + 1) : []
}

// What stands behind `**Dependencies:**`: `None`, `Batch 1, 2`, `Task 1.1 (schema) and 1.3`, `Batches 1-3`.

type Dependency = Place & {
  kind: 'batch' | 'task'
  first: string
  last: string | null
  /** False: a number without `batch` or `task` before it, which may be the number of something else. */
  isNamed: boolean
}

type NamedDependencies = Place & { text: string; named: Dependency[]; isNone: boolean }

/** Line by line. `what`: what a number without a dot means where nothing is said. */
function dependenciesOf({ fields }: Batch | BatchTask, what: 'batch' | 'task'): NamedDependencies[] {
  return WAITS.flatMap((name) => {
    const field = fields.get(name)
    const items = field ? itemsOf(field) : []
    if (field && (field.said !== '' || items.length === 0))
      return readDependencies({ ...field, text: field.said }, what)
    return items.map(({ text, line }) => {
      const column = line.text.trimEnd().length - text.length + 1
      return readDependencies({ text, line: line.number, column }, what)
    })
  })
}

function readDependencies(
  { text: written, line, column }: Place & { text: string },
  what: 'batch' | 'task',
): NamedDependencies {
  // Spaces take the place of brackets, so that places stay right.
  const text = written.slice(0, MAX_CHARS).replace(/\([^()]*\)/g, (aside) => ' '.repeat(aside.length))
  const named: Dependency[] = []
  let position = 0
  let kind: 'batch' | 'task' | null = null
  for (let next = NEXT.exec(text); next; next = NEXT.exec(text.slice(position))) {
    const [whole, before = '', word, first = '', last] = next
    if (word !== undefined) kind = word.toLowerCase() === 'batch' ? 'batch' : 'task'
    named.push({
      kind: first.includes('.') ? 'task' : (kind ?? what),
      first: first.toLowerCase(),
      last: last?.toLowerCase() ?? null,
      isNamed: kind !== null,
      line,
      column: column + position + before.length,
    })
    position += whole.length
  }
  return { text: written, line, column, named, isNone: NONE.test(text) }
}

const NUMBER = '\\d{1,9}[a-z]?(?:\\.\\d{1,9}[a-z]?){0,3}'
const NEXT = new RegExp(
  `^([\\s,;&+/#*_\`"'[\\]:✅✓✔☑]{0,200}(?:(?:and|or|plus)\\s)?[\\s#*_\`[]{0,9}(?:(batch|task)(?:es|s)?\\s{1,9}#?)?)(${NUMBER})(?:(?:\\s?[-–]\\s?|\\s(?:to|through)\\s)(?:(?:batch|task)\\s)?(${NUMBER}))?(?![\\w.]\\w|\\w)`,
  'i',
)
const NONE = /^[\s*_`(-]*(?:none|no|n\/a|nothing|independent|[-–—]|$)(?![\w-])/i
