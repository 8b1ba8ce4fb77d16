// Files in which programs keep their conversations: a line of JSON for every event.
import { lastLines } from '../files/ends-of-file.ts'
import { type Json, jsonLine, textAt } from './json-line.ts'

/** Lines with `word` among the last `bytes` of a file, oldest first. */
export async function linesWith(word: string, path: string | null, bytes: number): Promise<Json[]> {
  const lines = path === null ? [] : await lastLines(path, bytes)
  const found = lines.filter((text) => text.includes(word))
  return found.map(jsonLine).filter((line) => line !== null)
}

/** A line without a time is always within. */
export function isWithin(line: Json, { since, until }: { since: number; until: number }): boolean {
  const at = Date.parse(textAt(line, 'timestamp') ?? '')
  return !(at < since || at >= until)
}
