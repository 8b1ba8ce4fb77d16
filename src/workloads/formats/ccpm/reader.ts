// ccpm: one Markdown file per task. `depends_on` are needs; what `conflicts_with` names never runs at the same time.
import type { Result } from '../../../problem.ts'
import { slug } from '../../../text/slug.ts'
import { shown } from '../../document/field.ts'
import type { Format, SourceFile, Translation } from '../format.ts'
import { noTaskWords } from '../json/reader.ts'
import { FrontFields } from '../markdown/front-matter.ts'
import { MarkdownPlan, type Need } from '../markdown/markdown-draft.ts'
import { readMarkdown, textOf } from '../markdown/parse-lines.ts'
import { inOrder } from '../order/sort-by-needs.ts'
import { stateOf } from '../read-status/status-words.ts'
import { contextText, type PromptSection, promptText } from '../task-prompt/compose-prompt.ts'
import { analysedBy, bodyOf, isEpic, isNumbered, isTask, nameIn, readTaskFields } from './epic-files.ts'
import { readTasks, STATES, type TaskFile } from './tasks.ts'
import { ccpmStatus } from './write-status.ts'

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
  status: ccpmStatus,
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
