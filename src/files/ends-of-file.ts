// The end of a file that another program writes, line by line.
import { open } from 'node:fs/promises'

/** The lines that lie within its last `bytes`; none where it cannot be read. */
export async function lastLines(path: string, bytes: number): Promise<string[]> {
  const file = await open(path).catch(() => null)
  if (!file) return []
  try {
    const { size } = await file.stat()
    const start = Math.max(0, size - bytes)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
    // Of the first only an end may be there.
    return start > 0 ? lines.slice(1) : lines
  } catch {
    return []
  } finally {
    await file.close()
  }
}

// The beginning of a file that another program writes, line by line.

/** The lines that lie within its first `bytes`; none where it cannot be read. */
export async function firstLines(path: string, bytes: number): Promise<string[]> {
  const file = await open(path).catch(() => null)
  if (!file) return []
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, bytes)), 0, Math.min(size, bytes), 0)
    // Of the last only a beginning may be there.
    return buffer.toString('utf8', 0, bytesRead).split('\n').slice(0, -1)
  } catch {
    return []
  } finally {
    await file.close()
  }
}
