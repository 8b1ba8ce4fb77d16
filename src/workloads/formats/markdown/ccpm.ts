// ccpm: one Markdown file per task. `depends_on` are needs; tasks named by `conflicts_with` never run at the same time.
import { basename, extname } from 'node:path'
import { ok, type Result } from '../../../problem.ts'
import { slug } from '../../../text/slug.ts'
import { shown } from '../../document/field.ts'
import type { Entry, Format, SourceFile, StatusEntry, TextEdit, Translation } from '../format.ts'
import { inOrder } from '../group-needs.ts'
import { mayBeName, noTaskWords, truthOf, WAIT_FIELDS } from '../json/reader.ts'
import { OwnIds } from '../plan-draft.ts'
import { contextText, promptText, prose } from '../prompt-from-fields.ts'
import { plainStatus, stateOf } from '../status/status-words.ts'
import { taskContent } from '../status/text-edits.ts'
import { readMarkdown, textOf } from './lines.ts'
import { type FrontMatter, frontMatterText, MarkdownPlan, type Need, readFrontMatter } from './plan-draft.ts'

export const ccpm: Format = {
  name: 'ccpm',
  title: "ccpm's task files",
  sign: 'the fields `name` and `depends_on`, `parallel` or `conflicts_with` at its top',
  kind: 'markdown',
  manyFiles: true,
  recognises: isTask,
  resembles: isEpic,
  alsoReads: isEpic,
  translate,
  status: {
    words: { open: 'open', begun: 'in-progress', done: 'closed', failed: 'open', blocked: 'blocked' },
    read: readStatus,
  },
}

type TaskFile = {
  file: SourceFile
  front: FrontMatter
  source: string
  task: string
  state: Entry['state']
  needs: (Need & { other: TaskFile })[]
  after: Set<TaskFile>
}

type Context = { plan: MarkdownPlan; tasks: TaskFile[]; byName: Map<string, TaskFile> }

function translate(written: readonly SourceFile[]): Result<Translation> {
  const plan = new MarkdownPlan(written)
  if (plan.isRefused) return plan.finish()
  const tasks = readTasks(
    written.filter((file) => !isEpic(file)),
    plan,
  )
  if (tasks.length === 0 && !plan.isRefused)
    plan.error({ line: 1, column: 1 }, 'this tells about the epic and is no task of it: name the folder it is in')
  if (plan.isRefused) return plan.finish()
  const byName = new Map(tasks.toReversed().map((task) => [keyOf(task.source), task]))
  const context: Context = { plan, tasks, byName }
  const open = tasks.filter(({ state }) => state === 'open')
  const epic = written.find(isEpic)
  const front = epic && readTaskFields(epic)
  const name = front?.ok ? prose(front.value.fields.name) : ''
  if (name !== '') plan.head({ name: slug(name), objective: name })
  for (const task of open) readNeeds(task, context)
  keepApart(open, context)
  const about = contextText(epic ? [bodyOf(epic)] : [], tasks.length)
  for (const task of open) addTask(task, about, plan)
  return plan.finish()
}

function readTasks(files: readonly SourceFile[], plan: MarkdownPlan): TaskFile[] {
  const ids = new OwnIds('task')
  return files.flatMap((file): TaskFile[] => {
    const read = readTaskFields(file)
    if (!read.ok) {
      plan.errors(read.problems)
      return []
    }
    const front = read.value
    plan.noteUnknown(front, KNOWN, 'task')
    const status = prose(front.fields.status).toLowerCase()
    const state = stateOf(status, STATES)
    const isFresh = state === 'open' && ['', ...STATES.open].includes(plainStatus(status))
    const source = basename(file.file, extname(file.file))
    if (state !== 'done' && !isFresh)
      plan.assumeStatus(plan.fieldPlace(front, ['status']), 'tasks', source, { is: shown(status), state })
    if (state === 'open' && truthOf(front.fields.parallel) === false)
      plan.assume(plan.fieldPlace(front, ['parallel']), NOT_PARALLEL)
    const task = ids.of(source)
    plan.entries.push({ task, source, state })
    return [{ file, front, source, task, state, needs: [], after: new Set() }]
  })
}

/** Read as "runs alone", `parallel: false` would add an order that the files do not ask for. */
const NOT_PARALLEL = '`parallel: false` adds no order: a task waits for what `depends_on` and `conflicts_with` name'

/** `open`: statuses of tasks that have not begun. */
const STATES = {
  done: ['closed', 'completed', 'complete', 'done'],
  open: ['open', 'pending', 'todo', 'backlog'],
}
const KNOWN = new Set([
  ...['name', 'title', 'status', 'parallel', 'conflicts_with', 'created', 'updated', 'github'],
  ...WAIT_FIELDS,
])

function readNeeds(task: TaskFile, { plan, tasks, byName }: Context): void {
  for (const field of WAIT_FIELDS)
    for (const { text: written, place } of plan.names(task.front, field)) {
      // Text in brackets after a name explains it: `001 (the table)`.
      const name = written.replace(/\s*[([][^()[\]]*[)\]]$/, '')
      const other = byName.get(keyOf(name))
      if (other?.state === 'open') task.needs.push({ id: other.task, place, other })
      else if (other?.state === 'skipped') plan.assume(place, 'nothing waits for tasks that are left out', other.source)
      else if (other) continue
      else if (field !== 'depends_on' || !mayBeName(name)) plan.warn(place, noTaskWords(field, name))
      else if (tasks.length > 1) plan.error(place, missing(task, 'depends on', name))
      else plan.assume(place, 'tasks that are in other files are taken as done', name)
    }
}

/** Adds a need between tasks that conflict: the one that needs the other waits, else the later file, so there is no cycle. */
function keepApart(open: readonly TaskFile[], { plan, tasks, byName }: Context): void {
  // Tasks in a cycle have no order; the reader of the plan reports the cycle.
  const order = inOrder(open, ({ needs }) => needs.map(({ other }) => other)) ?? []
  const position = new Map(order.map((task, i) => [task, i]))
  for (const [i, task] of order.entries())
    for (const { text, place } of plan.names(task.front, 'conflicts_with')) {
      const other = byName.get(keyOf(text))
      const j = other && position.get(other)
      if (!other && tasks.length > 1) plan.error(place, missing(task, 'conflicts with', text))
      else if (other && j !== undefined && j > i) other.after.add(task)
      else if (other && j !== undefined && j < i) task.after.add(other)
    }
}

function missing({ source }: TaskFile, verb: string, name: string): string {
  return `task ${shown(source)} ${verb} ${shown(name)}, which does not exist`
}

function addTask(task: TaskFile, about: string, plan: MarkdownPlan): void {
  const { file, front, needs } = task
  const place = plan.place(file, 1)
  const name = prose(front.fields.name) || prose(front.fields.title)
  const body = bodyOf(file, ok(front))
  if (name === '' && body === '') plan.error(place, `task ${shown(task.source)} says nothing: give it a \`name\``)
  const needed = new Set(needs.map(({ other }) => other))
  plan.task(
    {
      id: task.task,
      title: name.split('\n', 1)[0],
      prompt: promptText(body.includes(name) ? body : `${name}\n\n${body}`.trim(), [['What this is part of', about]]),
      needs,
      after: [...task.after].filter((other) => !needed.has(other)).map((other) => ({ id: other.task, place })),
    },
    place,
  )
}

/** A name to compare by. YAML reads `001` as 1, so leading zeros do not count; nor do `#`, `task` and `.md` around it. */
function keyOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^(?:task[\s_-]*)?#?/, '')
    .replace(/\.md$/, '')
    .replace(/^0+(?=\d)/, '')
}

// The files in the folder of a ccpm epic: its tasks and the epic itself.

function isTask({ text }: SourceFile): boolean {
  const front = frontMatterText(text)
  return front !== null && /^name[ \t]*:/m.test(front) && /^(?:depends_on|parallel|conflicts_with)[ \t]*:/m.test(front)
}

function isEpic({ file, text }: SourceFile): boolean {
  return /(?:^|[/\\])epic\.md$/i.test(file) && /^name[ \t]*:/m.test(frontMatterText(text) ?? '')
}

/** Reads a name as it stands in its line (`Fix #12`), like ccpm; only a quoted or multi-line name is read as YAML. */
function readTaskFields(file: SourceFile): Result<FrontMatter> {
  const read = readFrontMatter(file)
  if (read.ok && /^name:[ \t]*(?:["'|>]|$)/m.test(file.text)) return read
  const quoted = file.text.replace(/^name:(.+)$/m, (_, name: string) => `name: ${JSON.stringify(name.trim())}`)
  const again = readFrontMatter(file, quoted)
  return again.ok ? again : read
}

function bodyOf(file: SourceFile, front = readTaskFields(file)): string {
  return textOf(readMarkdown(file.text).lines.slice(front.ok ? front.value.lines : 0))
}

// The `status:` line at the top of a ccpm task file. ccpm has no word for a failed task: it is open again.

function readStatus(file: SourceFile): Result<StatusEntry[]> {
  const front = readTaskFields(file)
  if (!front.ok) return front
  const { fields } = front.value
  const status = prose(fields.status)
  const order = [...WAIT_FIELDS, 'parallel', 'conflicts_with'].map((name) => fields[name])
  const content = () => taskContent([fields.name ?? fields.title, ...order, bodyOf(file, front)])
  const source = basename(file.file, extname(file.file))
  const edits = (word: string) => statusEdits(file.text, word)
  return ok([{ source, parent: null, status, state: stateOf(status, STATES), content, edits }])
}

const LINE = /^status[ \t]*:[ \t]*("[^"\n]*"|'[^'\n]*'|[^\s#][^\n]*?|)(?=[ \t]*(?:[ \t]#[^\n]*)?\r?$)/m

function statusEdits(text: string, word: string): TextEdit[] {
  const start = text.indexOf('\n') + 1
  const found = LINE.exec(frontMatterText(text) ?? '')
  if (!found) {
    const ending = text.startsWith('---\r\n') ? '\r\n' : '\n'
    return [{ offset: start, length: 0, text: `status: ${word}${ending}` }]
  }
  const [line, value = ''] = found
  const space = value === '' && !/[ \t]$/.test(line) ? ' ' : ''
  const offset = start + found.index + line.length - value.length
  return [{ offset, length: value.length, text: `${space}${word}` }]
}
