// The headings of batches and tasks: `Batch 0a: title`, `✅ Task 1.2a - title`, `[x] Task 1.2: title`, `~~Task 1.2: title~~`.
import type { Entry } from '../format.ts'
import { headingOf, withoutEmphasis } from '../markdown/parse-lines.ts'

type PartName = {
  kind: 'batch' | 'task'
  id: string
  title: string
  /** What the heading says of it: it is ticked or struck out. */
  state: Entry['state']
  /** A number alone: a task only where tasks are expected, because sections are numbered as well. */
  isBare: boolean
}

export function partName(written: string): PartName | null {
  const { text, mark } = withoutMarks(withoutEmphasis(written.slice(0, MAX_TITLE_CHARS)))
  const [, batch, ofBatch = ''] = BATCH.exec(text) ?? []
  if (batch !== undefined)
    return { kind: 'batch', id: batch.toLowerCase(), title: ofBatch, state: stateAt(mark, text), isBare: false }
  const [, id, title = ''] = TASK.exec(text) ?? BARE_TASK.exec(text) ?? []
  if (id === undefined) return null
  const isBare = !id.includes('.')
  return { kind: 'task', id: id.toLowerCase(), title, state: stateAt(mark, text), isBare }
}

const PARTS = '\\d{1,9}[a-z]?(?:\\.\\d{1,9}[a-z]?)'
const BATCH = /^batch\s+#?(\d{1,9}[a-z]?)(?!\w|\.\d)\s*[:.)–—-]?\s*(.*)$/i
const TASK = new RegExp(`^task\\s+#?(${PARTS}{1,3})\\b\\s*[:.)–—-]?\\s*(.*)$`, 'i')
const BARE_TASK = /^task\s+#?(\d{1,9}[a-z]?)(?:\s*[:)–—]|\s+-|\.)(?=\s|$)\s*(.*)$/i

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

function withoutMarks(title: string): { text: string; mark: string } {
  const struck = title.startsWith('~~') ? title.replaceAll('~~', '').trim() : title
  const mark = /^(?:\[[ xX✓✔-]\]|[^\p{L}\p{N}#[(~]+)+\s*/iu.exec(struck)?.[0] ?? ''
  return { text: struck.slice(mark.length), mark: struck === title ? mark : `~~${mark}` }
}

function stateAt(mark: string, title: string): Entry['state'] {
  if (mark.startsWith('~~') || mark.includes('[-]')) return 'skipped'
  const isTicked = /[✅✔☑✓]|\[[xX]\]/u.test(mark) || TICK_AT_END.test(title.slice(-MAX_TICK_CHARS))
  return isTicked ? 'done' : 'open'
}

const MAX_TICK_CHARS = 60
/** Behind a word that goes on it is what the title speaks of: `Replace ❌ with ✅`. */
const TICK_AT_END =
  /(?<!(?:\b(?:with|as|to|an?|the|and|or|add|show|use)|[❌✗☐/+&,]\uFE0F?)\s{0,3})[✅✔☑✓]\uFE0F?\s{0,3}$/iu
