// A prompt made of what a plan of another format says about a task: all of its words, under headings.

export type PromptSection = readonly [heading: string, text: string]

export function promptText(lead: string, sections: readonly PromptSection[]): string {
  const parts = sections.filter(([, text]) => text !== '').map(([heading, text]) => `## ${heading}\n\n${text}`)
  return [lead, ...parts].filter((part) => part !== '').join('\n\n')
}

/** Whatever stands where words are expected: lists become lines, mappings become `name: value`. */
export function prose(value: unknown): string {
  return proseAt(value, 0)
}

function proseAt(value: unknown, depth: number): string {
  if (typeof value === 'string') return value.trim()
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  if (depth > MAX_DEPTH) return JSON.stringify(value)
  const inside = (item: unknown): string => proseAt(item, depth + 1)
  if (Array.isArray(value)) return value.map(inside).filter(Boolean).map(listed).join('\n')
  return Object.entries(value)
    .map(([name, item]) => ({ name, text: inside(item), isNested: typeof item === 'object' }))
    .filter(({ text }) => text !== '')
    .map(({ name, text, isNested }) =>
      isNested || text.includes('\n') ? `${name}:\n${indented(text)}` : `${name}: ${text}`,
    )
    .join('\n')
}

/** Deeper than this nobody reads; and every level indents all that is in it. */
const MAX_DEPTH = 10

function listed(text: string): string {
  return `- ${text.replaceAll('\n', '\n  ')}`
}

function indented(text: string): string {
  return `  ${text.replaceAll('\n', '\n  ')}`
}

// What surrounds a task is repeated in its prompt: bounded, or a file of megabytes would become one of gigabytes.

/** About a page: enough to know what a task is part of. */
export const MAX_CONTEXT_CHARS = 4_000
const MAX_CHARS_OF_ALL = 32 << 20

/** `tasks`: how many there are in the file. Every part is cut before they are joined: one alone may be megabytes. */
export function contextText(parts: readonly string[], tasks: number): string {
  const limit = Math.min(MAX_CONTEXT_CHARS, Math.floor(MAX_CHARS_OF_ALL / Math.max(tasks, 1)))
  const text = parts
    .map((part) => part.slice(0, limit + 1))
    .filter(Boolean)
    .join('\n\n')
  return text.length <= limit ? text : `${text.slice(0, limit)}\n(cut: the rest is in the plan)`
}

/** The same for what many tasks are part of, worked out once for each: `partsOf` may have to read megabytes. */
export function contextOfEach<Whole>(
  tasks: number,
  partsOf: (whole: Whole) => readonly string[],
): (whole: Whole) => string {
  const known = new Map<Whole, string>()
  return (whole) => {
    const text = known.get(whole) ?? contextText(partsOf(whole), tasks)
    known.set(whole, text)
    return text
  }
}

/** As much of a text as a context can hold and a little more, so that it is still seen to be too long. */
export function contextPart(text: string): string {
  return text.slice(0, MAX_CONTEXT_CHARS + 1)
}

// Fields of a task that have no meaning here, but words in them: they are told to its agent, under their name.

/** `known`: what the reader of the format looks at itself, or leaves out on purpose. */
export function otherFields(value: Record<string, unknown>, known: ReadonlySet<string>) {
  const found: { name: string; text: string }[] = []
  for (const name of Object.keys(value)) {
    if (known.has(name) || isBookkeeping(plainName(name)) || !/^(?=.*[\p{L}\d]).{1,60}$/u.test(name)) continue
    const text = wordsIn(value[name])
    if (text !== '' && found.length < MAX_FIELDS) found.push({ name, text })
  }
  return found
}

export function headingOf(name: string): string {
  const words = plainName(name).replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const MAX_FIELDS = 50
const MAX_TEXT_CHARS = 20_000

function wordsIn(value: unknown): string {
  if (!isText(value, MAX_LEVELS)) return ''
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
const MAX_LEVELS = 3

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
