// A batch plan in Markdown. A batch becomes an epic; its tasks run at the same time unless one names another.
import type { Result } from '../../../problem.ts'
import { slug } from '../../../text/slug.ts'
import { shown } from '../../document/field.ts'
import type { AcceptedChecks } from '../checks/commands-in.ts'
import type { Format, SourceFile, TranslateOptions, Translation } from '../format.ts'
import { MarkdownPlan } from '../markdown/markdown-draft.ts'
import { LOOKED_AT_CHARS, readMarkdown } from '../markdown/parse-lines.ts'
import { tellOfFences } from '../markdown/warn-about-code-blocks.ts'
import { contextOfEach, contextPart, promptText } from '../task-prompt/compose-prompt.ts'
import { beginsPart, partName } from './headings.ts'
import { type Order, orderOf } from './needs.ts'
import { tellOfHeadings, tellOfOrder, tellOfStatuses, tellOfTheRest } from './remarks.ts'
import { type BatchDocument, readBatches, type Section } from './sections.ts'
import { verificationOf } from './status-and-checks.ts'
import { filesOf } from './task-files.ts'
import { type BatchFile, choosePart, isOpen, type Planned, type PlannedBatch, plannedBatches } from './tasks.ts'

export const batchPlan: Format = {
  name: 'batch-plan',
  title: 'batch plan in Markdown',
  sign: 'headings `Batch 1: …` and `Task 1.1: …`',
  kind: 'markdown',
  words: { task: 'task', epic: 'batch' },
  parts: 'batches, such as `2`, `1-3` or `1,3-4`',
  recognises: ({ text }) => {
    const kinds = kindsOf(text)
    return kinds.has('batch') && kinds.has('task')
  },
  resembles: ({ text }) => kindsOf(text).size > 0,
  translate: ([file], options) => translate(file as SourceFile, options),
}

function kindsOf(text: string): Set<'batch' | 'task'> {
  // A look at the text is far quicker than reading all of its lines.
  const head = text.slice(0, LOOKED_AT_CHARS)
  if (!/^ {0,3}#{1,6}[^\w\n]{1,20}(?:batch|task)\s/im.test(head)) return new Set()
  return new Set(
    readMarkdown(head, beginsPart).lines.flatMap(({ heading }) => (heading && partName(heading.title)?.kind) ?? []),
  )
}

function translate(file: SourceFile, { part, checks, redo }: TranslateOptions): Result<Translation> {
  const plan = new MarkdownPlan([file])
  if (plan.isRefused) return plan.finish()
  const markdown = readMarkdown(file.text, beginsPart)
  const document = readBatches(markdown)
  if (plan.tooMany(document.batches.reduce((sum, { tasks }) => sum + tasks.length, 0))) return plan.finish()
  const read = plannedBatches(plan, file, document)
  if (redo) for (const task of read.tasks) if (task.state === 'done') task.state = 'open'
  tellOfHeadings(read)
  tellOfFences(markdown, plan, file)
  tellOfStatuses(read)
  tellOfTheRest(read)
  choosePart(read, part)
  if (plan.isRefused) return plan.finish()
  if (document.title !== '') plan.head({ name: slug(document.title), objective: document.title })
  addBatches(read, checks)
  for (const { task, id, state } of read.tasks) plan.entries.push({ task, source: id, state })
  return plan.finish()
}

function addBatches(read: BatchFile, checks: AcceptedChecks): void {
  const { plan, file, document, batches, tasks } = read
  const order = orderOf(read)
  for (const batch of batches) {
    if (!isOpen(batch)) continue
    plan.epic(
      { id: batch.epic, title: titleOf('Batch', batch.id, batch), needs: order.ofBatch(batch) },
      plan.place(file, batch.line, batch.column),
      batch.id,
    )
  }
  const about = contextOfEach(tasks.length, (batch: PlannedBatch) => surroundings(batch, document))
  for (const task of tasks) if (task.state === 'open') addTask(task, read, { order, about, checks })
  tellOfOrder(read)
}

type Surrounding = { order: Order; about: (batch: PlannedBatch) => string; checks: AcceptedChecks }

function addTask(task: Planned, { plan, file }: BatchFile, { order, about, checks }: Surrounding): void {
  const place = plan.place(file, task.line, task.column)
  const title = titleOf('Task', task.id, task)
  plan.task(
    {
      id: task.task,
      title: task.title || title,
      epic: task.batch.epic,
      prompt: promptText([title, task.text].filter(Boolean).join('\n\n'), [
        ['What this is part of', about(task.batch)],
      ]),
      needs: order.ofTask(task),
      verify: plan.checks(verificationOf(task, checks), file),
      ...plan.claims(filesOf(task), place, `task ${shown(task.id)}`),
    },
    place,
  )
}

function surroundings(batch: PlannedBatch, { title, introduction }: BatchDocument): string[] {
  const plan = title && `Plan: ${contextPart(title)}`
  return [plan, introduction, titleOf('Batch', batch.id, batch), batch.text]
}

function titleOf(what: string, id: string, { title }: Section): string {
  return title === '' ? `${what} ${id}` : `${what} ${id}: ${title}`
}
