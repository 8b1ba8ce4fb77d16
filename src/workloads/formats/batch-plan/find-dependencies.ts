// What `**Dependencies:**` names, found in the plan. A batch without any waits for the one before it: late is better than early.
import { shown } from '../../document/field.ts'
import type { Place } from '../../document/place.ts'
import type { GroupNeed } from '../order/group-dependencies.ts'
import { type Dependency, readDependencies } from './dependencies.ts'
import { WAITS } from './field-names.ts'
import { type Field, itemsOf } from './sections.ts'
import { fieldsNamed } from './status-and-checks.ts'
import type { BatchFile, Planned, PlannedBatch } from './tasks.ts'

type Waits = { batches: GroupNeed<PlannedBatch, Place>[]; tasks: GroupNeed<Planned, Place>[] }

type Part = PlannedBatch | Planned

/** Each is read once, so that what is wrong with it is said once. */
export function waitsReader(read: BatchFile): (part: Part) => Waits {
  const names: Names = {
    batches: new Map(read.batches.map((batch) => [batch.id, batch])),
    tasks: new Map(read.tasks.map(({ id }, i) => [id, i])),
  }
  const known = new Map<Part, Waits>()
  return (part) => {
    const waits = known.get(part) ?? readWaits(part, read, names)
    known.set(part, waits)
    return waits
  }
}

/** Batches by id, and where each task stands among all. */
type Names = { batches: Map<string, PlannedBatch>; tasks: Map<string, number> }

function readWaits(part: Part, read: BatchFile, names: Names): Waits {
  const { plan, file } = read
  const found = new Map<Part, Place>()
  const vague: { text: string; place: Place }[] = []
  let isUnderstood = false
  for (const { text, line, column } of fieldsNamed(part, WAITS).flatMap(linesOf)) {
    const { named, isNone } = readDependencies(text, 'number' in part ? 'batch' : 'task')
    let isSaid = isNone
    for (const one of named) {
      const place = plan.place(file, line, column + one.offset)
      const parts = one.kind === 'batch' ? batchesNamed(one, place, read, names) : tasksNamed(one, place, read, names)
      for (const other of parts) if (!found.has(other)) found.set(other, place)
      isSaid ||= parts.length > 0
      const missing = `there is no ${one.kind} ${one.first}${one.last === null ? '' : `-${one.last}`} to depend on`
      if (parts.length === 0 && one.isNamed && !plan.isRefused) plan.error(place, missing)
    }
    isUnderstood ||= isSaid
    if (!isSaid && !named.some(({ isNamed }) => isNamed)) vague.push({ text, place: plan.place(file, line, column) })
  }
  const instead = 'number' in part && !isUnderstood ? part.before : null
  if (instead) found.set(instead, plan.place(file, part.line, part.column))
  const end = instead ? 'the batch waits for the one before it' : 'nothing waits for it'
  for (const { text, place } of plan.isRefused ? [] : vague)
    plan.assume(place, `the dependency ${shown(text)} does not begin with a batch or task: ${end}`)
  const all = [...found]
  return {
    batches: all.flatMap(([group, path]) => ('number' in group ? [{ group, path }] : [])),
    tasks: all.flatMap(([group, path]) => ('number' in group ? [] : [{ group, path }])),
  }
}

/** `Batch 0` is `Batch 0a` and `Batch 0b` where there is no other. */
function batchesNamed({ first, last }: Dependency, place: Place, { plan, batches }: BatchFile, names: Names): Part[] {
  const [from, to] = [Number.parseInt(first, 10), Number.parseInt(last ?? first, 10)]
  const exact = last === null ? (names.batches.get(first) ?? names.batches.get(String(from))) : undefined
  if (exact) return [exact]
  if (!plan.mayNeed(batches.length, place)) return []
  return batches.filter(({ number }) => number >= from && number <= to)
}

function tasksNamed({ first, last }: Dependency, place: Place, { plan, tasks }: BatchFile, names: Names): Part[] {
  const [from, to] = [names.tasks.get(first), names.tasks.get(last ?? first)]
  if (from === undefined || to === undefined) return []
  return plan.mayNeed(Math.max(to - from, 0), place) ? tasks.slice(from, to + 1) : []
}

function linesOf(field: Field): { text: string; line: number; column: number }[] {
  const items = itemsOf(field)
  if (field.said !== '' || items.length === 0) return [{ text: field.said, line: field.line, column: field.column }]
  return items.map(({ text, line }) => ({
    text,
    line: line.number,
    column: line.text.trimEnd().length - text.length + 1,
  }))
}
