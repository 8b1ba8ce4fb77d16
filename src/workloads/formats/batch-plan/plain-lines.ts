// Lines that say the same as a field without being written as one: `- Depends on: Task 1.1`, `*Blocked by Batch 1*`,
// `**After:** Task 1.2`, `Status: Cancelled`. Those about the order count where they name a batch or task.
import type { MarkdownLine } from '../markdown/markdown.ts'
import { BLOCKS, OTHER_WAITS, OWN_WAITS, PLAIN_BLOCKS, PLAIN_WAITS } from './field-names.ts'

/** `line`: as an item of a list, with what it says where it stands in the file. */
export type PlainLine = { name: string; said: string; line: MarkdownLine; column: number }

export function plainLineOf(line: MarkdownLine): PlainLine | null {
  const match = PLAIN.exec(line.text.slice(0, MAX_CHARS))
  if (!match) return null
  const [, before = '', written = '', remark = '', colon, rest = ''] = match
  const called = written.toLowerCase().replaceAll(/\s+/g, ' ')
  const said = rest.replace(/[*_\s]+$/, '')
  const at = { said, column: before.length + 1 }
  if (called === 'status') return colon && said !== '' ? { ...at, name: 'status', line } : null
  if (!NAMES_ONE.test(said) || !(colon || SPOKEN.has(called))) return null
  const mark = /^(?:soft|optional)$/i.test(remark) ? '- Soft: ' : '- '
  const item = { ...line, text: `${mark.padStart(before.length)}${said}` }
  return { ...at, name: BLOCKS.includes(called) ? PLAIN_BLOCKS : PLAIN_WAITS, line: item }
}

/** Longer than any line somebody writes. */
const MAX_CHARS = 4_000

const NAMES = [...OWN_WAITS, ...OTHER_WAITS, ...BLOCKS, 'after', 'status'].map((name) =>
  name.replaceAll(' ', '\\s{1,3}'),
)
const PLAIN = new RegExp(
  `^( {0,3}(?:>\\s{0,3})?(?:[-*+]\\s{1,9})?[*_]{0,3}(${NAMES.join('|')})(?:\\s{1,3}\\(([^()*_]{1,40})\\))?[*_]{0,3}(:)?[*_]{0,3}(?:\\s{1,9}|$))(.*)$`,
  'i',
)

/** Without a colon only what is said of nothing else: `Depends on Task 1.1`, while `After Task 1.1 the table is empty`. */
const SPOKEN = new Set(['depends on', 'blocked by', 'waits for'])
const NAMES_ONE = /\b(?:batch|task)(?:es|s)?\s{1,3}#?\d|\b(?:previous|prior|preceding|above)\s{1,3}(?:batch|task)/i
