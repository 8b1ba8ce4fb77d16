// spec-kit's `tasks.md`. A heading is a phase, which waits for the one above. A line follows the one before it, but for `[P]`.
import { ok, type Result } from '../../../problem.ts'
import { slug } from '../../../text/slug.ts'
import { shown } from '../../document/field.ts'
import type { Place } from '../../document/place.ts'
import { claimsOf, pathsInProse } from '../claims.ts'
import type { Format, SourceFile, StatusEntry, Translation } from '../format.ts'
import { OwnIds } from '../plan-draft.ts'
import { contextPart, contextText, promptText } from '../prompt.ts'
import { taskContent } from '../status/status-file.ts'
import { LOOKED_AT_CHARS, readMarkdown } from './lines.ts'
import { MarkdownPlan, type Need } from './plan.ts'
import {
  beginsTask,
  type Names,
  type Order,
  type Phase,
  readTaskLines,
  STRUCK_OUT,
  stateOf,
  type TaskLine,
  type TaskLines,
  withoutStruck,
} from './spec-kit-lines.ts'

const [DONE, OPEN] = ['x', ' ']

export const specKit: Format = {
  name: 'spec-kit',
  title: "spec-kit's tasks.md",
  sign: 'lines such as `- [ ] T001 [P] text`',
  kind: 'markdown',
  words: { task: 'task', epic: 'phase' },
  recognises: ({ text }) => {
    const head = text.slice(0, LOOKED_AT_CHARS)
    return LOOKS_SO.test(head) && readTaskLines(readMarkdown(head, beginsTask)).phases.length > 0
  },
  resembles: ({ text }) => {
    const { unnumbered, faulty } = readTaskLines(readMarkdown(text.slice(0, LOOKED_AT_CHARS), beginsTask))
    return unnumbered.length > 0 || faulty.length > 0
  },
  translate: ([file]) => translate(file as SourceFile),
  status: { words: { open: OPEN, begun: OPEN, done: DONE, failed: OPEN, blocked: OPEN }, read: readStatuses },
}

const LOOKS_SO = /^[ \t]{0,40}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,20})?\[[^\]\n]\][ \t]{1,20}[^T\n]{0,40}T\d/m

type Context = {
  plan: MarkdownPlan
  tasks: TaskLine[]
  indexOf: ReadonlyMap<string, number>
  boxless: ReadonlySet<string>
  phaseOf: ReadonlyMap<TaskLine, Phase>
  waits: Map<TaskLine, { other: TaskLine; place: Place }[]>
  ids: OwnIds
}

function translate(file: SourceFile): Result<Translation> {
  const plan = new MarkdownPlan([file])
  if (plan.isRefused) return plan.finish()
  const markdown = readMarkdown(file.text, beginsTask)
  const written = readTaskLines(markdown)
  const tasks = written.phases.flatMap((phase) => phase.tasks)
  if (plan.tooMany(tasks.length)) return plan.finish()
  const context: Context = {
    ...{ plan, tasks, ids: new OwnIds('task') },
    indexOf: new Map(tasks.map(({ id }, i) => [id, i])),
    boxless: new Set(written.faulty.map(({ id }) => id)),
    phaseOf: new Map(written.phases.flatMap((phase) => phase.tasks.map((task) => [task, phase]))),
    waits: new Map(tasks.filter((task) => stateOf(task) === 'open').map((task) => [task, []])),
  }
  plan.noteCodeBlocks(markdown, file)
  noteTasks(context)
  noteLines(written, context)
  for (const [task] of context.waits) for (const names of task.waitsFor) addNamed(task, names, context)
  for (const order of written.orders) putInOrder(order, context)
  addPhases(written, context)
  return plan.finish()
}

function noteTasks({ plan, tasks, ids }: Context): void {
  const first = new Map<string, TaskLine>()
  for (const task of tasks) {
    const { id, mark, leftOut } = task
    const same = first.get(id)
    if (same) plan.error(task, `there are two tasks ${shown(id)}; the first is in line`, same)
    else first.set(id, task)
    const state = stateOf(task)
    plan.entries.push({ task: ids.of(id), source: id, state })
    const is = leftOut === STRUCK_OUT ? STRUCK_OUT : `marked ${shown(`[${mark}]`)}`
    if (state === 'skipped' || mark !== null) plan.assumeStatus(task, 'tasks', id, { is, state })
  }
  const nothing = 'there are no tasks in it: a task is a line such as `- [ ] T001 Create src/index.ts`'
  if (tasks.length === 0) plan.error({ line: 1, column: 1 }, nothing)
}

function noteLines({ phases, unnumbered, unused, faulty }: TaskLines, { plan, indexOf }: Context): void {
  const barrier = 'every heading with tasks is a phase, which waits for the whole one above it'
  if (phases[1]) plan.assume({ line: phases[1].line, column: 1 }, barrier)
  for (const line of unnumbered)
    plan.ignore({ line, column: 1 }, 'lines with a box but without the number of a task, such as `T001`', String(line))
  for (const { title, line } of unused)
    plan.ignore(
      { line, column: 1 },
      'sections without tasks, of which only lines such as `T001 → T002` are read',
      title,
    )
  // A task that has a box elsewhere is only spoken of.
  for (const task of faulty) if (!indexOf.has(task.id)) plan.warn(task, `tasks that are not run (${BOX_HELP})`, task.id)
}

const BOX_HELP = 'a task to do begins with `- [ ] T001`, one that is done with `- [x] T001`'

/** At the task itself a name that is not there is a mistake. */
function addNamed(task: TaskLine, names: Names, context: Context): void {
  const { plan, waits } = context
  const others = tasksNamed(names, context)
  if (typeof others === 'string') plan.error(names, `task ${shown(task.id)} depends on ${others}`)
  else for (const other of others) waits.get(task)?.push({ other, place: names })
}

/** A line elsewhere in the file only speaks of the tasks: what does not fit is listed, and the plan is read without it. */
function putInOrder({ earlier, later }: Order, context: Context): void {
  const { plan, phaseOf, waits } = context
  const all = (names: readonly Names[]): TaskLine[] =>
    names.flatMap((one) => {
      const tasks = tasksNamed(one, context)
      if (typeof tasks !== 'string') return tasks
      plan.assume(one, `the order in this line is kept without ${tasks}`)
      return []
    })
  const [before, after] = [all(earlier), all(later)]
  const [place] = later
  if (!place || !plan.mayAdd(before.length * after.length, place)) return
  for (const task of after)
    for (const other of before) {
      const [own = 0, others = 0] = [phaseOf.get(task)?.line, phaseOf.get(other)?.line]
      // Phases wait for each other anyway.
      if (other === task || others < own) continue
      // The other is in a phase below, or waits for this one because it stands below it without `[P]`.
      const isAgainst = own < others || (task.line < other.line && !other.isParallel)
      const message = `task ${shown(task.id)} does not wait for ${shown(other.id)}, which comes later here`
      if (isAgainst) plan.assume(place, message)
      else waits.get(task)?.push({ other, place })
    }
}

/** Those to be done, in the order of the file; or what is wrong with the name. */
function tasksNamed(names: Names, { plan, tasks, indexOf, boxless }: Context): TaskLine[] | string {
  const { first, last } = names
  const [from, to] = [indexOf.get(first), indexOf.get(last)]
  if (from === undefined || to === undefined) {
    const lost = from === undefined ? first : last
    return `${shown(lost)}, ${boxless.has(lost) ? `which has no box: ${BOX_HELP}` : 'which does not exist'}`
  }
  if (to < from) return `${shown(`${first}-${last}`)}, which goes backwards`
  if (!plan.mayAdd(to - from, names)) return []
  return tasks.slice(from, to + 1).filter((task) => stateOf(task) === 'open')
}

function addPhases({ phases, title: written }: TaskLines, context: Context): void {
  const { plan } = context
  const title = titleOf(written)
  if (title !== '') plan.head({ name: slug(title), objective: title })
  const epics = new OwnIds('phase')
  const names = new Map<string, number>()
  let before: string | null = null
  for (const phase of phases) {
    const name = phase.titles.at(-1)
    const epic = epics.of(numbered(name ?? '', names))
    const open = phase.tasks.filter((task) => stateOf(task) === 'open')
    if (open.length === 0) continue
    const place = { line: phase.line, column: 1 }
    plan.epic({ id: epic, title: name, needs: before === null ? [] : [{ id: before, place }] }, place, name ?? epic)
    addTasks(open, { epic, phase, title }, context)
    before = epic
  }
}

/** What it is about. The template's own words, and a placeholder nobody has filled in, are no title. */
function titleOf(written: string): string {
  const title = written.replace(/^tasks?\s*(?:[:–—-]\s*|$)/i, '')
  return /^\[[^\]]*\]$/.test(title) ? '' : title
}

function numbered(title: string, names: Map<string, number>): string {
  const count = (names.get(title) ?? 0) + 1
  names.set(title, count)
  return count === 1 ? title : `${title} ${count}`
}

function addTasks(
  open: readonly TaskLine[],
  { epic, phase, title }: { epic: string; phase: Phase; title: string },
  context: Context,
): void {
  const { plan, ids, waits, indexOf } = context
  const titles = phase.titles.map(contextPart).join(' / ')
  const about = contextText([title && `Feature: ${contextPart(title)}`, titles, ...phase.prose], indexOf.size)
  let before: TaskLine[] = []
  let between: TaskLine[] = []
  for (const task of open) {
    // A line without `[P]` follows the last one like it, and the `[P]` lines in between.
    const followed = task.isParallel ? [] : [...before, ...between]
    if (task.isParallel) between.push(task)
    else [before, between] = [[task], []]
    const named = (waits.get(task) ?? []).map(({ other, place }): Need => ({ id: ids.of(other.id), place }))
    plan.task(
      {
        id: ids.of(task.id),
        epic,
        prompt: promptText([task.text || task.id, task.details].filter(Boolean).join('\n\n'), [
          ['What this is part of', [`This is task ${task.id}.`, about].filter(Boolean).join('\n\n')],
        ]),
        needs: [...followed.map(({ id }): Need => ({ id: ids.of(id), place: task })), ...named],
        ...claimsOf({ write: pathsInProse(withoutStruck(task.prose)), read: [] }),
        tags: task.story === null ? [] : [task.story.toLowerCase()],
      },
      task,
    )
  }
}

// The boxes, one character each.

function readStatuses({ text }: SourceFile): Result<StatusEntry[]> {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)]
  const { phases } = readTaskLines(readMarkdown(text, beginsTask))
  return ok(
    phases
      .flatMap(({ tasks }) => tasks)
      .map((task): StatusEntry => {
        const box = text.indexOf('[', starts[task.line - 1] ?? 0) + 1
        return {
          source: task.id,
          parent: null,
          // A character that is neither `x` nor a space is kept: somebody chose it. An open task that was struck out says so instead.
          status: task.isDone ? text.charAt(box) : (task.leftOut ?? text.charAt(box)),
          state: stateOf(task),
          content: () => taskContent([task.text, task.details, task.isParallel]),
          edits: (status) => [{ offset: box, length: 1, text: status }],
        }
      }),
  )
}
