// The headings of batches and tasks: `Batch 2: title`, `Task 1.2a - title`, and what people put around that: `✅ Task 1.2: title`,
// `[x] Task 1.2: title`, `[Task 1.2] title`, `~~Task 1.2: title~~`, `Task 1.2: title (SKIPPED)`.

import { stateOf } from '../common/status-words.ts'
import type { Entry } from '../format.ts'
import { headingOf, withoutEmphasis } from '../markdown/markdown.ts'
import { DONE_WORDS } from './status.ts'

export type PartName = {
  kind: 'batch' | 'task'
  id: string
  title: string
  /** What the heading says of it: it is ticked, struck out, or has a word in brackets behind it. */
  state: Entry['state']
  /** A number alone: a task only where tasks are expected, because sections are numbered as well. */
  isBare: boolean
}

/** Null: the heading is of something else. */
export function partName(written: string): PartName | null {
  const title = withoutEmphasis(written.slice(0, MAX_TITLE_CHARS))
  const { text, mark } = withoutMarks(title)
  const state = stateAt(mark, text)
  const batch = /^batch\s+#?(\d{1,9})(?!\.?\d)\s*[:.)–—-]?\s*(.*)$/i.exec(text)
  if (batch) return { kind: 'batch', id: batch[1] ?? '', title: batch[2] ?? '', state, isBare: false }
  const task =
    /^task\s+#?(\d{1,9}(?:\.\d{1,9}){1,3}[a-z]?)\b\s*[:.)–—-]?\s*(.*)$/i.exec(text) ??
    /^task\s+#?(\d{1,9}[a-z]?)(?:\s*[:)–—]|\s+-|\.)(?=\s|$)\s*(.*)$/i.exec(text)
  if (task) return { kind: 'task', id: task[1] ?? '', title: task[2] ?? '', state, isBare: !/\./.test(task[1] ?? '') }
  const bare = /^(\d{1,9}\.\d{1,9}[a-z]?)(?:\s*[:)–—]|\s+-)\s+(.*)$/i.exec(text)
  return bare && { kind: 'task', id: bare[1] ?? '', title: bare[2] ?? '', state, isBare: true }
}

/** A line that begins a batch or task wherever it stands. */
export function beginsPart(line: string): boolean {
  if (!/^ {0,3}#/.test(line)) return false
  const heading = headingOf(line)
  return heading !== null && partName(heading.title)?.isBare === false
}

/** A heading that is none of a task, although somebody may have meant one: `Task A.1: title`, `Task 1-22`, `1.3 title`. */
export function resemblesTask(title: string): boolean {
  const { text } = withoutMarks(withoutEmphasis(title.slice(0, MAX_TITLE_CHARS)))
  return /^task\b[\s#]*[a-z]{0,3}[.-]?\d/i.test(text) || /^\d{1,9}[.-]\d{1,9}\b/.test(text)
}

const MAX_TITLE_CHARS = 1_000

/** `[ ]`, `✅`, `~~` and the like in front, and brackets around the name. */
function withoutMarks(title: string): { text: string; mark: string } {
  const struck = title.startsWith('~~') ? title.replaceAll('~~', '').trim() : title
  const mark =
    /^(?:\[[ xX✓✔-]\]|\[[\w -]{1,20}\](?=\s+(?:task|batch)\s)|[^\p{L}\p{N}#[(~]+)+\s*/iu.exec(struck)?.[0] ?? ''
  const text = struck.slice(mark.length).replace(/^\[((?:task|batch)\s[^\]]{1,40})\]\s*:?/i, '$1:')
  return { text, mark: struck === title ? mark : `~~${mark}` }
}

function stateAt(mark: string, title: string): Entry['state'] {
  const text = title.slice(-MAX_STATE_CHARS)
  if (mark.startsWith('~~') || mark.includes('[-]')) return 'skipped'
  if (TICK.test(mark) || /\[[xX✓✔]\]/.test(mark) || TICK_AT_END.test(text)) return 'done'
  const label = /^\[([\w -]{1,20})\]/.exec(mark)?.[1]
  const word = label ?? /[([]\s*[^\p{L}()[\]]*([\p{L}'’ -]{1,30}?)\s*[)\]]\s*$/u.exec(text)?.[1] ?? ''
  return stateOf(word, { done: DONE_WORDS })
}

/** Longer than what somebody puts behind a title. */
const MAX_STATE_CHARS = 60

const TICK = /[✅✔☑✓]/u
const TICK_AT_END = /[✅✔☑✓]\uFE0F?\s*(?:\(?(?:done|completed?|finished)\)?)?$/iu
