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
  return cut(text, limit)
}

function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars)}\n(cut: the rest is in the plan)`
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
  return Object.keys(value)
    .filter((name) => !known.has(name) && /^(?=.*[\p{L}\d]).{1,60}$/u.test(name))
    .filter((name) => !BOOKKEEPING.test(plainName(name)) && isText(value[name], MAX_LEVELS))
    .map((name) => ({ name, text: cut(prose(value[name]), MAX_TEXT_CHARS) }))
    .filter(({ text }) => text !== '')
    .slice(0, MAX_FIELDS)
}

export function headingOf(name: string): string {
  const words = plainName(name).replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const MAX_FIELDS = 50
const MAX_TEXT_CHARS = 20_000

/** What programs rewrite as they work (a task is not another one for it), and how a task is planned: it tells an agent nothing. */
const BOOKKEEPING = new RegExp(
  [
    '(?:^|_)(?:at|by|date|time|timestamp|hash|sha|ids?|uuid|status|state|session|url)$',
    '^(?:logs?|(?:actual_)?output|(?:last_)?errors?|results?|progress|history|author|assignee|owner|version|notes|meta(?:data)?)$',
    '^(?:agent|model|branch|worktree|commit|depends_on|dependenc(?:y|ies)|blocked|needs|requires|after|before|priority)$',
    '^(?:tags|labels|type|category|size|effort|complexity|estimates?|estimated_\\w+)$',
  ].join('|'),
)

function plainName(name: string): string {
  return name
    .replace(/([a-z\d])(?=[A-Z])/g, '$1_')
    .replace(/[\s-]/g, '_')
    .toLowerCase()
}

/** A text, a list of texts, or what has texts under names: `{included: 'pages', excluded: 'mail'}`. */
function isText(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return true
  if (typeof value !== 'object' || value === null || depth === 0) return false
  return Object.values(value).every((one) => isText(one, depth - 1))
}

/** A list of what has lists of texts under names. */
const MAX_LEVELS = 3
