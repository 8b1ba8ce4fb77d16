// The tasks of a batch plan: what they are called here, and which of them are run.
import { LIMITS } from '../../../config.ts'
import { ok, type Result, refuse } from '../../../problem.ts'
import { shown } from '../../document/field.ts'
import { OwnIds } from '../espalier-ids.ts'
import type { Entry, SourceFile } from '../format.ts'
import type { MarkdownPlan } from '../markdown/markdown-draft.ts'
import type { Batch, BatchDocument, BatchTask } from './sections.ts'
import { statusOf } from './status-and-checks.ts'

/** `state`: with what its batch says, and what is to be run. */
export type Planned = BatchTask & { task: string; batch: PlannedBatch; state: Entry['state'] }
export type PlannedBatch = Omit<Batch, 'tasks'> & { epic: string; tasks: Planned[]; before: PlannedBatch | null }

export type BatchFile = {
  plan: MarkdownPlan
  file: SourceFile
  document: BatchDocument
  batches: PlannedBatch[]
  tasks: Planned[]
}

export function plannedBatches(plan: MarkdownPlan, file: SourceFile, document: BatchDocument): BatchFile {
  const epics = new OwnIds('batch')
  const ids = new OwnIds('task')
  const batches: PlannedBatch[] = []
  for (const written of document.batches) {
    const epic = epics.of(written.id)
    const batch: PlannedBatch = { ...written, epic, tasks: [], before: batches.at(-1) ?? null }
    batches.push(batch)
    const whole = statusOf(written).state
    for (const task of written.tasks) {
      const own = statusOf(task).state
      batch.tasks.push({ ...task, task: ids.of(task.id), batch, state: own === 'open' ? whole : own })
    }
  }
  return { plan, file, document, batches, tasks: batches.flatMap(({ tasks }) => tasks) }
}

export function choosePart({ plan, file, batches, tasks }: BatchFile, part: string | null): void {
  if (part === null) return
  const chosen = readBatchRange(part, batches)
  if (!chosen.ok) {
    plan.errors(chosen.problems.map((one) => ({ ...one, file: file.file, line: 1, column: 1 })))
    return
  }
  for (const task of tasks) if (task.state === 'open' && !chosen.value.has(task.batch.id)) task.state = 'skipped'
  const left = batches.filter(
    ({ id, tasks }) => !chosen.value.has(id) && tasks.some(({ state }) => state === 'skipped'),
  )
  if (left.length > 0 && tasks.some(({ state }) => state === 'open'))
    plan.assume(
      { line: left[0]?.line ?? 1, column: 1 },
      `only the batches ${shown(part.trim())} are run: what they need of the others is taken as done`,
    )
}

export function isOpen({ tasks }: PlannedBatch): boolean {
  return tasks.some(({ state }) => state === 'open')
}

// Which batches are to be run: `all`, `2`, `0a`, `1-3`, `1,3-4`.

function readBatchRange(
  written: string,
  batches: readonly { id: string; number: number }[],
): Result<ReadonlySet<string>> {
  const text = written.trim().toLowerCase()
  if (text === 'all') return ok(new Set(batches.map(({ id }) => id)))
  const chosen = new Set<string>()
  for (const part of text.slice(0, LIMITS.messageChars).split(',')) {
    const [, first = '', last = first] = /^\s*(\d{1,9}[a-z]?)\s*(?:-\s*(\d{1,9}[a-z]?)\s*)?$/.exec(part) ?? []
    if (first === '')
      return refuse(`${shown(written)} does not say which batches: write \`all\`, \`2\`, \`1-3\` or \`1,3-4\``)
    const [from, to] = [Number.parseInt(first, 10), Number.parseInt(last, 10)]
    if (to < from) return refuse(`the batches ${shown(part.trim())} go backwards: write ${last}-${first}`)
    const exact = batches.filter(({ id }) => first === last && id === first)
    const found = exact.length > 0 ? exact : batches.filter(({ number }) => number >= from && number <= to)
    if (found.length === 0) return refuse(`there is no batch ${part.trim()} in this plan: it has ${listed(batches)}`)
    for (const { id } of found) chosen.add(id)
  }
  return ok(chosen)
}

const SHOWN = 20

function listed(batches: readonly { id: string }[]): string {
  const more = batches.length - SHOWN
  const names = batches.slice(0, SHOWN).map(({ id }) => id)
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
}
