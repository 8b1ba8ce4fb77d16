// The tasks of a batch plan: what they are called here, and which of them are run.
import { shown } from '../../document/field.ts'
import type { Entry, SourceFile } from '../format.ts'
import type { MarkdownPlan } from '../markdown/plan.ts'
import { OwnIds } from '../own-ids.ts'
import { statusOf } from './fields.ts'
import { readBatchRange } from './range.ts'
import type { Batch, BatchDocument, BatchTask } from './sections.ts'

/** `state`: with what its batch says, and what is to be run. */
export type Planned = BatchTask & { task: string; batch: PlannedBatch; state: Entry['state'] }
export type PlannedBatch = Omit<Batch, 'tasks'> & { epic: string; tasks: Planned[]; before: PlannedBatch | null }

/** A batch plan that is being translated. */
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

/** Leaves out what is not in the part that is to be run. */
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
