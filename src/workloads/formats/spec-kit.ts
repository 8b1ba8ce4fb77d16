// spec-kit's `tasks.md`. Headings are phases: nothing of one begins before all of the one above is done. In a phase, a
// line follows its predecessor; lines with `[P]` wait only for the phase. Paths in the text are claims.
import type { Result } from '../../problem.ts'
import type { Place } from '../place.ts'
import { slug } from '../slug.ts'
import type { Format, SourceFile, Translation } from './format.ts'
import { LOOKED_AT_CHARS, readMarkdown } from './markdown.ts'
import { MarkdownPlan, type Need } from './markdown-plan.ts'
import { OwnIds } from './own-ids.ts'
import { claimsOf } from './path-claims.ts'
import { contextText } from './prompt-context.ts'
import { promptText } from './prompt-text.ts'
import { pathsInProse } from './prose-paths.ts'
import { type Phase, readTaskLines, type TaskLine, type TaskLines } from './spec-kit-lines.ts'

export const specKit: Format = {
  name: 'spec-kit',
  title: "spec-kit's tasks.md",
  sign: 'lines such as `- [ ] T001 [P] text`',
  recognises: ({ text }) => {
    const head = text.slice(0, LOOKED_AT_CHARS)
    return LOOKS_SO.test(head) && readTaskLines(readMarkdown(head)).phases.length > 0
  },
  translate: ([file]) => translate(file as SourceFile),
}

const LOOKS_SO = /^[ \t]*[-*+][ \t]+\[[ xX]\][ \t]+[*_`~]{0,4}T\d/m

type Context = {
  plan: MarkdownPlan
  file: SourceFile
  title: string
  byId: Map<string, TaskLine>
  ids: OwnIds
  /** All of them, and the place of each in that. */
  tasks: TaskLine[]
  indexOf: Map<string, number>
}

function translate(file: SourceFile): Result<Translation> {
  const plan = new MarkdownPlan([file])
  if (plan.isRefused) return plan.finish()
  const markdown = readMarkdown(file.text)
  const written = readTaskLines(markdown)
  const title = written.title.replace(/^tasks?\s*[:–—-]\s*/i, '')
  const tasks = written.phases.flatMap((phase) => phase.tasks)
  const indexOf = new Map(tasks.map(({ id }, i) => [id, i]))
  const context: Context = { plan, file, title, byId: new Map(), ids: new OwnIds('task'), tasks, indexOf }
  if (plan.tooMany(tasks.length)) return plan.finish()
  noteTasks(context)
  tellOfTheRest(written, markdown.openFence, context)
  plan.head(title === '' ? {} : { name: slug(title), objective: title })
  const epics = new OwnIds('phase')
  const names = new Map<string, number>()
  let before: string | null = null
  for (const phase of written.phases) {
    const epic = epics.of(numbered(phase.titles.at(-1) ?? '', names))
    const open = phase.tasks.filter(({ isDone }) => !isDone)
    if (open.length === 0) continue
    const place = plan.place(file, phase.line)
    const needs = before === null ? [] : [{ id: before, place }]
    plan.epic({ id: epic, title: phase.titles.at(-1), needs }, place)
    addTasks(open, epic, phase, context)
    before = epic
  }
  return plan.finish()
}

/** Two phases may have the same name. */
function numbered(title: string, names: Map<string, number>): string {
  const count = (names.get(title) ?? 0) + 1
  names.set(title, count)
  return count === 1 ? title : `${title} ${count}`
}

function noteTasks({ plan, file, byId, ids, tasks }: Context): void {
  for (const task of tasks) {
    const first = byId.get(task.id)
    if (first)
      plan.error(
        plan.place(file, task.line, task.column),
        `there are two tasks ${task.id}; the first is in line ${first.line}`,
      )
    else byId.set(task.id, task)
    plan.entries.push({ task: ids.of(task.id), source: task.id, state: task.isDone ? 'done' : 'open' })
  }
  if (byId.size === 0)
    plan.error(
      plan.place(file, 1),
      'there are no tasks in it: a task is a line such as `- [ ] T001 Create src/index.ts`',
    )
}

function addTasks(open: readonly TaskLine[], epic: string, phase: Phase, context: Context): void {
  const { plan, file, title, byId, ids } = context
  const about = contextText([title && `Feature: ${title}`, phase.titles.join(' / '), ...phase.prose], byId.size)
  const needs = followers(open, context)
  for (const [i, task] of open.entries()) {
    plan.task(
      {
        id: ids.of(task.id),
        epic,
        prompt: promptText([task.text || task.id, task.details].filter(Boolean).join('\n\n'), [
          ['What this is part of', [`This is task ${task.id}.`, about].filter(Boolean).join('\n\n')],
        ]),
        needs: [...(needs[i] ?? []), ...named(task, context)],
        ...claimsOf({ write: pathsInProse(`${task.text}\n${task.details}`), read: [] }),
        tags: task.story === null ? [] : [task.story.toLowerCase()],
      },
      plan.place(file, task.line, task.column),
    )
  }
}

/** A line without `[P]` follows the last one like it, and the `[P]` lines in between. */
function followers(open: readonly TaskLine[], { plan, file, ids }: Context): Need[][] {
  let before: TaskLine | null = null
  let between: TaskLine[] = []
  return open.map((task) => {
    if (task.isParallel) {
      between.push(task)
      return []
    }
    const place = plan.place(file, task.line, task.column)
    const needs = [...(before ? [before] : []), ...between].map(({ id }): Need => ({ id: ids.of(id), place }))
    before = task
    between = []
    return needs
  })
}

function named(task: TaskLine, context: Context): Need[] {
  const { plan, file, ids } = context
  return task.dependsOn.flatMap(({ first, last, column }) => {
    const place = plan.place(file, task.line, column)
    return range(task, { first, last }, place, context)
      .filter(({ isDone }) => !isDone)
      .map(({ id }): Need => ({ id: ids.of(id), place }))
  })
}

/** In the order of the file. */
function range(
  task: TaskLine,
  { first, last }: { first: string; last: string },
  place: Place,
  context: Context,
): TaskLine[] {
  const { plan, tasks, indexOf } = context
  const [from, to] = [indexOf.get(first), indexOf.get(last)]
  if (from === undefined || to === undefined) {
    plan.error(place, `task ${task.id} depends on ${from === undefined ? first : last}, which does not exist`)
    return []
  }
  return plan.mayNeed(Math.max(to - from, 0), place) ? tasks.slice(from, to + 1) : []
}

function tellOfTheRest({ phases, unnumbered }: TaskLines, openFence: number | null, { plan, file }: Context): void {
  if (openFence !== null)
    plan.assume(plan.place(file, openFence), 'this code block has no end: all that follows is part of it')
  const second = phases[1]
  if (second)
    plan.assume(
      plan.place(file, second.line),
      'every heading with tasks is a phase, which waits for the whole one above it',
    )
  if (unnumbered) {
    const { line, count } = unnumbered
    const lines = count === 1 ? 'a line with a box' : `${count} lines with a box`
    plan.ignore(plan.place(file, line), `${lines} but without the number of a task, such as \`T001\``)
  }
}
