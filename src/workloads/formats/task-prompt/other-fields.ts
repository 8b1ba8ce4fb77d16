// Fields of a task that have no meaning here, but words in them: they are told to its agent, under their name.
import { type PromptSection, prose } from './compose-prompt.ts'

type OtherField = { name: string; text: string }

/** `known`: what the reader of the format looks at itself, or leaves out on purpose. */
export function otherFields(value: Record<string, unknown>, known: ReadonlySet<string>): OtherField[] {
  const found: OtherField[] = []
  for (const name of Object.keys(value)) {
    if (known.has(name) || isBookkeeping(plainName(name)) || !/^(?=.*[\p{L}\d]).{1,60}$/u.test(name)) continue
    const text = wordsIn(value[name])
    if (text !== '' && found.length < MAX_FIELDS) found.push({ name, text })
  }
  return found
}

export function toSection({ name, text }: OtherField): PromptSection {
  return [headingOf(name), text]
}

export function headingOf(name: string): string {
  const words = plainName(name).replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const MAX_FIELDS = 50
const MAX_TEXT_CHARS = 20_000

function wordsIn(value: unknown): string {
  if (!isText(value, MAX_DEPTH)) return ''
  const text = prose(value)
  if (TIME.test(text)) return ''
  return text.length <= MAX_TEXT_CHARS ? text : `${text.slice(0, MAX_TEXT_CHARS)}\n(cut: the rest is in the plan)`
}

/** A text, a list of texts, or what has texts under names: `{included: 'pages', excluded: 'mail'}`. */
function isText(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return true
  if (typeof value !== 'object' || value === null || depth === 0) return false
  return Object.values(value).every((one) => isText(one, depth - 1))
}

/** A list of what has lists of texts under names. */
const MAX_DEPTH = 3

const TIME = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+\S*)?$/

/** What programs keep for themselves, and when or how large a task is: it tells an agent nothing. */
function isBookkeeping(name: string): boolean {
  return KEPT.test(name) || KEPT_AT_END.test(name) || ORDER.test(name)
}

const ORDER =
  /^(?:depends_on|dependencies|dependency|blocked_by|blocked|needs|requires|after|before|priority|tags|labels|type|category|size|effort|complexity|estimates?|estimated_\w+)$/
const KEPT_AT_END = /(?:^|_)(?:at|by|date|time|timestamp|hash|sha|ids?|uuid|status|state|session|url)$/
const KEPT =
  /^(?:logs?|(?:actual_)?output|(?:last_)?errors?|results?|progress|history|author|assignee|owner|version|agent|model|branch|worktree|commit|notes|meta(?:data)?)$/

function plainName(name: string): string {
  return name
    .replace(/([a-z\d])(?=[A-Z])/g, '$1_')
    .replace(/[\s-]/g, '_')
    .toLowerCase()
}
