// A prompt made of what a plan of another format says about a task: all of its words, under headings.

export type Section = readonly [heading: string, text: string]

export function promptText(lead: string, sections: readonly Section[]): string {
  const parts = sections.filter(([, text]) => text !== '').map(([heading, text]) => `## ${heading}\n\n${text}`)
  return [lead, ...parts].filter((part) => part !== '').join('\n\n')
}

/** Whatever stands where words are expected: lists become lines, mappings become `name: value`. */
export function prose(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(prose).filter(Boolean).map(listed).join('\n')
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([name, item]) => [name, prose(item)] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => (text.includes('\n') ? `${name}:\n${indented(text)}` : `${name}: ${text}`))
    .join('\n')
}

function listed(text: string): string {
  return `- ${text.replaceAll('\n', '\n  ')}`
}

function indented(text: string): string {
  return `  ${text.replaceAll('\n', '\n  ')}`
}
