// A prompt made of what a plan of another format says about a task: all of its words, under headings.

export type Section = readonly [heading: string, text: string]

export function promptText(lead: string, sections: readonly Section[]): string {
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
