// spec-kit's `tasks.md`. A heading is a phase, which waits for the one above. A task without `[P]` waits for the one before it.
import { ok, type Result } from '../../../problem.ts'
import { slug } from '../../../text/slug.ts'
import { shown } from '../../document/field.ts'
import type { Place } from '../../document/place.ts'
import { claimsOf, pathsInProse } from '../claims-from-paths.ts'
import type { Entry, Format, SourceFile, StatusEntry, Translation } from '../format.ts'
import { OwnIds } from '../plan-draft.ts'
import { contextPart, contextText, MAX_CONTEXT_CHARS, promptText } from '../prompt-from-fields.ts'
import { taskContent } from '../status/text-edits.ts'
import {
  indentOf,
  isBlank,
  LOOKED_AT_CHARS,
  type Markdown,
  type MarkdownLine,
  readMarkdown,
  textOf,
  withoutEmphasis,
} from './lines.ts'
import { MarkdownPlan, type Need } from './plan-draft.ts'

const [DONE, OPEN] = ['x', ' ']

export const specKit: Format = {
  name: 'spec-kit',
  title: "spec-kit's tasks.md",
  sign: 'lines such as `- [ ] T001 [P] text`',
  kind: 'markdown',
  words: { task: 'task', epic: 'phase' },
  recognises: ({ text }) => LOOKS_SO.test(text.slice(0, LOOKED_AT_CHARS)) && headOf(text).phases.length > 0,
  resembles: ({ text }) => headOf(text).notRun.length > 0,
  translate: ([file]) => translate(file as SourceFile),
  status: { words: { open: OPEN, begun: OPEN, done: DONE, failed: OPEN, blocked: OPEN }, read: readStatuses },
}

const LOOKS_SO = /^[ \t]{0,40}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,20})?\[[^\]\n]\][ \t]{1,20}[^T\n]{0,40}T\d/m

function headOf(text: string): TaskLines {
  return readTaskLines(readMarkdown(text.slice(0, LOOKED_AT_CHARS)))
}

type Context = {
  plan: MarkdownPlan
  tasks: TaskLine[]
  indexOf: ReadonlyMap<string, number>
  ids: OwnIds
}

function translate(file: SourceFile): Result<Translation> {
  const plan = new MarkdownPlan([file])
  if (plan.isRefused) return plan.finish()
  const markdown = readMarkdown(file.text)
  const written = readTaskLines(markdown)
  const tasks = written.phases.flatMap((phase) => phase.tasks)
  if (plan.tooMany(tasks.length)) return plan.finish()
  const indexOf = new Map(tasks.map(({ id }, i) => [id, i]))
  const context: Context = { plan, tasks, indexOf, ids: new OwnIds('task') }
  plan.noteOpenFence(markdown, file)
  noteTasks(context)
  noteLines(written, context)
  addPhases(written, context)
  return plan.finish()
}

function noteTasks({ plan, tasks, ids }: Context): void {
  const first = new Map<string, Place>()
  for (const task of tasks) {
    const { id, note, state } = task
    plan.noteName(first, 'tasks', id, task)
    plan.entries.push({ task: ids.of(id), source: id, state })
    if (note !== null) plan.assumeStatus(task, 'tasks', id, { is: note, state })
  }
  const nothing = 'there are no tasks in it: a task is a line such as `- [ ] T001 Create src/index.ts`'
  if (tasks.length === 0) plan.error({ line: 1, column: 1 }, nothing)
}

function noteLines({ phases, notRun, unused }: TaskLines, { plan, indexOf }: Context): void {
  const barrier = 'every heading with tasks is a phase, which waits for the whole one above it'
  if (phases[1]) plan.assume({ line: phases[1].line, column: 1 }, barrier)
  for (const { title, line } of unused) plan.ignore({ line, column: 1 }, 'sections without tasks', title)
  for (const { id, line } of notRun) {
    const place = { line, column: 1 }
    if (id === '') plan.ignore(place, 'lines with a box but without the number of a task, such as `T001`', String(line))
    // A task with a box in another place is only mentioned here.
    else if (!indexOf.has(id)) plan.warn(place, `tasks that are not run (${BOX_HELP})`, id)
  }
}

const BOX_HELP = 'a task to do begins with `- [ ] T001`, one that is done with `- [x] T001`'

function needsOf(task: TaskLine, { plan, tasks, indexOf, ids }: Context): Need[] {
  const waitsBelow = wordsBelow(task).flatMap(({ text, number }) => waitsIn(text, number))
  return [...task.waitsFor, ...waitsBelow].flatMap(({ first, last, ...place }) => {
    const [from, to] = [indexOf.get(first), indexOf.get(last)]
    if (from === undefined || to === undefined || to < from) {
      const why =
        from === undefined || to === undefined
          ? `${shown(from === undefined ? first : last)}, which does not exist`
          : `${shown(`${first}-${last}`)}, which goes backwards`
      plan.error(place, `task ${shown(task.id)} depends on ${why}`)
      return []
    }
    if (!plan.mayAdd(to - from, place)) return []
    const others = tasks.slice(from, to + 1).filter(({ state }) => state === 'open')
    return others.map(({ id }) => ({ id: ids.of(id), place }))
  })
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
    const open = phase.tasks.filter(({ state }) => state === 'open')
    if (open.length === 0) continue
    const place = { line: phase.line, column: 1 }
    plan.epic({ id: epic, title: name, needs: before === null ? [] : [{ id: before, place }] }, place, name ?? epic)
    addTasks(open, { epic, phase, title }, context)
    before = epic
  }
}

/** The title of the plan. The template's own words and an unfilled placeholder are none. */
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
  const { plan, ids, indexOf } = context
  const titles = phase.titles.map(contextPart).join(' / ')
  const about = contextText([title && `Feature: ${contextPart(title)}`, titles, ...phase.prose], indexOf.size)
  let before: TaskLine[] = []
  let between: TaskLine[] = []
  for (const task of open) {
    // A task without `[P]` waits for the last one without it, and for the `[P]` tasks in between.
    const followed = task.isParallel ? [] : [...before, ...between]
    if (task.isParallel) between.push(task)
    else [before, between] = [[task], []]
    const prose = [task.text, ...wordsBelow(task).map(({ text }) => text)].join('\n')
    plan.task(
      {
        id: ids.of(task.id),
        epic,
        prompt: promptText([task.text || task.id, textOf(task.below)].filter(Boolean).join('\n\n'), [
          ['What this is part of', [`This is task ${task.id}.`, about].filter(Boolean).join('\n\n')],
        ]),
        needs: [...followed.map(({ id }): Need => ({ id: ids.of(id), place: task })), ...needsOf(task, context)],
        ...claimsOf({ write: pathsInProse(prose), read: [] }),
        tags: task.story === null ? [] : [task.story.toLowerCase()],
      },
      task,
    )
  }
}

// The lines of a `tasks.md`: headings, tasks below them, and the text in between.

type TaskLines = {
  title: string
  phases: Phase[]
  /** Lines with a box but no task number, or with a number but no box. */
  notRun: { id: string; line: number }[]
  /** Sections without tasks, whose text is in no prompt. */
  unused: { title: string; line: number }[]
}

type Phase = {
  titles: string[]
  line: number
  /** The text below its heading and the headings above it, without tasks. */
  prose: string[]
  tasks: TaskLine[]
}

type Section = {
  level: number
  title: string
  /** 0: the text above all headings. */
  line: number
  parent: Section | null
  tasks: TaskLine[]
  rest: MarkdownLine[]
}

function readTaskLines({ lines }: Markdown): TaskLines {
  const found: TaskLines = { title: '', phases: [], notRun: [], unused: [] }
  let section: Section = { level: 0, title: '', line: 0, parent: null, tasks: [], rest: [] }
  const sections = [section]
  let below: { indent: number; lines: MarkdownLine[] } | null = null
  for (const line of lines) {
    const task = line.isQuoted || line.heading ? null : taskOf(line)
    if (line.heading) {
      section = sectionAt(line.heading, line.number, section)
      if (section.level === 1 && found.title === '') [found.title, section.title] = [section.title, '']
      sections.push(section)
      below = null
    } else if (task) {
      below = { indent: indentOf(line.text), lines: task.below }
      section.tasks.push(task)
    } else if (below && belongsTo(line, below)) below.lines.push(line)
    else {
      below = null
      const near = line.isQuoted ? null : NOT_RUN.exec(line.text)
      const id = near && (near[1] ?? near[2] ?? '').toUpperCase()
      if (id !== '') section.rest.push(line)
      if (id !== null) found.notRun.push({ id, line: line.number })
    }
  }
  const used = new Set<Section>()
  for (const section of sections) {
    const [first] = section.tasks
    if (!first) continue
    const around: Section[] = []
    for (let one: Section | null = section; one; one = one.parent) around.unshift(one)
    for (const one of around) used.add(one)
    const titles = around.map(({ title }) => title).filter(Boolean)
    const prose = around.map(({ rest }) => proseOf(rest))
    found.phases.push({ titles, line: section.line || first.line, prose, tasks: section.tasks })
  }
  found.unused = sections.filter((one) => one.title !== '' && !used.has(one) && proseOf(one.rest) !== '')
  return found
}

function sectionAt({ level, title }: { level: number; title: string }, line: number, above: Section): Section {
  let parent: Section | null = above
  while (parent && (parent.level >= level || parent.line === 0)) parent = parent.parent
  return { level, title: withoutEmphasis(title), line, parent, tasks: [], rest: [] }
}

/** True for a line of a task's details: indented deeper than the task, or part of a code block that begins so. */
function belongsTo(line: MarkdownLine, { indent, lines }: { indent: number; lines: readonly MarkdownLine[] }): boolean {
  return (line.isQuoted && lines.at(-1)?.isQuoted) || isBlank(line) || indentOf(line.text) > indent
}

/** The part of a text that may go into prompts; the text may be megabytes long. */
function proseOf(lines: readonly MarkdownLine[]): string {
  const kept: MarkdownLine[] = []
  let chars = 0
  for (const line of lines) {
    if (RULE.test(line.text) || (kept.length === 0 && isBlank(line))) continue
    const text = contextPart(line.text)
    kept.push({ ...line, text })
    chars += text.length + 1
    if (chars > MAX_CONTEXT_CHARS + 1) break
  }
  return textOf(kept)
}

const RULE = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/

// One line of a `tasks.md`, `- [ ] T012 [P] [US1] text`, and lines that nearly have this form.

type TaskLine = {
  id: string
  state: Entry['state']
  /** A remark about its status: it is struck out, or its box holds neither a space nor an `x`. */
  note: string | null
  isParallel: boolean
  story: string | null
  text: string
  below: MarkdownLine[]
  /** Needs that its own line names. */
  waitsFor: Names[]
  line: number
  column: number
}

/** The number of a task: `T012`, `T012a`, `T001.1`, `T007-TEST`. */
const NUMBER = 'T\\d{1,9}(?:\\.\\d{1,9}){0,3}[a-zA-Z]?(?:-(?!T\\d)[A-Z][A-Z\\d]{0,19})?'

/** The start of a line before its box: `- `, `* `, `12. `, or nothing. Bounded, so that matching stays fast. */
const ITEM = '\\s{0,40}(?:(?:[-*+]|\\d{1,9}[.)])\\s{1,20})?'
const EMPHASIS = '(?:\\*\\*|__|`|~~){0,2}'
/** A task number with its marks: `T012`, `**T012**:`, `[T012]`. */
const NUMBERED = `${EMPHASIS}(?:\\[(?=[\\w.-]{1,40}\\]))?(${NUMBER})\\]?${EMPHASIS}(?=[\\s:.,[]|$)[:.,]?`
const LABELS = '(?:`?\\[(?:[Pp]|[Uu][Ss]\\d{1,6})\\]`?\\s{0,20}){0,4}'
const TASK = new RegExp(`^(${ITEM}\\[([^\\]\\n])\\]\\s{1,20})((?:~~)?${LABELS})${NUMBERED}`)
/** A list item with a box or a task number that is no task line, such as `- [] T012`, `- **T012**: text`, `- [ ] Task T012`. */
const NAMED = `[*_\`~([]{0,4}(?:[Tt]ask\\s{1,3})?(${NUMBER})(?![\\w-])`
const NOT_RUN = new RegExp(
  `^\\s{0,40}(?:>\\s)?(?:[-*+]|\\d{1,9}[.)])(?:\\s{0,20}\\[[^\\]\\sPp]?[ \\t]?\\]\\s{1,20}${LABELS}(?:${NAMED})?|\\s{1,20}${NAMED})`,
)

function taskOf({ text, number }: MarkdownLine): TaskLine | null {
  const box = TASK.exec(text)
  if (!box) return null
  const [whole, before = '', mark = ' ', labels = '', id = ''] = box
  const { isParallel, story, rest } = labelsOf(`${labels} ${text.slice(whole.length).trim()}`)
  const isStruck = /^\W*~~/.test(text.slice(before.length)) || /^~~[^~]+(?:~~\W*)?$/.test(rest)
  // Removes emphasis around the whole text, or its end if it began before the number.
  const words = rest.replace(/^(\*\*|~~)([^*~]+)\1$|^([^*~]+)(?:\*\*|~~)$/, '$2$3').trim()
  const isDone = TICKED.test(mark)
  return {
    id: id.toUpperCase(),
    state: isDone ? 'done' : isStruck || mark === '-' ? 'skipped' : 'open',
    note: isDone ? null : isStruck ? STRUCK_OUT : mark.trim() === '' ? null : `marked ${shown(`[${mark}]`)}`,
    isParallel,
    story,
    text: words,
    below: [],
    waitsFor: waitsIn(text.slice(whole.length).padStart(text.length), number),
    line: number,
    column: before.length + labels.length + 1,
  }
}

/** The lines below a task without code blocks: they too name paths of its files, and dependencies. */
function wordsBelow({ below }: TaskLine): MarkdownLine[] {
  return below.filter((line) => !line.isQuoted && !isBlank(line))
}

const STRUCK_OUT = 'struck out'

const TICKED = /^[xX✓✔✅☑]$/

function labelsOf(text: string): { isParallel: boolean; story: string | null; rest: string } {
  const [labels = ''] = /^\s*(?:`?\[(?:P|US\d{1,6})\]`?\s*)*/i.exec(text) ?? []
  const story = /US\d+/i.exec(labels)?.[0].toUpperCase() ?? null
  return { isParallel: /\[P\]/i.test(labels), story, rest: text.slice(labels.length) }
}

// Dependencies in the text of a task: `(depends on T001, T003-T005)`.

/** A range of tasks; `first` and `last` are the same for a single one. */
type Names = Place & { first: string; last: string }

/** Finds dependencies at the start of a sentence, bracket or line: `depends on T001, T002 (the model) and T004-T006`. */
function waitsIn(text: string, line: number): Names[] {
  return Array.from(text.matchAll(WAITS), ({ 0: lead, index }) => {
    const names: Names[] = []
    let position = index + lead.length
    for (let one = nextName(text, position); one; one = nextName(text, position)) {
      const [whole, before = '', first = '', last, digits] = one
      // `T009-011` is a range; `T009-1` is ambiguous and counts as `T009`.
      const end = digits?.length === first.length - 1 ? `T${digits}` : (last ?? first)
      names.push({ first: first.toUpperCase(), last: end.toUpperCase(), line, column: position + before.length + 1 })
      position += whole.length
    }
    return names
  }).flat()
}

function nextName(text: string, position: number): RegExpExecArray | null {
  return NAME.exec(text.slice(position, position + MAX_NAME_CHARS))
}

/** Longer than the text between two names of a list. */
const MAX_NAME_CHARS = 160

const WORDS =
  '(?:[Dd]epends?(?:\\s{1,3}on)?|[Dd]ependenc(?:y|ies)(?:\\s{1,3}on)?|[Dd]eps?|[Bb]locked[\\s-]by|[Rr]equires|[Nn]eeds|[Aa]fter|[Ww]aits\\s{1,3}for)'
const WAITS = new RegExp(
  `(?:^|[-([.;,:–—*_|])[\\s*_]{0,9}${WORDS}[\\s:*_]{1,9}(?=[\\s\`*_[]{0,4}(?:tasks?\\s)?T\\d)`,
  'g',
)
const NAME = new RegExp(
  `^((?:[\\s,&+/\`*_[{]|and\\s|tasks?\\s){0,99})(${NUMBER})(?:[\`*_\\]]{0,3}\\s?(?:-|–|\\.{2,3}|…|\\bto\\s|\\bthrough\\s)\\s?[\`*_[]{0,3}(${NUMBER})|[-–](\\d{1,9}))?(?![\\w.]\\w|\\w)[\`*_\\]}]{0,4}(?:\\s{0,3}\\([^()]{0,80}\\)(?=\\s{0,3}(?:[,;&+/)]|and\\b)))?`,
)

// Statuses: the boxes, one character each.

function readStatuses({ text }: SourceFile): Result<StatusEntry[]> {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)]
  const { phases } = readTaskLines(readMarkdown(text))
  return ok(
    phases
      .flatMap(({ tasks }) => tasks)
      .map((task): StatusEntry => {
        const box = text.indexOf('[', starts[task.line - 1] ?? 0) + 1
        return {
          source: task.id,
          parent: null,
          // A character that is neither `x` nor a space is a person's own mark, so it is kept.
          status: task.note === STRUCK_OUT ? STRUCK_OUT : text.charAt(box),
          state: task.state,
          content: () => taskContent([task.text, textOf(task.below), task.isParallel]),
          edits: (status) => [{ offset: box, length: 1, text: status }],
        }
      }),
  )
}
