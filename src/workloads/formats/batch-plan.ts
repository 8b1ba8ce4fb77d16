// A batch plan in Markdown: `## Batch 1: title` with `**Dependencies:**`, below it `### Task 1.1: title` with the files it
// changes and how it is verified. A batch becomes an epic. Its tasks run at the same time unless one names another.
import type { Result } from '../../problem.ts'
import { shown } from '../field.ts'
import type { Place } from '../place.ts'
import { slug } from '../slug.ts'
import { dependenciesOf, saysDone, verificationOf } from './batch-fields.ts'
import { filesOf } from './batch-files.ts'
import { readBatchRange } from './batch-range.ts'
import { BatchReferences, type Reference } from './batch-references.ts'
import {
  type Batch,
  type BatchDocument,
  type BatchTask,
  partName,
  readBatches,
  type Section,
} from './batch-sections.ts'
import { wordsAreTold } from './commands-in.ts'
import type { Entry, Format, SourceFile, Translation } from './format.ts'
import { LOOKED_AT_CHARS, readMarkdown } from './markdown.ts'
import { MarkdownPlan, type Need } from './markdown-plan.ts'
import { OwnIds } from './own-ids.ts'
import { claimsOf } from './path-claims.ts'
import { contextOfEach, contextPart } from './prompt-context.ts'
import { promptText } from './prompt-text.ts'

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
  translate: ([file], { part }) => translate(file as SourceFile, part),
}

/** What the headings of the text are: of a batch, of a task. */
function kindsOf(text: string): Set<'batch' | 'task'> {
  // A look at the text is far quicker than reading all of its lines.
  const head = text.slice(0, LOOKED_AT_CHARS)
  if (!/^ {0,3}#{1,6}[ \t*_]+(?:batch|task)\s/im.test(head)) return new Set()
  return new Set(readMarkdown(head).lines.flatMap(({ heading }) => (heading && partName(heading.title)?.kind) ?? []))
}

type Planned = BatchTask & { task: string; batch: PlannedBatch; state: Entry['state'] }
type PlannedBatch = Omit<Batch, 'tasks'> & { epic: string; tasks: Planned[]; before: PlannedBatch | null }

type Context = {
  plan: MarkdownPlan
  file: SourceFile
  document: BatchDocument
  batches: PlannedBatch[]
  tasks: Planned[]
  references: BatchReferences<PlannedBatch, Planned>
  /** What the tasks of a batch are part of. */
  about: (batch: PlannedBatch) => string
  /** Tasks whose verification is not only commands. */
  words: { task: Planned; words: number }[]
  /** How much was gone through to find what waits for what. */
  steps: number
}

function translate(file: SourceFile, part: string | null): Result<Translation> {
  const plan = new MarkdownPlan([file])
  if (plan.isRefused) return plan.finish()
  const markdown = readMarkdown(file.text)
  const document = readBatches(markdown)
  if (plan.tooMany(document.batches.reduce((sum, { tasks }) => sum + tasks.length, 0))) return plan.finish()
  const context = contextOf(plan, file, document)
  tellOfTheRest(context, markdown.openFence)
  choose(context, part)
  if (plan.isRefused) return plan.finish()
  if (document.title !== '') plan.head({ name: slug(document.title), objective: document.title })
  for (const batch of context.batches) {
    if (!isOpen(batch)) continue
    plan.epic(
      { id: batch.epic, title: titleOf('Batch', String(batch.number), batch), needs: batchNeeds(batch, context) },
      plan.place(file, batch.line, batch.column),
      String(batch.number),
    )
  }
  for (const task of context.tasks) if (task.state === 'open') addTask(task, context)
  tellOfTasks(context)
  for (const { task, id, state } of context.tasks) plan.entries.push({ task, source: id, state })
  return plan.finish()
}

function contextOf(plan: MarkdownPlan, file: SourceFile, document: BatchDocument): Context {
  const { batches, tasks } = planned(document)
  const at = ({ line, column }: Section) => plan.place(file, line, column)
  tellOfDoubles(plan, batches, 'batches', ({ number }) => String(number), at)
  tellOfDoubles(plan, tasks, 'tasks', ({ id }) => id, at)
  for (const task of document.stray)
    plan.error(
      at(task),
      `task ${shown(task.id)} stands under no batch: put it under a heading such as \`## Batch 1: title\``,
    )
  if (batches.length === 0) plan.error(plan.place(file, 1), `there is no batch in this plan: ${BATCH_HEADING}`)
  else if (tasks.length === 0 && document.stray.length === 0)
    plan.error(at(batches[0] as Section), `no batch of this plan has a task: ${TASK_HEADING}`)
  const references = new BatchReferences(plan, (line, column) => plan.place(file, line, column), { batches, tasks })
  const about = contextOfEach(tasks.length, (batch: PlannedBatch) => surroundings(batch, document))
  return { plan, file, document, batches, tasks, references, about, words: [], steps: 0 }
}

const BATCH_HEADING = 'a batch begins with a heading such as `## Batch 1: title`'
const TASK_HEADING = 'a task begins with a heading such as `### Task 1.1: title`'

function planned(document: BatchDocument): { batches: PlannedBatch[]; tasks: Planned[] } {
  const epics = new OwnIds('batch')
  const ids = new OwnIds('task')
  const batches: PlannedBatch[] = []
  for (const written of document.batches) {
    const epic = epics.of(String(written.number))
    const batch: PlannedBatch = { ...written, epic, tasks: [], before: batches.at(-1) ?? null }
    batches.push(batch)
    for (const task of written.tasks) {
      const isDone = saysDone(task) || saysDone(written)
      batch.tasks.push({ ...task, task: ids.of(task.id), batch, state: isDone ? 'done' : 'open' })
    }
  }
  return { batches, tasks: batches.flatMap(({ tasks }) => tasks) }
}

function tellOfDoubles<T extends Section>(
  plan: MarkdownPlan,
  items: readonly T[],
  what: string,
  nameOf: (item: T) => string,
  at: (item: T) => Place,
): void {
  const first = new Map<string, T>()
  for (const item of items) {
    const name = nameOf(item)
    const same = first.get(name)
    if (same) plan.error(at(item), `there are two ${what} ${shown(name)}; the first is in line ${same.line}`)
    else first.set(name, item)
  }
}

function choose({ plan, file, batches, tasks }: Context, part: string | null): void {
  if (part === null) return
  const chosen = readBatchRange(
    part,
    batches.map(({ number }) => number),
  )
  if (!chosen.ok) {
    plan.errors(chosen.problems.map((one) => ({ ...one, file: file.file, line: 1, column: 1 })))
    return
  }
  for (const task of tasks) if (task.state === 'open' && !chosen.value.has(task.batch.number)) task.state = 'skipped'
  const left = batches.filter(
    ({ number, tasks }) => !chosen.value.has(number) && tasks.some(({ state }) => state === 'skipped'),
  )
  if (left.length > 0 && tasks.some(({ state }) => state === 'open'))
    plan.assume(
      { line: left[0]?.line ?? 1, column: 1 },
      `only the batches ${shown(part.trim())} are run: what they need of the others is taken as done`,
    )
}

function isOpen({ tasks }: PlannedBatch): boolean {
  return tasks.some(({ state }) => state === 'open')
}

/** Open batches it waits for. One without tasks, or left out, stands for those it waits for itself. */
function batchNeeds(batch: PlannedBatch, context: Context): Need[] {
  const needs: Need[] = []
  const seen = new Set<PlannedBatch>()
  const open: { batch: PlannedBatch; place?: Need['place'] }[] = [{ batch }]
  for (let next = open.pop(); next; next = open.pop()) {
    for (const { batch: other, place: own } of namedBatches(next.batch, context)) {
      const place = next.place ?? own
      if (isOpen(other)) needs.push({ id: other.epic, place })
      else if (passesOn(other) && !seen.has(other)) {
        if (!maySee(context, place)) return []
        seen.add(other)
        open.push({ batch: other, place })
      }
    }
  }
  return needs
}

/** Nothing of it is run, and not because it is done: order goes through it. */
function passesOn({ tasks }: PlannedBatch): boolean {
  return tasks.length === 0 || tasks.some(({ state }) => state === 'skipped')
}

function namedBatches(batch: PlannedBatch, context: Context) {
  return batchReferences(batch, context).flatMap(({ place, batches }) =>
    batches.map((other) => ({ batch: other, place })),
  )
}

/** One that says nothing waits for the one before it. */
function batchReferences(batch: PlannedBatch, { plan, file, references }: Context): Reference<PlannedBatch, Planned>[] {
  const before = batch.before ? [batch.before] : []
  const place = plan.place(file, batch.line, batch.column)
  return references.of(batch) ?? [{ place, batches: before, tasks: [] }]
}

function addTask(task: Planned, context: Context): void {
  const { plan, file } = context
  const place = plan.place(file, task.line, task.column)
  const { verify, words } = verificationOf(task)
  if (words > 0) context.words.push({ task, words })
  const paths = claimsOf(filesOf(task))
  if (paths.outside)
    plan.warn(place, `task ${shown(task.id)} will fail: ${paths.outside[0]} is outside of the repository`)
  const title = titleOf('Task', task.id, task)
  plan.task(
    {
      id: task.task,
      title: task.title || title,
      epic: task.batch.epic,
      prompt: promptText([title, task.text].filter(Boolean).join('\n\n'), [
        ['What this is part of', context.about(task.batch)],
      ]),
      needs: taskNeeds(task, context),
      verify,
      ...paths,
    },
    place,
  )
}

function surroundings(batch: PlannedBatch, { title, introduction }: BatchDocument): string[] {
  const plan = title && `Plan: ${contextPart(title)}`
  return [plan, introduction, titleOf('Batch', String(batch.number), batch), batch.text]
}

function titleOf(what: string, id: string, { title }: Section): string {
  return title === '' ? `${what} ${id}` : `${what} ${id}: ${title}`
}

type Reached = {
  what: Planned | PlannedBatch
  place: Place
  /** Its whole batch waits for it: where it is an open batch, the need of the epic says so. */
  isShared: boolean
}

/**
 * Its own, and those tasks that its whole batch depends on. Order goes through what was left out: that stands for what it waits
 * for itself.
 */
function taskNeeds(task: Planned, context: Context): Need[] {
  const { plan, references } = context
  const needs: Need[] = []
  const seen = new Set<Planned | PlannedBatch>()
  const toSee: Reached[] = []
  const addWaits = (of: Planned | PlannedBatch, isShared: boolean, from?: Place): void => {
    const named = 'number' in of ? batchReferences(of, context) : (references.of(of) ?? [])
    for (const { tasks, batches, place } of named)
      for (const what of [...tasks, ...batches]) toSee.push({ what, place: from ?? place, isShared })
  }
  if (plan.isRefused) return []
  addWaits(task, false)
  addWaits(task.batch, true)
  for (let at = 0; at < toSee.length; at++) {
    const { what, place, isShared } = toSee[at] as Reached
    if (!maySee(context, place)) return []
    if (seen.has(what)) continue
    seen.add(what)
    const isBatch = 'number' in what
    const tasks = isBatch ? what.tasks : [what]
    const open = isBatch && isShared ? [] : tasks.filter(({ state }) => state === 'open')
    if (!plan.mayNeed(open.length, place)) return []
    for (const one of open) needs.push({ id: one.task, place })
    const leftOut = tasks.filter(({ state }) => state === 'skipped')
    for (const one of leftOut) addWaits(one, false, place)
    if (isBatch ? passesOn(what) : leftOut.length > 0) addWaits(isBatch ? what : what.batch, isShared, place)
  }
  return needs
}

/** More than in any plan that somebody wrote, and gone through in a second. */
const MAX_STEPS = 1_000_000

function maySee(context: Context, place: Place): boolean {
  if (context.steps++ === MAX_STEPS)
    context.plan.error(place, 'too much would have to be gone through to find what this waits for')
  return context.steps <= MAX_STEPS
}

function tellOfTheRest({ plan, file, document }: Context, openFence: number | null): void {
  if (openFence !== null)
    plan.assume(plan.place(file, openFence), 'this code block has no end: all that follows is part of it')
  for (const { title, line } of document.others)
    plan.ignore(plan.place(file, line), `the section ${shown(title)}, which is part of no batch`)
  for (const part of [...document.batches, ...document.batches.flatMap(({ tasks }) => tasks)]) {
    const mode = part.fields.get('execution mode')
    if (mode && !/^[`*_\s]*local\b/i.test(mode.said))
      plan.ignore(
        plan.place(file, mode.line, mode.column),
        `the execution mode ${shown(mode.said)}: everything runs here`,
      )
  }
}

/** What the file leaves open, once each. */
function tellOfTasks({ plan, file, batches, words }: Context): void {
  const first = words[0]?.task
  if (first) {
    const count = words.reduce((sum, one) => sum + one.words, 0)
    const line = first.fields.get('verification')?.line ?? first.line
    plan.assume(plan.place(file, line), wordsAreTold(count))
  }
  const open = batches.filter(isOpen)
  const unsaid = open.find((batch) => batch.before && !dependenciesOf(batch))
  if (unsaid)
    plan.assume(
      plan.place(file, unsaid.line, unsaid.column),
      'a batch that says nothing of its dependencies waits for the one before it',
    )
  const parallel = open.find(
    ({ tasks }) => tasks.filter((task) => task.state === 'open' && !dependenciesOf(task)).length > 1,
  )
  if (parallel)
    plan.assume(
      plan.place(file, parallel.line, parallel.column),
      'tasks of a batch that name no dependencies run at the same time, unless they change the same files',
    )
}
