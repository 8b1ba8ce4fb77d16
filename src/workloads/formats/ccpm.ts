// ccpm: one Markdown file per task, `001.md`, in the folder of its epic. `depends_on` are needs; what is not `parallel`, and
// what `conflicts_with` names, is never at work at the same time.
import { basename, extname } from 'node:path'
import type { Result } from '../../problem.ts'
import { kindOf, shown } from '../field.ts'
import type { Place } from '../place.ts'
import { slug } from '../slug.ts'
import { inOrder, type Separable, separated } from './ccpm-order.ts'
import type { Entry, Format, SourceFile, Translation } from './format.ts'
import { type FrontMatter, frontMatterText, readFrontMatter } from './front-matter.ts'
import { type FrontName, frontNames } from './front-names.ts'
import { readMarkdown, textOf } from './markdown.ts'
import { MarkdownPlan, type Need } from './markdown-plan.ts'
import { namesInWords } from './names-in-words.ts'
import { OwnIds } from './own-ids.ts'
import { contextText } from './prompt-context.ts'
import { promptText, prose, type Section } from './prompt-text.ts'

export const ccpm: Format = {
  name: 'ccpm',
  title: "ccpm's task files",
  sign: 'the fields `name` and `depends_on`, `parallel` or `conflicts_with` at its top',
  kind: 'markdown',
  manyFiles: true,
  recognises: isTask,
  resembles: isEpic,
  alsoReads: (file) => isEpic(file) || analysedBy(file) !== null,
  translate,
}

function isTask({ text }: SourceFile): boolean {
  const front = frontMatterText(text)
  return front !== null && /^name[ \t]*:/m.test(front) && /^(?:depends_on|parallel|conflicts_with)[ \t]*:/m.test(front)
}

function isEpic({ file, text }: SourceFile): boolean {
  return /(?:^|[/\\])epic\.md$/i.test(file) && /^name[ \t]*:/m.test(frontMatterText(text) ?? '')
}

/** `001-analysis.md` is about `001`: its own program writes there how the work could be divided. Null for other files. */
function analysedBy({ file, text }: SourceFile): string | null {
  return /\S/.test(text) ? (/^(.+)-analysis\.md$/i.exec(basename(file))?.[1] ?? null) : null
}

export const DONE = new Set(['closed', 'completed', 'complete', 'done'])
export const SKIPPED = new Set(['cancelled', 'canceled', 'deferred', 'wontfix'])
const OPEN = new Set(['', 'open', 'pending', 'todo', 'backlog'])
const KNOWN = new Set(['name', 'status', 'depends_on', 'parallel', 'conflicts_with', 'created', 'updated', 'github'])

type TaskFile = Separable & {
  file: SourceFile
  front: FrontMatter
  /** `001`, as the file is called. */
  source: string
  task: string
  state: Entry['state']
  placeOf(place: Place): Place
  dependsOn: FrontName[]
  conflictsWith: FrontName[]
}

type Context = { plan: MarkdownPlan; tasks: TaskFile[]; byName: Map<string, TaskFile> }

function translate(files: readonly SourceFile[]): Result<Translation> {
  const plan = new MarkdownPlan(files)
  if (plan.isRefused) return plan.finish()
  const tasks = readTasks(
    files.filter((file) => !isEpic(file) && (isTask(file) || analysedBy(file) === null)),
    plan,
  )
  if (tasks.length === 0 && !plan.isRefused)
    plan.error({ line: 1, column: 1 }, 'this tells about the epic and is no task of it: name the folder it is in')
  if (plan.isRefused) return plan.finish()
  const byName = new Map<string, TaskFile>()
  for (const task of tasks) if (!byName.has(keyOf(task.source))) byName.set(keyOf(task.source), task)
  const context: Context = { plan, tasks, byName }
  const about = surroundings(files, context)
  const open = tasks.filter(({ state }) => state === 'open')
  readHead(files.find(isEpic), plan)
  const needs = new Map(open.map((task) => [task, needsOf(task, context)]))
  for (const task of open) task.conflicts = conflictsOf(task, context)
  // Where they wait for each other in a circle there is no order; the reader of the plan shows the circle.
  const order = inOrder(open, (task) => (needs.get(task) ?? []).map(({ other }) => other))
  const after = order ? separated(order) : new Map<TaskFile, TaskFile[]>()
  for (const task of open) {
    const known = needs.get(task) ?? []
    const needed = new Set(known.map(({ other }) => other))
    addTask(
      task,
      known,
      (after.get(task) ?? []).filter((other) => !needed.has(other)),
      { plan, about: about(task) },
    )
  }
  return plan.finish()
}

/** What the epic says, and what was found out about a task before. */
function surroundings(files: readonly SourceFile[], { plan, tasks, byName }: Context): (task: TaskFile) => Section[] {
  const epic = files.find(isEpic)
  const whole = contextText(epic ? [bodyOf(epic)] : [], tasks.length)
  const analyses = new Map<TaskFile, string>()
  const lost: { name: string; place: Place }[] = []
  for (const file of files) {
    const name = isTask(file) ? null : analysedBy(file)
    if (name === null) continue
    const task = byName.get(keyOf(name))
    if (task) analyses.set(task, contextText([bodyOf(file)], tasks.length))
    else lost.push({ name, place: plan.place(file, 1) })
  }
  const [first] = lost
  const names = namesInWords(lost.map(({ name }) => name))
  if (first) plan.ignore(first.place, `analyses of tasks that are not there: ${names}`)
  return (task) => [
    ['What was found out about it before', analyses.get(task) ?? ''],
    ['What this is part of', whole],
  ]
}

/** Without the fields at its top. */
function bodyOf(file: SourceFile): string {
  const front = readTaskFields(file)
  return textOf(readMarkdown(file.text).lines.slice(front.ok ? front.value.lines : 0))
}

function readTasks(files: readonly SourceFile[], plan: MarkdownPlan): TaskFile[] {
  const ids = new OwnIds('task')
  const restarted = new Set<string>()
  return files.flatMap((file) => {
    const placeOf = ({ line, column }: Place): Place => plan.place(file, line, column)
    const front = readTaskFields(file)
    if (!front.ok) {
      plan.errors(front.problems)
      return []
    }
    const { fields, locate } = front.value
    const at = (name: string): Place => placeOf(locate([{ path: [name], at: 'value' }])[0] ?? { line: 1, column: 1 })
    noteUnknown(front.value, plan, placeOf)
    const status = prose(fields.status).toLowerCase()
    const state = DONE.has(status) ? 'done' : SKIPPED.has(status) ? 'skipped' : 'open'
    if (state === 'open' && !OPEN.has(status) && !restarted.has(status)) {
      restarted.add(status)
      plan.assume(at('status'), `a task that is ${shown(status)} is run from the start`)
    }
    const source = basename(file.file, extname(file.file))
    if (state === 'skipped') plan.assume(at('status'), `task ${shown(source)} is ${shown(status)}: left out`)
    const lists = { plan, placeOf }
    const task = ids.of(source)
    plan.entries.push({ task, source, state })
    return [
      {
        file,
        front: front.value,
        source,
        task,
        state,
        placeOf,
        isAlone: state === 'open' && !isParallel(fields.parallel, at('parallel'), plan),
        conflicts: [],
        dependsOn: frontNames(front.value, 'depends_on', lists),
        conflictsWith: frontNames(front.value, 'conflicts_with', lists),
      } satisfies TaskFile,
    ]
  })
}

/**
 * ccpm takes a name as it stands in its line: `Login: the form`, `Fix #12`, `"Sign in" button`. Only one that is in quotes as
 * a whole, or goes on in the next lines, is YAML. For whoever writes the status as well: what can be run can be written.
 */
export function readTaskFields(file: SourceFile): Result<FrontMatter> {
  const read = readFrontMatter(file.text, file.file)
  if (read.ok && YAML_NAME.test(file.text)) return read
  const quoted = file.text.replace(NAME, (_, name: string) => `name: ${JSON.stringify(name.trim())}`)
  const again = readFrontMatter(quoted, file.file)
  return again.ok ? again : read
}

const NAME = /^name:(.+)$/m
const YAML_NAME = /^name:[ \t]*(?:["'|>]|$)/m

/** One that says nothing may run beside others. */
function isParallel(value: unknown, place: Place, plan: MarkdownPlan): boolean {
  if (value === undefined || value === null) return true
  const word = prose(value).toLowerCase()
  if (word !== 'true' && word !== 'false') plan.error(place, `\`parallel\` must be true or false, not ${kindOf(value)}`)
  return word === 'true'
}

function noteUnknown({ fields, locate }: FrontMatter, plan: MarkdownPlan, placeOf: (place: Place) => Place): void {
  const names = Object.keys(fields).filter((name) => !KNOWN.has(name))
  const places = locate(names.map((name) => ({ path: [name], at: 'name' as const })))
  for (const [i, name] of names.entries())
    plan.ignore(placeOf(places[i] ?? { line: 1, column: 1 }), `${shown(name)} at the top of a task`)
}

/** What the epic says about itself. */
function readHead(epic: SourceFile | undefined, plan: MarkdownPlan): void {
  const front = epic && readTaskFields(epic)
  const name = front?.ok ? prose(front.value.fields.name) : ''
  if (name !== '') plan.head({ name: slug(name), objective: name })
}

type Known = Need & { other: TaskFile }

function needsOf(task: TaskFile, { plan, tasks, byName }: Context): Known[] {
  return task.dependsOn.flatMap(({ text, place }): Known[] => {
    const other = byName.get(keyOf(text))
    if (other?.state === 'open') return [{ id: other.task, place, other }]
    if (other?.state === 'skipped') plan.assume(place, `task ${shown(other.source)} is left out: nothing waits for it`)
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

type Around = { plan: MarkdownPlan; about: readonly Section[] }

function addTask(task: TaskFile, needs: readonly Known[], after: readonly TaskFile[], { plan, about }: Around): void {
  const { file, front } = task
  const top = task.placeOf({ line: 1, column: 1 })
  const name = prose(front.fields.name)
  const body = textOf(readMarkdown(file.text).lines.slice(front.lines))
  if (name === '' && body === '') plan.error(top, `task ${shown(task.source)} says nothing: give it a \`name\``)
  plan.task(
    {
      id: task.task,
      title: name.split('\n', 1)[0],
      prompt: promptText(isHeadline(name, body) ? body : [name, body].filter(Boolean).join('\n\n'), about),
      needs: needs.map(({ id, place }) => ({ id, place })),
      after: after.map((other) => ({ id: other.task, place: top })),
    },
    top,
  )
}

/** Most texts begin with the name of their task: `# Task: Make a link`. */
function isHeadline(name: string, body: string): boolean {
  const headline = /^#+[ \t]+(.*)/.exec(body)?.[1]?.replace(/^task\b[^:]{0,20}:/i, '')
  return headline !== undefined && headline.trim().toLowerCase() === name.toLowerCase()
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
