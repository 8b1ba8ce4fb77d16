// One JSON value a line, as one document: a list with an item for every line that has something on it.
import { LIMITS } from '../../config.ts'
import { ok, type Problem, problem, type Result } from '../../problem.ts'
import { parsedJson } from '../../text/json.ts'
import { readJson } from './json.ts'
import type { Document, Place, Spot } from './place.ts'
import { isMapping } from './schema-check.ts'

type Line = { number: number; document: Document }

export function readJsonLines(text: string, file: string): Result<Document> {
  const lines: Line[] = []
  const problems: Problem[] = []
  for (const { line, number } of filledLines(text)) {
    const read = readJson(line, file)
    if (read.ok) lines.push({ number, document: read.value })
    else {
      const [first] = read.problems
      problems.push(problem(first?.message ?? 'this is not JSON', { file, line: number, column: first?.column ?? 1 }))
      if (problems.length >= LIMITS.problems) break
    }
  }
  if (problems.length > 0) return { ok: false, problems }
  const value = lines.map(({ document }) => document.value)
  return ok({ value, locate: (spots) => spots.map((spot) => locate(lines, spot)) })
}

/** Lines that are not blank, one at a time: a file of 100 MB need not be in memory twice. */
export function* filledLines(text: string): Generator<{ line: string; number: number; offset: number }> {
  for (let offset = 0, number = 1; offset <= text.length; number++) {
    const next = text.indexOf('\n', offset)
    const end = next === -1 ? text.length : next
    const line = text.slice(offset, end)
    if (line.trim() !== '') yield { line, number, offset }
    offset = end + 1
  }
}

function locate(lines: readonly Line[], { path: [index, ...path], at }: Spot): Place {
  const line = lines[Number(index ?? 0)]
  if (!line) return { line: 1, column: 1 }
  const [place] = line.document.locate([{ path, at }])
  return { line: line.number, column: place?.column ?? 1 }
}

/** A line that is longer is not looked at to recognise a format. */
const FIRST_LINE_CHARS = 1 << 20

/** The value of the first line, where there is a mapping on it and something after it; else undefined. */
export function firstJsonLine(text: string): Record<string, unknown> | undefined {
  const head = text.slice(0, FIRST_LINE_CHARS)
  const start = head.search(/\S/)
  const end = head.indexOf('\n', start)
  const found = start === -1 || end === -1 ? '' : head.slice(start, end)
  if (!found.startsWith('{') || !found.trimEnd().endsWith('}') || !/\S/.test(text.slice(end))) return undefined
  const value = parsedJson(found)
  return isMapping(value) ? value : undefined
}
