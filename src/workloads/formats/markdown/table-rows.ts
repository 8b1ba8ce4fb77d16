// The rows of a table in Markdown, as their cells.

/** A `|` in code or behind a backslash is part of its cell. */
export function cellsOf(row: string): string[] {
  const inner = row.trim().slice(0, MAX_CHARS).replace(/^\|/, '').replace(/\|$/, '')
  const cells = inner.match(/(?:`[^`]*`|\\.|[^|`\\]|[`\\])+|(?<=\|)(?=\|)/g) ?? []
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
}

export function isRow(line: string): boolean {
  return /^\s*\|/.test(line)
}

export function isRule(line: string): boolean {
  return isRow(line) && cellsOf(line).every((cell) => /^:?-+:?$/.test(cell))
}

const MAX_CHARS = 4_000
