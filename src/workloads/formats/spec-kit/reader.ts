// spec-kit's `tasks.md`. A heading is a phase, which waits for the one above. A line follows the one before it, but for `[P]`.
import type { Result } from '../../../problem.ts'
import { slug } from '../../../text/slug.ts'
import { shown } from '../../document/field.ts'
import { OwnIds } from '../espalier-ids.ts'
import type { Format, SourceFile, Translation } from '../format.ts'
import { MarkdownPlan, type Need } from '../markdown/markdown-draft.ts'
import { LOOKED_AT_CHARS, readMarkdown } from '../markdown/parse-lines.ts'
import { tellOfFences } from '../markdown/warn-about-code-blocks.ts'
import { claimsOf } from '../paths/claims.ts'
import { pathsInProse } from '../paths/prose.ts'
import { contextPart, contextText, promptText } from '../task-prompt/compose-prompt.ts'
import { type Phase, readTaskLines } from './lines.ts'
import { remarkOnBoxes, remarkOnLines } from './remarks.ts'
import { type Wait, waitsOfTasks } from './stated-dependencies.ts'
import { beginsTask, stateOf, type TaskLine, withoutStruck } from './task-line.ts'
import { specKitStatus } from './write-status.ts'

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
  status: specKitStatus,
}

const LOOKS_SO = /^[ \t]{0,40}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,20})?\[[^\]\n]\][ \t]{1,20}[^T\n]{0,40}T\d/m

type Context = {
  plan: MarkdownPlan
  file: SourceFile
  title: string
  byId: Map<string, TaskLine>
  ids: OwnIds
  waits: Map<TaskLine, Wait[]>
}

function translate(file: SourceFile): Result<Translation> {
  const plan = new MarkdownPlan([file])
  if (plan.isRefused) return plan.finish()
  const markdown = readMarkdown(file.text, beginsTask)
  const written = readTaskLines(markdown)
  const tasks = written.phases.flatMap((phase) => phase.tasks)
  if (plan.tooMany(tasks.length)) return plan.finish()
  const [byId, ids] = [new Map<string, TaskLine>(), new OwnIds('task')]
  noteTasks(tasks, { plan, file, byId, ids })
  tellOfFences(markdown, plan, file)
  remarkOnLines(written, plan, file)
  remarkOnBoxes(written, plan, file, byId)
  const waits = waitsOfTasks(written, plan, file)
  addPhases(written.phases, { plan, file, title: titleOf(written.title), byId, ids, waits })
  return plan.finish()
}

function addPhases(phases: readonly Phase[], context: Context): void {
  const { plan, file, title } = context
  if (title !== '') plan.head({ name: slug(title), objective: title })
  const epics = new OwnIds('phase')
  const names = new Map<string, number>()
  let before: string | null = null
  for (const phase of phases) {
    const epic = epics.of(numbered(phase.titles.at(-1) ?? '', names))
    const open = phase.tasks.filter((task) => stateOf(task) === 'open')
    if (open.length === 0) continue
    const place = plan.place(file, phase.line)
    const needs = before === null ? [] : [{ id: before, place }]
    plan.epic({ id: epic, title: phase.titles.at(-1), needs }, place, phase.titles.at(-1) ?? epic)
    addTasks(open, epic, phase, context)
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

function noteTasks(tasks: readonly TaskLine[], { plan, file, byId, ids }: Omit<Context, 'title' | 'waits'>): void {
  for (const task of tasks) {
    const first = byId.get(task.id)
    const place = plan.place(file, task.line, task.column)
    if (first) plan.error(place, `there are two tasks ${shown(task.id)}; the first is in line ${first.line}`)
    else byId.set(task.id, task)
    plan.entries.push({ task: ids.of(task.id), source: task.id, state: stateOf(task) })
  }
  const nothing = 'there are no tasks in it: a task is a line such as `- [ ] T001 Create src/index.ts`'
  if (byId.size === 0) plan.error(plan.place(file, 1), nothing)
}

function addTasks(open: readonly TaskLine[], epic: string, phase: Phase, context: Context): void {
  const { plan, file, title, byId, ids } = context
  const titles = phase.titles.map(contextPart).join(' / ')
  const about = contextText([title && `Feature: ${contextPart(title)}`, titles, ...phase.prose], byId.size)
  const needs = followers(open, context)
  for (const [i, task] of open.entries()) {
    plan.task(
      {
        id: ids.of(task.id),
        epic,
        prompt: promptText([task.text || task.id, task.details].filter(Boolean).join('\n\n'), [
          ['What this is part of', [`This is task ${task.id}.`, about].filter(Boolean).join('\n\n')],
        ]),
        needs: [...(needs[i] ?? []), ...waitsOf(task, context)],
        ...claimsOf({ write: pathsInProse(withoutStruck(task.prose)), read: [] }),
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

function waitsOf(task: TaskLine, { waits, ids }: Context): Need[] {
  return (waits.get(task) ?? []).map(({ other, place }) => ({ id: ids.of(other.id), place }))
}
