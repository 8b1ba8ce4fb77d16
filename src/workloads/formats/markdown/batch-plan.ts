// A batch plan in Markdown. A batch becomes an epic; its tasks run at the same time unless one names another.
import { LIMITS } from '../../../config.ts'
import type { Result } from '../../../problem.ts'
import { slug } from '../../../text/slug.ts'
import { shown, shownNames } from '../../document/field.ts'
import type { Place } from '../../document/place.ts'
import type { Format, SourceFile, TranslateOptions, Translation } from '../format.ts'
import { OwnIds } from '../plan-draft.ts'
import { contextOfEach, contextPart, promptText } from '../prompt.ts'
import { type BatchFile, isOpen, orderOf } from './batch-order.ts'
import {
  type Batch,
  type BatchTask,
  beginsPart,
  filesOf,
  namesNoDependency,
  partName,
  readBatches,
  TASK_HEADING,
  verificationOf,
} from './batch-sections.ts'
import { LOOKED_AT_CHARS, readMarkdown } from './lines.ts'
import { MarkdownPlan, type Need } from './plan.ts'

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
  const { title, introduction, batches } = readBatches(markdown, plan)
  const tasks = batches.flatMap((batch) => batch.tasks)
  if (plan.tooMany(tasks.length)) return plan.finish()
  const read: BatchFile = { plan, batches, tasks }
  if (redo) for (const task of tasks) if (task.state === 'done') task.state = 'open'
  plan.noteCodeBlocks(markdown, file)
  noteBatches(read)
  if (part !== null) choosePart(read, part)
  if (plan.isRefused) return plan.finish()
  if (title !== '') plan.head({ name: slug(title), objective: title })
  const ids = { batch: new OwnIds('batch'), task: new OwnIds('task') }
  for (const { id } of batches) ids.batch.of(id)
  for (const { id, state } of tasks) plan.entries.push({ task: ids.task.of(id), source: id, state })
  const order = orderOf(read)
  for (const batch of batches.filter(isOpen)) {
    const needs = order.ofBatch(batch).map(({ group, path }): Need => ({ id: ids.batch.of(group.id), place: path }))
    plan.epic({ id: ids.batch.of(batch.id), title: titleOf('Batch', batch), needs }, batch, batch.id)
  }
  const about = contextOfEach(tasks.length, (batch: Batch) => [
    title && `Plan: ${contextPart(title)}`,
    introduction,
    titleOf('Batch', batch),
    batch.text,
  ])
  for (const task of tasks.filter(({ state }) => state === 'open')) {
    const needs = order.ofTask(task).map(({ group, path }): Need => ({ id: ids.task.of(group.id), place: path }))
    const whole = titleOf('Task', task)
    plan.task(
      {
        id: ids.task.of(task.id),
        title: task.title || whole,
        epic: ids.batch.of(task.batch.id),
        prompt: promptText([whole, task.text].filter(Boolean).join('\n\n'), [
          ['What this is part of', about(task.batch)],
        ]),
        needs,
        verify: plan.checks(verificationOf(task, checks), file, task.id),
        ...plan.claims(filesOf(task), task, `task ${shown(task.id)}`),
      },
      task,
    )
  }
  return plan.finish()
}

function titleOf(what: string, { id, title }: Batch | BatchTask): string {
  return title === '' ? `${what} ${id}` : `${what} ${id}: ${title}`
}

/** Says what is wrong with headings, and what the file leaves open. */
function noteBatches({ plan, batches, tasks }: BatchFile): void {
  for (const [what, sections] of Object.entries({ batches, tasks })) {
    const first = new Map<string, Place>()
    for (const section of sections) {
      const same = first.get(section.id)
      if (same) plan.error(section, `there are two ${what} ${shown(section.id)}; the first is in line`, same)
      else first.set(section.id, section)
      if (section.note) plan.assumeStatus(section, what, section.id, section.note)
    }
  }
  if (!batches[0]) plan.error({ line: 1, column: 1 }, `there is no batch in this plan: ${BATCH_HEADING}`)
  else if (tasks.length === 0 && !plan.isRefused)
    plan.error(batches[0], `no batch of this plan has a task: ${TASK_HEADING}`)
  for (const batch of batches) {
    const mode = batch.fields.get('execution mode')
    if (mode && !/^[`*_\s]*local\b/i.test(mode.said))
      plan.ignore(mode, 'execution modes besides `local`, because everything runs here', mode.said)
    if (!isOpen(batch)) continue
    if (batch.before && namesNoDependency(batch))
      plan.assume(batch, 'a batch that says nothing of its dependencies waits for the one before it')
    if (batch.tasks.filter((task) => task.state === 'open' && namesNoDependency(task)).length > 1)
      plan.assume(
        batch,
        'tasks of a batch that name no dependencies run at the same time, unless they change the same files',
      )
  }
}

const BATCH_HEADING = 'a batch begins with a heading such as `## Batch 1: title`'

// Which batches are to be run: `all`, `2`, `0a`, `1-3`, `1,3-4`.

function choosePart({ plan, batches, tasks }: BatchFile, part: string): void {
  const chosen = new Set(part.trim().toLowerCase() === 'all' ? batches : batchesIn(part, batches, plan))
  for (const task of tasks) if (task.state === 'open' && !chosen.has(task.batch)) task.state = 'skipped'
  const left = batches.find((batch) => !chosen.has(batch) && batch.tasks.some(({ state }) => state === 'skipped'))
  if (left && batches.some(isOpen)) {
    const message = `only the batches ${shown(part.trim())} are run: what they need of the others is taken as done`
    plan.assume({ line: left.line, column: 1 }, message)
  }
}

function batchesIn(written: string, batches: readonly Batch[], plan: MarkdownPlan): Batch[] {
  const refuse = (message: string): void => plan.error({ line: 1, column: 1 }, message)
  const parts = written.trim().toLowerCase().slice(0, LIMITS.messageChars).split(',')
  return parts.flatMap((part) => {
    const [, first = '', last = first] = /^\s*(\d{1,9}[a-z]?)\s*(?:-\s*(\d{1,9}[a-z]?)\s*)?$/.exec(part) ?? []
    const [from, to] = [Number.parseInt(first, 10), Number.parseInt(last, 10)]
    const exact = batches.filter(({ id }) => first === last && id === first)
    const found = exact.length > 0 ? exact : batches.filter(({ number }) => number >= from && number <= to)
    if (first === '') refuse(`${shown(written)} does not say which batches: write \`all\`, \`2\`, \`1-3\` or \`1,3-4\``)
    else if (to < from) refuse(`the batches ${shown(part.trim())} go backwards: write ${last}-${first}`)
    else if (found.length === 0)
      refuse(`there is no batch ${part.trim()} in this plan: it has ${shownNames(batches.map(({ id }) => id))}`)
    return found
  })
}
