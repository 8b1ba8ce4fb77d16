// A batch plan in Markdown. A batch becomes an epic; its tasks run in parallel unless one names another.
import { LIMITS } from '../../../config.ts'
import type { Result } from '../../../problem.ts'
import { slug } from '../../../text/slug.ts'
import { shown, shownNames } from '../../document/field.ts'
import type { Place } from '../../document/place.ts'
import { memoized } from '../../memoized.ts'
import type { Format, SourceFile, TranslateOptions, Translation } from '../format.ts'
import { type GroupNeed, needsThrough } from '../group-needs.ts'
import { OwnIds } from '../plan-draft.ts'
import { contextOfEach, contextPart, promptText } from '../prompt-from-fields.ts'
import {
  type Batch,
  type BatchTask,
  type Field,
  filesOf,
  itemsOf,
  MAX_CHARS,
  namesNoDependency,
  partName,
  readBatches,
  TASK_HEADING,
  verificationOf,
  waitFieldsOf,
} from './batch-sections.ts'
import { LOOKED_AT_CHARS, readMarkdown } from './lines.ts'
import { MarkdownPlan, type Need } from './plan-draft.ts'

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

/** `taskIndex`: the position of each task among all. */
type BatchFile = {
  plan: MarkdownPlan
  batches: readonly Batch[]
  tasks: readonly BatchTask[]
  batchNamed: ReadonlyMap<string, Batch>
  taskIndex: ReadonlyMap<string, number>
}

function kindsOf(text: string): Set<'batch' | 'task'> {
  // A search in the text is far quicker than reading all of its lines.
  const head = text.slice(0, LOOKED_AT_CHARS)
  if (!/^ {0,3}#{1,6}[^\w\n]{1,20}(?:batch|task)\s/im.test(head)) return new Set()
  return new Set(readMarkdown(head).lines.flatMap(({ heading }) => (heading && partName(heading.title)?.kind) ?? []))
}

function translate(file: SourceFile, { part, checks, redo }: TranslateOptions): Result<Translation> {
  const plan = new MarkdownPlan([file])
  if (plan.isRefused) return plan.finish()
  const markdown = readMarkdown(file.text)
  const { title, introduction, batches } = readBatches(markdown, plan)
  const tasks = batches.flatMap((batch) => batch.tasks)
  if (plan.tooMany(tasks.length)) return plan.finish()
  const batchNamed = new Map(batches.map((batch) => [batch.id, batch]))
  const read = { plan, batches, tasks, batchNamed, taskIndex: new Map(tasks.map(({ id }, i) => [id, i])) }
  if (redo) for (const task of tasks) if (task.state === 'done') task.state = 'open'
  plan.noteOpenFence(markdown, file)
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
        ...plan.claims(filesOf(task), task, () => `task ${shown(task.id)}`),
      },
      task,
    )
  }
  return plan.finish()
}

function titleOf(what: string, { id, title }: Batch | BatchTask): string {
  return title === '' ? `${what} ${id}` : `${what} ${id}: ${title}`
}

/** Reports errors in headings, and assumptions about details that the file leaves open. */
function noteBatches({ plan, batches, tasks }: BatchFile): void {
  for (const [what, sections] of Object.entries({ batches, tasks })) {
    const first = new Map<string, Place>()
    for (const section of sections) {
      plan.noteName(first, what, section.id, section)
      if (section.note !== null)
        plan.assumeStatus(section, what, section.id, { is: section.note, state: section.state })
    }
  }
  if (!batches[0]) plan.error({ line: 1, column: 1 }, `there is no batch in this plan: ${BATCH_HEADING}`)
  else if (tasks.length === 0 && !plan.isRefused)
    plan.error(batches[0], `no batch of this plan has a task: ${TASK_HEADING}`)
  for (const batch of batches) {
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

// The batches to run: `all`, `2`, `0a`, `1-3`, `1,3-4`.

function choosePart(read: BatchFile, part: string): void {
  const { plan, batches, tasks } = read
  const chosen = new Set(part.trim().toLowerCase() === 'all' ? batches : batchesIn(part, read))
  for (const task of tasks) if (task.state === 'open' && !chosen.has(task.batch)) task.state = 'skipped'
  const left = batches.find((batch) => !chosen.has(batch) && batch.tasks.some(({ state }) => state === 'skipped'))
  if (left && batches.some(isOpen)) {
    const message = `only the batches ${shown(part.trim())} are run: what they need of the others is taken as done`
    plan.assume({ line: left.line, column: 1 }, message)
  }
}

function batchesIn(written: string, read: BatchFile): Batch[] {
  const parts = written.trim().toLowerCase().slice(0, LIMITS.messageChars).split(',')
  return parts.flatMap((part) => {
    const [, first = '', last = first] = /^\s*(\d{1,9}[a-z]?)\s*(?:-\s*(\d{1,9}[a-z]?)\s*)?$/.exec(part) ?? []
    const found = batchesFrom({ first, last, line: 1, column: 1 }, read)
    const has = `this plan has the batches ${shownNames(read.batches.map(({ id }) => id))}`
    const message = `${shown(part.trim())} names none of its batches (\`all\`, \`2\`, \`1-3\` or \`1,3-4\`): ${has}`
    if (found.length === 0) read.plan.error({ line: 1, column: 1 }, message)
    return found
  })
}

/** The batches from one to another. `Batch 0` means `Batch 0a` and `Batch 0b` if there is no batch 0. */
function batchesFrom({ first, last, ...place }: Pick<Dependency, 'first' | 'last'> & Place, read: BatchFile): Batch[] {
  const { plan, batches, batchNamed } = read
  const [from, to] = [Number.parseInt(first, 10), Number.parseInt(last, 10)]
  const exact = first === last ? (batchNamed.get(first) ?? batchNamed.get(String(from))) : undefined
  if (exact) return [exact]
  return plan.mayAdd(batches.length, place) ? batches.filter(({ number }) => number >= from && number <= to) : []
}

// The dependencies of batches and tasks. A left-out part passes on its own dependencies.

type Waits = GroupNeed<Batch | BatchTask, Place>[]

function isOpen({ tasks }: Batch): boolean {
  return tasks.some(({ state }) => state === 'open')
}

function isBatch(part: Batch | BatchTask): part is Batch {
  return 'tasks' in part
}

function orderOf(read: BatchFile) {
  const { plan } = read
  /** Reads each part once, so that its errors are reported once. */
  const waitsOf = memoized((part: Batch | BatchTask) => readWaits(part, read))
  const ofBatch = needsThrough<Batch, Place>(plan, {
    named: (batch) => waitsOf(batch).flatMap(({ group, path }) => (isBatch(group) ? [{ group, path }] : [])),
    isOpen,
    isEmpty: ({ tasks }) => tasks.length === 0 || tasks.some(({ state }) => state === 'skipped'),
  })
  const ofTask = needsThrough<BatchTask, Place>(plan, {
    named: (task) => {
      // The epic of the batch carries the needs of an open task's batch on other batches. A left-out batch has no epic.
      const whole = waitsOf(task.batch).filter(({ group }) => task.state !== 'open' || !isBatch(group))
      return [...waitsOf(task), ...whole].flatMap(({ group, path }) => {
        const tasks = isBatch(group) ? group.tasks : [group]
        return plan.mayAdd(tasks.length, path) ? tasks.map((one) => ({ group: one, path })) : []
      })
    },
    isOpen: ({ state }) => state === 'open',
    isEmpty: ({ state }) => state === 'skipped',
  })
  return { ofBatch, ofTask: (task: BatchTask) => (plan.isRefused ? [] : ofTask(task)) }
}

/** The dependencies of a part. A batch that names none waits for the batch before it: late is better than early. */
function readWaits(part: Batch | BatchTask, read: BatchFile): Waits {
  const { plan } = read
  const found = new Map<Batch | BatchTask, Place>()
  const { waits, others } = waitFieldsOf(part)
  for (const { name, field } of others) plan.ignore(field, 'fields that look like dependencies', name)
  let isUnderstood = false
  for (const line of waits.flatMap(linesOf)) {
    const { named, isNone } = readDependencies(line, isBatch(part) ? 'batch' : 'task')
    let isSaid = isNone
    for (const one of named) {
      const { kind, first, last } = one
      const parts = partsNamed(one, read)
      for (const other of parts) if (!found.has(other)) found.set(other, one)
      const missing = `there is no ${kind} ${first === last ? first : `${first}-${last}`} to depend on`
      if (parts.length === 0 && one.isNamed && !plan.isRefused) plan.error(one, missing)
      isSaid ||= parts.length > 0 || one.isNamed
    }
    isUnderstood ||= isSaid
    if (!isSaid) plan.ignore(line, NOT_UNDERSTOOD, line.text)
  }
  if (isBatch(part) && part.before && !isUnderstood) found.set(part.before, part)
  return [...found].map(([group, path]) => ({ group, path }))
}

const NOT_UNDERSTOOD =
  'dependencies that do not begin with a batch or task: no task waits for them, and a batch waits for the one before it'

function partsNamed(one: Dependency, read: BatchFile): readonly (Batch | BatchTask)[] {
  const { plan, tasks, taskIndex } = read
  if (one.kind === 'batch') return batchesFrom(one, read)
  const [from, to] = [taskIndex.get(one.first), taskIndex.get(one.last)]
  if (from === undefined || to === undefined) return []
  return plan.mayAdd(Math.max(to - from, 0), one) ? tasks.slice(from, to + 1) : []
}

// The text of `**Dependencies:**`: `None`, `Batch 1, 2`, `Task 1.1 (schema) and 1.3`, `Batches 1-3`.

type Dependency = Place & {
  kind: 'batch' | 'task'
  first: string
  last: string
  /** False: a number without `batch` or `task` before it, which may count something else. */
  isNamed: boolean
}

/** The lines of a field, each with its place. */
function linesOf(field: Field): (Place & { text: string })[] {
  const items = itemsOf(field)
  return field.said !== '' || items.length === 0 ? [{ ...field, text: field.said }] : items
}

/** `what`: the meaning of a number without a dot and without a word before it. */
function readDependencies({ text: written, line, column }: Place & { text: string }, what: 'batch' | 'task') {
  // Brackets are replaced by spaces, so that columns stay right.
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
      last: (last ?? first).toLowerCase(),
      isNamed: kind !== null,
      line,
      column: column + position + before.length,
    })
    position += whole.length
  }
  return { named, isNone: NONE.test(text) }
}

const NUMBER = '\\d{1,9}[a-z]?(?:\\.\\d{1,9}[a-z]?){0,3}'
const NEXT = new RegExp(
  `^([\\s,;&+/#*_\`"'[\\]:✅✓✔☑]{0,200}(?:(?:and|or|plus)\\s)?[\\s#*_\`[]{0,9}(?:(batch|task)(?:es|s)?\\s{1,9}#?)?)(${NUMBER})(?:(?:\\s?[-–]\\s?|\\s(?:to|through)\\s)(?:(?:batch|task)\\s)?(${NUMBER}))?(?![\\w.]\\w|\\w)`,
  'i',
)
const NONE = /^[\s*_`(-]*(?:none|no|n\/a|nothing|independent|[-–—]|$)(?![\w-])/i
