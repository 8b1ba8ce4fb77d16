// The beginning and the end of a file that another program writes, line by line. No lines where it cannot be read.
import { open } from 'node:fs/promises'

export async function lastLines(path: string, bytes: number): Promise<string[]> {
  const { start, lines } = await linesFrom(path, bytes, (size) => Math.max(0, size - bytes))
  // Of the first only an end may be there.
  return start > 0 ? lines.slice(1) : lines
}

export async function firstLines(path: string, bytes: number): Promise<string[]> {
  const { lines } = await linesFrom(path, bytes, () => 0)
  // Of the last only a beginning may be there.
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
