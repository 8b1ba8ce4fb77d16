// Builds a prompt from all the text about a task in a plan of another format, under headings.
import { memoized } from '../memoized.ts'

export type PromptSection = readonly [heading: string, text: string]

export function promptText(lead: string, sections: readonly PromptSection[]): string {
  const parts = sections.filter(([, text]) => text !== '').map(([heading, text]) => `## ${heading}\n\n${text}`)
  return [lead, ...parts].filter((part) => part !== '').join('\n\n')
}

/** Any value as text: lists become lines, mappings become `name: value`. */
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

/** Deeper levels are unreadable, and every level indents its content further. */
const MAX_DEPTH = 10

function listed(text: string): string {
  return `- ${text.replaceAll('\n', '\n  ')}`
}

function indented(text: string): string {
  return `  ${text.replaceAll('\n', '\n  ')}`
}

// The text around a task is repeated in many prompts, so it is bounded: a file of megabytes would become gigabytes.

/** About a page: enough context for a task. */
export const MAX_CONTEXT_CHARS = 4_000
const MAX_CHARS_OF_ALL = 32 << 20

/** `tasks`: their number in the file. Parts are cut before they are joined: a single one may be megabytes long. */
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

/** The context shared by many tasks, computed once for each whole: `partsOf` may have to read megabytes. */
export function contextOfEach<Whole>(
  tasks: number,
  partsOf: (whole: Whole) => readonly string[],
): (whole: Whole) => string {
  return memoized((whole) => contextText(partsOf(whole), tasks))
}

/** Cuts a text to a little more than a context can hold, so that it is still recognised as too long. */
export function contextPart(text: string): string {
  return text.slice(0, MAX_CONTEXT_CHARS + 1)
}

// Fields of a task without a meaning here but with text: they go into its prompt, under their name.

/** `known`: fields that the reader of the format uses itself, or omits on purpose. */
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

/** Fields that programs rewrite as they work, and fields about planning: they are neither hashed nor put into prompts. */
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

/** True for a text, a list of texts, or a mapping of texts: `{included: 'pages', excluded: 'mail'}`. */
function isText(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return true
  if (typeof value !== 'object' || value === null || depth === 0) return false
  return Object.values(value).every((one) => isText(one, depth - 1))
}

/** Enough for a list of mappings of lists of texts. */
const MAX_LEVELS = 3
