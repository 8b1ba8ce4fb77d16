// Files in which programs keep their conversations: a line of JSON for every event. No lines where one cannot be read.
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Json, jsonLine, textAt } from './read-json-fields.ts'

/** The first file with that ending in one of these folders. */
export async function findFile(folders: readonly string[], ending: string): Promise<string | null> {
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => [])
    const name = names.find((one) => one.endsWith(ending))
    if (name !== undefined) return join(folder, name)
  }
  return null
}

/** Lines with `word` among the last `bytes` of a file, oldest first. */
export async function linesWith(word: string, path: string, bytes: number): Promise<Json[]> {
  const found = (await linesIn(path, bytes, 'end')).filter((text) => text.includes(word))
  return found.map(jsonLine).filter((line) => line !== null)
}

export async function firstLines(path: string, bytes: number): Promise<string[]> {
  return linesIn(path, bytes, 'start')
}

/** Without a line that is cut off. */
async function linesIn(path: string, bytes: number, part: 'start' | 'end'): Promise<string[]> {
  const file = await open(path).catch(() => null)
  try {
    const { size = 0 } = (await file?.stat()) ?? {}
    const position = part === 'start' ? 0 : Math.max(0, size - bytes)
    const read = await file?.read(Buffer.alloc(Math.min(size, bytes)), { position })
    const lines = read?.buffer.toString('utf8', 0, read.bytesRead).split('\n') ?? []
    return lines.slice(position > 0 ? 1 : 0, part === 'start' ? -1 : undefined)
  } catch {
    return []
  } finally {
    await file?.close()
  }
}

/** A line without a time is always within. */
export function isWithin(line: Json, { since, until }: { since: number; until: number }): boolean {
  const at = Date.parse(textAt(line, 'timestamp') ?? '')
  return !(at < since || at >= until)
}
