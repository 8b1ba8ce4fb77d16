// A batch plan in Markdown. A batch becomes an epic; its tasks run at the same time unless one names another.
import { LIMITS } from '../../../config.ts'
import { ok, type Result, refuse } from '../../../problem.ts'
import { slug } from '../../../text/slug.ts'
import { shown, shownNames } from '../../document/field.ts'
import type { Place } from '../../document/place.ts'
import type { AcceptedChecks } from '../checks/commands-in.ts'
import type { Entry, Format, SourceFile, TranslateOptions, Translation } from '../format.ts'
import { type GroupNeed, needsThrough } from '../order.ts'
import { OwnIds } from '../plan-draft.ts'
import { contextOfEach, contextPart, promptText } from '../prompt.ts'
import {
  type Batch,
  type BatchDocument,
  type BatchTask,
  beginsPart,
  type Dependency,
  type Field,
  fieldsNamed,
  filesOf,
  itemsOf,
  partName,
  readBatches,
  readDependencies,
  type Section,
  statusOf,
  verificationOf,
  WAITS,
} from './batch-sections.ts'
import { LOOKED_AT_CHARS, readMarkdown } from './lines.ts'
import { MarkdownPlan, type Need, tellOfFences } from './plan.ts'

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

// The tasks of a batch plan: what they are called here, and which of them are run.

/** `state`: with what its batch says, and what is to be run. */
type Planned = BatchTask & { task: string; batch: PlannedBatch; state: Entry['state'] }
type PlannedBatch = Omit<Batch, 'tasks'> & { epic: string; tasks: Planned[]; before: PlannedBatch | null }

type BatchFile = {
  plan: MarkdownPlan
  file: SourceFile
  document: BatchDocument
  batches: PlannedBatch[]
  tasks: Planned[]
}

function plannedBatches(plan: MarkdownPlan, file: SourceFile, document: BatchDocument): BatchFile {
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

function choosePart({ plan, file, batches, tasks }: BatchFile, part: string | null): void {
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

function isOpen({ tasks }: PlannedBatch): boolean {
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

// What batches and tasks wait for. What was left out stands for what it waits for itself.

type Order = { ofBatch(batch: PlannedBatch): Need[]; ofTask(task: Planned): Need[] }

function orderOf(read: BatchFile): Order {
  const { plan } = read
  const waitsOf = waitsReader(read)
  let steps = 0
  const mayGoOn = (place: Place): boolean => {
    if (steps++ === MAX_STEPS) plan.error(place, 'too much would have to be gone through to find what this waits for')
    return steps <= MAX_STEPS
  }
  const tasksIn = (batches: readonly GroupNeed<PlannedBatch, Place>[]): GroupNeed<Planned, Place>[] =>
    batches.flatMap(({ group, path }) =>
      plan.mayNeed(group.tasks.length, path) ? group.tasks.map((task) => ({ group: task, path })) : [],
    )
  const ofBatch = needsThrough<PlannedBatch, Place>({
    named: (batch) => waitsOf(batch).batches,
    isOpen,
    isEmpty: ({ tasks }) => tasks.length === 0 || tasks.some(({ state }) => state === 'skipped'),
    mayGoOn,
  })
  const ofTask = needsThrough<Planned, Place>({
    named: (task) => {
      const [own, whole] = [waitsOf(task), waitsOf(task.batch)]
      // What a whole batch needs, the need of its epic says; but of what was left out there is no epic.
      const batches = task.state === 'open' ? own.batches : [...own.batches, ...whole.batches]
      const [first] = whole.tasks
      const shared = first && plan.mayNeed(whole.tasks.length, first.path) ? whole.tasks : []
      return [...own.tasks, ...shared, ...tasksIn(batches)]
    },
    isOpen: ({ state }) => state === 'open',
    isEmpty: ({ state }) => state === 'skipped',
    mayGoOn,
  })
  return {
    ofBatch: (batch) => ofBatch(batch).map(({ group, path }) => ({ id: group.epic, place: path })),
    ofTask: (task) => (plan.isRefused ? [] : ofTask(task).map(({ group, path }) => ({ id: group.task, place: path }))),
  }
}

/** More than in any plan that somebody wrote, and gone through in a second. */
const MAX_STEPS = 1_000_000

// What `**Dependencies:**` names, found in the plan. A batch without any waits for the one before it: late is better than early.

type Waits = { batches: GroupNeed<PlannedBatch, Place>[]; tasks: GroupNeed<Planned, Place>[] }

/** Each is read once, so that what is wrong with it is said once. */
function waitsReader(read: BatchFile): (part: PlannedBatch | Planned) => Waits {
  const names: Names = {
    batches: new Map(read.batches.map((batch) => [batch.id, batch])),
    tasks: new Map(read.tasks.map(({ id }, i) => [id, i])),
  }
  const known = new Map<PlannedBatch | Planned, Waits>()
  return (part) => {
    const waits = known.get(part) ?? readWaits(part, read, names)
    known.set(part, waits)
    return waits
  }
}

/** Batches by id, and where each task stands among all. */
type Names = { batches: Map<string, PlannedBatch>; tasks: Map<string, number> }

function readWaits(part: PlannedBatch | Planned, read: BatchFile, names: Names): Waits {
  const { plan, file } = read
  const found = new Map<PlannedBatch | Planned, Place>()
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
function batchesNamed(
  { first, last }: Dependency,
  place: Place,
  { plan, batches }: BatchFile,
  names: Names,
): (PlannedBatch | Planned)[] {
  const [from, to] = [Number.parseInt(first, 10), Number.parseInt(last ?? first, 10)]
  const exact = last === null ? (names.batches.get(first) ?? names.batches.get(String(from))) : undefined
  if (exact) return [exact]
  if (!plan.mayNeed(batches.length, place)) return []
  return batches.filter(({ number }) => number >= from && number <= to)
}

function tasksNamed(
  { first, last }: Dependency,
  place: Place,
  { plan, tasks }: BatchFile,
  names: Names,
): (PlannedBatch | Planned)[] {
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

// What there is to say about a batch plan: what is wrong with it, what has no meaning here, what it leaves open.

function tellOfHeadings({ plan, file, document, batches, tasks }: BatchFile): void {
  const refuse = ({ line, column }: Section, message: string): void =>
    plan.error(plan.place(file, line, column), message)
  for (const [what, sections] of [
    ['batches', batches],
    ['tasks', tasks],
  ] as const) {
    const first = new Map<string, Section>()
    for (const section of sections) {
      const same = first.get(section.id)
      if (same) refuse(section, `there are two ${what} ${shown(section.id)}; the first is in line ${same.line}`)
      else first.set(section.id, section)
    }
  }
  for (const task of document.stray)
    refuse(task, `task ${shown(task.id)} stands under no batch: put it under a heading such as \`## Batch 1: title\``)
  const [first] = batches
  if (!first) plan.error(plan.place(file, 1), `there is no batch in this plan: ${BATCH_HEADING}`)
  else if (tasks.length + document.stray.length === 0)
    refuse(first, `no batch of this plan has a task: ${TASK_HEADING}`)
}

const BATCH_HEADING = 'a batch begins with a heading such as `## Batch 1: title`'
const TASK_HEADING = 'a task begins with a heading such as `### Task 1.1: title`'

/** What is left out, or run although something is said of it, or done by its heading: once for all with the same words. */
function tellOfStatuses({ plan, file, document }: BatchFile): void {
  const told = document.batches
    .flatMap((batch) => [{ what: 'batch', section: batch as Section, name: batch.id }, ...batch.tasks.map(named)])
    .map((one) => ({ ...one, ...statusOf(one.section) }))
    .filter(({ isWorthTelling }) => isWorthTelling)
  for (const same of Map.groupBy(told, ({ what, state, said }) => `${what} ${state} ${said}`).values()) {
    const [{ what, section, state, said } = {} as never] = same
    const names = shownNames(same.map(({ name }) => name))
    const who = same.length === 1 ? `${what} ${names} is` : `${what === 'task' ? 'tasks' : 'batches'} ${names} are`
    const end = said === null ? `${ENDS[state]}, as the heading says` : `${shown(said)}: ${ENDS[state]}`
    plan.assume(plan.place(file, section.line, section.column), `${who} ${end}`)
  }
}

function named(task: BatchTask): { what: string; section: Section; name: string } {
  return { what: 'task', section: task, name: task.id }
}

const ENDS = { open: 'run from the start', done: 'done', skipped: 'left out' }

function tellOfTheRest({ plan, file, document }: BatchFile): void {
  for (const { title, line } of document.others)
    plan.ignore(plan.place(file, line), `the section ${shown(title)}, which is part of no batch`)
  for (const { title, line, column } of document.resembling)
    plan.warn(
      plan.place(file, line, column),
      `${shown(title)} is not taken as a task, and its words are told to all tasks of the batch: ${TASK_HEADING}`,
    )
  const modes = document.batches.flatMap(({ fields }) => fields.get('execution mode') ?? [])
  for (const { said, line, column } of modes)
    if (!/^[`*_\s]*local\b/i.test(said))
      plan.ignore(plan.place(file, line, column), `the execution mode ${shown(said)}: everything runs here`)
}

function tellOfOrder({ plan, file, batches }: BatchFile): void {
  const open = batches.filter(isOpen)
  const isSilent = (section: Section): boolean => fieldsNamed(section, WAITS).length === 0
  const assume = (batch: Section | undefined, message: string): void => {
    if (batch) plan.assume(plan.place(file, batch.line, batch.column), message)
  }
  const unsaid = open.find((batch) => batch.before && isSilent(batch))
  assume(unsaid, 'a batch that says nothing of its dependencies waits for the one before it')
  const parallel = open.find(({ tasks }) => tasks.filter((task) => task.state === 'open' && isSilent(task)).length > 1)
  assume(parallel, 'tasks of a batch that name no dependencies run at the same time, unless they change the same files')
}
