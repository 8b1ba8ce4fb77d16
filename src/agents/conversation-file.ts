// Files in which programs keep their conversations: a line of JSON for every event. No lines where one cannot be read.
import { open } from 'node:fs/promises'
import { type Json, jsonLine, textAt } from './json-line.ts'

/** Lines with `word` among the last `bytes` of a file, oldest first. */
export async function linesWith(word: string, path: string, bytes: number): Promise<Json[]> {
  const { start, lines } = await linesFrom(path, bytes, (size) => Math.max(0, size - bytes))
  // The first line may be cut off.
  const found = (start > 0 ? lines.slice(1) : lines).filter((text) => text.includes(word))
  return found.map(jsonLine).filter((line) => line !== null)
}

export async function firstLines(path: string, bytes: number): Promise<string[]> {
  const { lines } = await linesFrom(path, bytes, () => 0)
  // The last line may be cut off.
  return lines.slice(0, -1)
}

async function linesFrom(path: string, bytes: number, startOf: (size: number) => number) {
  const nothing = { start: 0, lines: [] as string[] }
  const file = await open(path).catch(() => null)
  if (!file) return nothing
  try {
    const { size } = await file.stat()
    const start = startOf(size)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, bytes)), { position: start })
    return { start, lines: buffer.toString('utf8', 0, bytesRead).split('\n') }
  } catch {
    return nothing
  } finally {
    await file.close()
  }
}

/** A line without a time is always within. */
export function isWithin(line: Json, { since, until }: { since: number; until: number }): boolean {
  const at = Date.parse(textAt(line, 'timestamp') ?? '')
  return !(at < since || at >= until)
}
