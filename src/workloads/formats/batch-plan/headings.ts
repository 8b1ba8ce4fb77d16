// The headings of batches and tasks: `Batch 2: title`, `Task 1.2a - title`, and what people put around that: `✅ Task 1.2: title`,
// `[x] Task 1.2: title`, `[Task 1.2] title`, `~~Task 1.2: title~~`, `Task 1.2: title (SKIPPED)`.

import type { Entry } from '../format.ts'
import { headingOf, withoutEmphasis } from '../markdown/lines.ts'
import { stateOf } from '../state/status-words.ts'
import { DONE_WORDS } from './status.ts'

export type PartName = {
  kind: 'batch' | 'task'
  id: string
  title: string
  /** What the heading says of it: it is ticked, struck out, or has a word in capitals in brackets behind it. */
  state: Entry['state']
  /** What looks like a status behind the title, but is part of it: `(archived)` in `Order list filter (archived)`. */
  lookalike: string | null
  /** A number alone: a task only where tasks are expected, because sections are numbered as well. */
  isBare: boolean
}

/** Null: the heading is of something else. */
export function partName(written: string): PartName | null {
  const title = withoutEmphasis(written.slice(0, MAX_TITLE_CHARS))
  const { text, mark } = withoutMarks(title)
  const { state, lookalike } = stateAt(mark, text)
  const batch = /^batch\s+#?(\d{1,9})(?!\.?\d)\s*[:.)–—-]?\s*(.*)$/i.exec(text)
  if (batch) return { kind: 'batch', id: batch[1] ?? '', title: batch[2] ?? '', state, lookalike, isBare: false }
  const task =
    /^task\s+#?(\d{1,9}(?:\.\d{1,9}){1,3}[a-z]?)\b\s*[:.)–—-]?\s*(.*)$/i.exec(text) ??
    /^task\s+#?(\d{1,9}[a-z]?)(?:\s*[:)–—]|\s+-|\.)(?=\s|$)\s*(.*)$/i.exec(text)
  if (task)
    return {
      kind: 'task',
      id: task[1] ?? '',
      title: task[2] ?? '',
      state,
      lookalike,
      isBare: !/\./.test(task[1] ?? ''),
    }
  const bare = /^(\d{1,9}\.\d{1,9}[a-z]?)(?:\s*[:)–—]|\s+-)\s+(.*)$/i.exec(text)
  return bare && { kind: 'task', id: bare[1] ?? '', title: bare[2] ?? '', state, lookalike, isBare: true }
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

type HeadingState = Pick<PartName, 'state' | 'lookalike'>

function stateAt(mark: string, title: string): HeadingState {
  const as = (state: Entry['state'], lookalike: string | null = null): HeadingState => ({ state, lookalike })
  if (mark.startsWith('~~') || mark.includes('[-]')) return as('skipped')
  if (TICK.test(mark) || /\[[xX✓✔]\]/.test(mark)) return as('done')
  // In front of the name it is no part of the title, however it is written.
  const inFront = stateOf(/^\[([\w -]{1,20})\]/.exec(mark)?.[1] ?? '', STATES)
  if (inFront !== 'open') return as(inFront)
  const text = title.slice(-MAX_STATE_CHARS)
  const tick = TICK_AT_END.exec(text)
  if (tick) return GOES_ON.test(text.slice(0, tick.index)) ? as('open', tick[0].trim()) : as('done')
  const [closing = '', word = ''] = IN_BRACKETS.exec(text) ?? BEHIND_A_DASH.exec(text) ?? []
  const state = stateOf(word, STATES)
  if (state === 'open' || word === word.toUpperCase()) return as(state)
  return as('open', closing.trim())
}

const STATES = { done: DONE_WORDS }

/** Longer than what somebody puts behind a title. */
const MAX_STATE_CHARS = 120

const TICK = /[✅✔☑✓]/u
const TICK_AT_END = /[✅✔☑✓]\uFE0F?\s*(?:\(?(?:done|completed?|finished)\)?)?$/iu

/** Behind these a tick is what the title speaks of: `Replace ❌ with ✅`. */
const GOES_ON =
  /(?:(?:^|\s)(?:with|adds?|shows?|uses?|as|to|and|or|an?|the|of|by|for|from|into|in|on|prints?|renders?|displays?|draws?)\s{0,9}|[❌✗✘☐⬜/+&,]\uFE0F?\s{0,9})["'`(]?$/iu

/** The same behind a dash: `Task 1.2: title — DEFERRED`, `Task 1.2: title - DONE`. */
const BEHIND_A_DASH =
  /\s(?:[–—]|--?)\s{1,9}[*_]{0,2}([\p{L}'’ ]{1,30}?)[*_]{0,2}(?:(?::|\s[–—-]\s|\s(?:by|to|until|per)\s)[^()[\]–—]{0,60})?[.\s]{0,9}$/u

/** The word alone, or with why: `(SKIPPED)`, `[DEFERRED to v2]`, `(DROPPED: no time)`. */
const IN_BRACKETS =
  /[([]\s{0,9}[^\p{L}()[\]]{0,9}([\p{L}'’ -]{1,30}?)\s{0,9}(?:(?::|[–—-]\s|\b(?:by|to|until|per)\s)[^()[\]]{0,60})?[)\]]\s{0,9}$/u
