// One line of a `tasks.md`: `- [ ] T012 [P] [US1] text`; and lines that are nearly one.
import type { Entry } from '../format.ts'
import type { MarkdownLine } from '../markdown/parse-lines.ts'
import { NUMBER as ID, type Names, waitsIn } from './order-phrases.ts'

export type TaskLine = {
  id: string
  isDone: boolean
  /** What the box holds, where that is neither a space nor an `x`. */
  mark: string | null
  /** `struck out`, or the mark in its box that says that nobody is to do it. */
  leftOut: string | null
  isParallel: boolean
  story: string | null
  text: string
  details: string
  /** Its text and what is below it without blocks of code: where it says which files it is about. */
  prose: string
  waitsFor: Names[]
  line: number
  column: number
}

export function stateOf({ isDone, leftOut }: TaskLine): Entry['state'] {
  return isDone ? 'done' : leftOut !== null ? 'skipped' : 'open'
}

/** `- `, `* `, `12. `, or nothing: what a box stands behind. Short, so that no line is looked at for long. */
const ITEM = '\\s{0,40}(?:(?:[-*+]|\\d{1,9}[.)])\\s{1,20})?'
const EMPHASIS = '(?:\\*\\*|__|`|~~){0,2}'
/** `T012`, `**T012**:`, `[T012]` */
const NUMBER = `(${EMPHASIS})(?:\\[(?=[\\w.-]{1,40}\\]))?(${ID})\\]?${EMPHASIS}(?=[\\s:.,[]|$)[:.,]?`
const LABELS = '(?:`?\\[(?:[Pp]|[Uu][Ss]\\d{1,6})\\]`?\\s{0,20}){0,4}'
/** One character in the box: a status is written by replacing it. `[P]` is a label. */
const BOX = new RegExp(`^${ITEM}\\[[^\\]\\sPp]?[ \\t]?\\]\\s`)
const TASK = new RegExp(`^(${ITEM}\\[([^\\]\\n])\\]\\s{1,20})(~~\\s{0,3})?(${LABELS})${NUMBER}`)
/** `- T012`, `-[ ] T012`, `> - [ ] T012`, `- [ ] Task T012: text`, `(T012)`, `T-012`, `t012` */
const FAULTY = new RegExp(
  `^(?=\\s{0,40}(?:[-*+>]|\\d{1,9}[.)]))([\\s>*+-]{0,40}(?:\\d{1,9}[.)])?\\s{0,20}(?:\\[[^\\]]{0,9}\\]\\s{0,20})?${LABELS})[\`*_~([#]{0,4}(?:[Tt]ask\\s{1,3})?[Tt][-_]?(\\d{1,9}(?:\\.\\d{1,9}){0,3}[a-z]?)(?![\\w-])`,
)

export function taskOf({ text, number }: MarkdownLine): TaskLine | null {
  const box = TASK.exec(text)
  if (!box) return null
  const [whole, before = '', mark = ' ', struck = '', labels = '', emphasis = '', id = ''] = box
  const { isParallel, story, rest } = labelsOf(`${labels} ${text.slice(whole.length).trim()}`)
  const isStruck = `${struck}${emphasis}`.includes('~~') || /^~~[^~]+(?:~~\W*)?$/.test(rest)
  const words = withoutMark(withoutMark(rest, '~~'), '**').trim()
  return {
    id: id.toUpperCase(),
    isDone: DONE.test(mark),
    mark: /^\s$/.test(mark) || DONE.test(mark) ? null : mark,
    leftOut: mark === '-' ? mark : isStruck ? STRUCK_OUT : null,
    isParallel,
    story,
    text: words,
    details: '',
    prose: words,
    waitsFor: waitsIn(withoutStruck(text.slice(whole.length).padStart(text.length)), number),
    line: number,
    column: before.length + struck.length + labels.length + 1,
  }
}

/** With spaces for what is struck out: it means nothing, and what follows keeps its place. */
export function withoutStruck(text: string): string {
  return text.includes('~~') ? text.replace(/~~[^~]+~~/g, (struck) => struck.replace(/[^\n]/g, ' ')) : text
}

/** What no code block without an end may take in: the line of a task, and the heading of a phase. */
export function beginsTask(line: string): boolean {
  return TASK.test(line) || /^#{1,6}\s{1,20}(?:\*\*)?phase\s{1,20}\d/i.test(line)
}

export function isBox({ text, isQuoted }: MarkdownLine): boolean {
  return !isQuoted && BOX.test(text)
}

/** An item of a list that begins with the number of a task, but where the box or the number is not written as one. */
export type FaultyLine = { id: string; line: number; column: number }

export function faultyTask({ text, number }: MarkdownLine): FaultyLine | null {
  const [, before = '', digits] = FAULTY.exec(text) ?? []
  // `> T012 is late` and `-T012` are words.
  if (digits === undefined || (!before.includes('[') && !/[-*+.)]\s+$/.test(before))) return null
  return { id: `T${digits.toUpperCase()}`, line: number, column: before.length + 1 }
}

/** Of all of it, or of the number in front as well; `~~old text~~ new text` keeps both of its marks. */
function withoutMark(text: string, mark: string): string {
  const count = text.split(mark).length - 1
  const isWhole = count === 2 && text.startsWith(mark) && text.endsWith(mark)
  if (isWhole) return text.slice(mark.length, -mark.length)
  if (count % 2 === 0) return text
  return text.startsWith(mark) ? text.slice(mark.length) : text.endsWith(mark) ? text.slice(0, -mark.length) : text
}

const DONE = /^[xX✓✔✅☑]$/

export const STRUCK_OUT = 'struck out'

function labelsOf(text: string): { isParallel: boolean; story: string | null; rest: string } {
  let rest = text.trim()
  let isParallel = false
  let story: string | null = null
  for (let label = LABEL.exec(rest); label; label = LABEL.exec(rest)) {
    const name = (label[1] ?? '').toUpperCase()
    if (name === 'P') isParallel = true
    else story ??= name
    rest = rest.slice(label[0].length)
  }
  return { isParallel, story, rest }
}

const LABEL = /^`?\[(P|US\d{1,6})\]`?\s*/i
