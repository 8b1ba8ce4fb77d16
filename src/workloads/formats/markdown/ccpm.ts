// ccpm: one Markdown file per task. `depends_on` are needs; what `conflicts_with` names never runs at the same time.
import { basename, extname } from 'node:path'
import { ok, type Result } from '../../../problem.ts'
import { slug } from '../../../text/slug.ts'
import { shown } from '../../document/field.ts'
import type { Entry, Format, SourceFile, StatusEntry, TextEdit, Translation } from '../format.ts'
import { mayBeName, noTaskWords, WAIT_FIELDS } from '../json/reader.ts'
import { truthOf } from '../json/values.ts'
import { inOrder } from '../order.ts'
import { OwnIds } from '../plan-draft.ts'
import { contextText, type PromptSection, promptText, prose } from '../prompt.ts'
import { taskContent } from '../status/status-file.ts'
import { plainStatus, stateOf } from '../status/status-words.ts'
import { readMarkdown, textOf } from './lines.ts'
import {
  FrontFields,
  type FrontMatter,
  type FrontName,
  frontMatterText,
  MarkdownPlan,
  type Need,
  readFrontMatter,
} from './plan.ts'

export const ccpm: Format = {
  name: 'ccpm',
  title: "ccpm's task files",
  sign: 'the fields `name` and `depends_on`, `parallel` or `conflicts_with` at its top',
  kind: 'markdown',
  manyFiles: true,
  recognises: isTask,
  resembles: isEpic,
  alsoReads: (file) => isEpic(file) || isNumbered(file) || analysedBy(file) !== null,
  translate,
  status: {
    words: { open: 'open', begun: 'in-progress', done: 'closed', failed: 'open', blocked: 'blocked' },
    read: readStatus,
  },
}

type Context = { plan: MarkdownPlan; tasks: TaskFile[]; byName: Map<string, TaskFile> }

function translate(written: readonly SourceFile[]): Result<Translation> {
  const isTaskFile = (file: SourceFile): boolean => !isEpic(file) && (isTask(file) || analysedBy(file) === null)
  // What only surrounds the tasks is no reason to refuse them.
  const files = written.map((file) => (isTaskFile(file) ? file : withoutControlCharacters(file)))
  const plan = new MarkdownPlan(files)
  if (plan.isRefused) return plan.finish()
  const tasks = readTasks(files.filter(isTaskFile), plan)
  if (tasks.length === 0 && !plan.isRefused)
    plan.error({ line: 1, column: 1 }, 'this tells about the epic and is no task of it: name the folder it is in')
  if (plan.isRefused) return plan.finish()
  const byName = new Map<string, TaskFile>()
  for (const task of tasks) if (!byName.has(keyOf(task.source))) byName.set(keyOf(task.source), task)
  const context: Context = { plan, tasks, byName }
  const about = surroundings(files, context)
  const open = tasks.filter(({ state }) => state === 'open')
  readHead(files.find(isEpic), plan, open.length)
  const waits = new Map(open.map((task) => [task, waitsOf(task, context)]))
  const after = keptApart(open, waits, context)
  for (const task of open) {
    const needs = waits.get(task) ?? []
    const needed = new Set(needs.map(({ other }) => other))
    const others = [...(after.get(task) ?? [])].filter((other) => !needed.has(other))
    addTask(task, { needs, others, about: about(task) }, plan)
  }
  return plan.finish()
}

function withoutControlCharacters(file: SourceFile): SourceFile {
  return { ...file, text: file.text.replace(/[^\P{Cc}\r\n\t]/gu, ' ') }
}

/** For every task the earlier ones it conflicts with: earlier by needs, else by file, so nothing waits in a circle. */
function keptApart(
  open: readonly TaskFile[],
  waits: ReadonlyMap<TaskFile, Known[]>,
  context: Context,
): Map<TaskFile, Set<TaskFile>> {
  // Where they need each other in a circle there is no order; the reader of the plan shows the circle.
  const order = inOrder(open, (task) => (waits.get(task) ?? []).map(({ other }) => other)) ?? []
  const position = new Map(order.map((task, i) => [task, i]))
  const after = new Map(open.map((task) => [task, new Set<TaskFile>()]))
  for (const task of order)
    for (const other of conflictsOf(task, context)) {
      const isLater = (position.get(task) ?? 0) > (position.get(other) ?? 0)
      after.get(isLater ? task : other)?.add(isLater ? other : task)
    }
  return after
}

function surroundings(files: readonly SourceFile[], { tasks, byName }: Context): (task: TaskFile) => PromptSection[] {
  const epic = files.find(isEpic)
  const whole = contextText(epic ? [bodyOf(epic)] : [], tasks.length)
  const analyses = new Map<TaskFile | undefined, string>()
  for (const file of files) {
    const name = isTask(file) ? null : analysedBy(file)
    if (name !== null) analyses.set(byName.get(keyOf(name)), contextText([bodyOf(file)], tasks.length))
  }
  return (task) => [
    ['What was found out about it before', analyses.get(task) ?? ''],
    ['What this is part of', whole],
  ]
}

function readHead(epic: SourceFile | undefined, plan: MarkdownPlan, open: number): void {
  const front = epic && readTaskFields(epic)
  if (!epic || !front?.ok) return
  const fields = new FrontFields(front.value, plan, epic)
  const [name, status] = [fields.text('name'), fields.text('status')]
  const tasks = open === 1 ? '1 of its tasks is not: it is' : `${open} of its tasks are not: they are`
  if (open > 0 && stateOf(status, STATES) !== 'open')
    plan.warn(fields.place(['status']), `the epic is ${shown(status)}, but ${tasks} run`)
  if (name !== '') plan.head({ name: slug(name), objective: name })
}

type Known = Need & { other: TaskFile }

function waitsOf(task: TaskFile, { plan, tasks, byName }: Context): Known[] {
  return task.waits.flatMap(({ text, place, isTask, field }): Known[] => {
    const other = byName.get(keyOf(text))
    if (other?.state === 'open') return [{ id: other.task, place, other }]
    if (other?.state === 'skipped') plan.assume(place, `task ${shown(other.source)} is left out: nothing waits for it`)
    else if (!other && !isTask) plan.warn(place, noTaskWords(field, text))
    else if (!other && tasks.length > 1)
      plan.error(place, `task ${shown(task.source)} depends on ${shown(text)}, which does not exist`)
    else if (!other) plan.assume(place, `task ${shown(text)} is in another file: it is taken as done`)
    return []
  })
}

function conflictsOf(task: TaskFile, { plan, tasks, byName }: Context): TaskFile[] {
  return task.conflictsWith.flatMap(({ text, place }): TaskFile[] => {
    const other = byName.get(keyOf(text))
    if (other) return other.state === 'open' && other !== task ? [other] : []
    if (tasks.length > 1)
      plan.error(place, `task ${shown(task.source)} conflicts with ${shown(text)}, which does not exist`)
    return []
  })
}

type Surrounding = { needs: readonly Known[]; others: readonly TaskFile[]; about: readonly PromptSection[] }

function addTask(task: TaskFile, { needs, others, about }: Surrounding, plan: MarkdownPlan): void {
  const { file, front } = task
  const top = plan.place(file, 1)
  const name = nameIn(front.fields)
  const body = textOf(readMarkdown(file.text).lines.slice(front.lines))
  if (name === '' && body === '') plan.error(top, `task ${shown(task.source)} says nothing: give it a \`name\``)
  plan.task(
    {
      id: task.task,
      title: name.split('\n', 1)[0],
      prompt: promptText(body.includes(name) ? body : `${name}\n\n${body}`.trim(), about),
      needs: needs.map(({ id, place }) => ({ id, place })),
      after: others.map((other) => ({ id: other.task, place: top })),
    },
    top,
  )
}

/** YAML reads `001` as 1, so leading zeros do not count; nor do `#`, `task` and `.md` around it. */
function keyOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^(?:task[\s_-]*)?#?/, '')
    .replace(/\.md$/, '')
    .replace(/^0+(?=\d)/, '')
}

// The tasks of a ccpm epic as their files tell of them.

type TaskFile = {
  file: SourceFile
  front: FrontMatter
  source: string
  task: string
  state: Entry['state']
  waits: FrontWait[]
  conflictsWith: FrontName[]
}

function readTasks(files: readonly SourceFile[], plan: MarkdownPlan): TaskFile[] {
  const ids = new OwnIds('task')
  const remarked = new Set<string>()
  return files.flatMap((file) => {
    const front = readTaskFields(file)
    if (!front.ok) {
      plan.errors(front.problems)
      return []
    }
    const fields = new FrontFields(front.value, plan, file)
    const assumeOnce = (name: string, message: string): void => {
      if (remarked.has(message)) return
      remarked.add(message)
      plan.assume(fields.place([name]), message)
    }
    fields.noteUnknown(KNOWN, 'task')
    const status = fields.text('status').toLowerCase()
    const state = stateOf(status, STATES)
    const isFresh = status === '' || STATES.open.includes(plainStatus(status))
    const source = basename(file.file, extname(file.file))
    if (state === 'open' && !isFresh) assumeOnce('status', `a task that is ${shown(status)} is run from the start`)
    if (state === 'skipped') assumeOnce('status', `task ${shown(source)} is ${shown(status)}: left out`)
    if (state === 'open' && truthOf(fields.values.parallel) === false) assumeOnce('parallel', NOT_PARALLEL)
    const task = ids.of(source)
    plan.entries.push({ task, source, state })
    const waits = { waits: waitsIn(fields), conflictsWith: fields.names('conflicts_with') }
    return [{ file, front: front.value, source, task, state, ...waits }]
  })
}

/** Read as "alone", it would add an order that the files do not have: they name what a task waits for. */
const NOT_PARALLEL = '`parallel: false` adds no order: a task waits for what `depends_on` and `conflicts_with` name'

/** `open`: what nobody has begun. */
const STATES = {
  done: ['closed', 'completed', 'complete', 'done'],
  open: ['open', 'pending', 'todo', 'backlog'],
}
const KNOWN = new Set([
  ...['name', 'title', 'status', 'parallel', 'conflicts_with', 'created', 'updated', 'github'],
  ...WAIT_FIELDS,
])

/** `isTask`: nothing but a task can be meant; `field` is where it stands. */
type FrontWait = FrontName & { isTask: boolean; field: string }

function waitsIn(fields: FrontFields): FrontWait[] {
  return WAIT_FIELDS.flatMap((field) =>
    fields.names(field).map((name) => {
      // What is in brackets behind a name explains it: `001 (the table)`.
      const text = name.text.replace(/\s*[([][^()[\]]*[)\]]$/, '')
      return { ...name, text, isTask: field === OWN && mayBeName(text), field }
    }),
  )
}

const OWN = 'depends_on'

// The files in the folder of a ccpm epic: its tasks, the epic itself, and what was found out about tasks before.

function isTask({ text }: SourceFile): boolean {
  const front = frontMatterText(text)
  return front !== null && /^name[ \t]*:/m.test(front) && /^(?:depends_on|parallel|conflicts_with)[ \t]*:/m.test(front)
}

/** Its own program takes every file that is called by a number: beside tasks, one that says less is a task as well. */
function isNumbered({ file, text }: SourceFile): boolean {
  return /^\d+\.md$/i.test(basename(file)) && /^(?:name|title|status)[ \t]*:/m.test(frontMatterText(text) ?? '')
}

function isEpic({ file, text }: SourceFile): boolean {
  return /(?:^|[/\\])epic\.md$/i.test(file) && /^name[ \t]*:/m.test(frontMatterText(text) ?? '')
}

/** `001-analysis.md` is about `001`: its own program writes there how the work could be divided. Null for other files. */
function analysedBy({ file, text }: SourceFile): string | null {
  return /\S/.test(text) ? (/^(.+)-analysis\.md$/i.exec(basename(file))?.[1] ?? null) : null
}

/** ccpm takes a name as it stands in its line (`Fix #12`): only one in quotes, or over several lines, is YAML. */
function readTaskFields(file: SourceFile): Result<FrontMatter> {
  const read = readFrontMatter(file.text, file.file)
  if (read.ok && YAML_NAME.test(file.text)) return read
  const quoted = file.text.replace(NAME, (_, name: string) => `name: ${JSON.stringify(name.trim())}`)
  const again = readFrontMatter(quoted, file.file)
  return again.ok ? again : read
}

const NAME = /^name:(.+)$/m
const YAML_NAME = /^name:[ \t]*(?:["'|>]|$)/m

function nameIn({ name, title }: FrontMatter['fields']): string {
  return prose(name) || prose(title)
}

function bodyOf(file: SourceFile): string {
  const front = readTaskFields(file)
  return textOf(readMarkdown(file.text).lines.slice(front.ok ? front.value.lines : 0))
}

// The `status:` line at the top of a ccpm task file. It has no word for what failed: that is open still.

function readStatus(task: SourceFile): Result<StatusEntry[]> {
  const { text, file } = task
  const front = readTaskFields(task)
  if (!front.ok) return front
  const written = prose(front.value.fields.status)
  const source = basename(file, extname(file))
  const record = { source, parent: null, status: written, state: stateOf(written, STATES) }
  return ok([{ ...record, content: () => wordsOf(text, front.value), edits: (word) => statusEdits(text, word) }])
}

function wordsOf(text: string, { fields, lines }: FrontMatter): string {
  const body = textOf(readMarkdown(text).lines.slice(lines))
  const order = [...WAIT_FIELDS, 'parallel', 'conflicts_with'].map((name) => fields[name])
  return taskContent([fields.name ?? fields.title, ...order, body])
}

const LINE = /^status[ \t]*:[ \t]*("[^"\n]*"|'[^'\n]*'|[^\s#][^\n]*?|)(?=[ \t]*(?:[ \t]#[^\n]*)?\r?$)/m

function statusEdits(text: string, word: string): TextEdit[] {
  const yaml = frontMatterText(text) ?? ''
  const start = text.indexOf('\n') + 1
  const found = LINE.exec(yaml)
  if (!found) {
    const ending = text.startsWith('---\r\n') ? '\r\n' : '\n'
    return [{ offset: start, length: 0, text: `status: ${word}${ending}` }]
  }
  const [line, value = ''] = found
  const space = value === '' && !/[ \t]$/.test(line) ? ' ' : ''
  const offset = start + found.index + line.length - value.length
  return [{ offset, length: value.length, text: `${space}${word}` }]
}
