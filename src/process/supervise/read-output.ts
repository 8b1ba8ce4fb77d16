// Reads the output of a supervised command, while it runs or later, from any process. Chunks may be removed under a
// reader; it then goes on with the next one and says how much is missing.
import { existsSync, statSync, unlinkSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { LIMITS } from '../../config.ts'
import { namesIn } from '../../files/if-there.ts'

/**
 * Ends when the command has ended and everything was delivered. `signal`: ends the following; output of that moment is
 * still delivered.
 */
export async function* followOutput(
  dir: string,
  { signal }: { signal?: AbortSignal } = {},
): AsyncGenerator<Buffer, void, void> {
  let [index, offset] = [0, 0]
  let end = Number.POSITIVE_INFINITY
  for (;;) {
    const file = await openIfThere(chunkPath(dir, 'output', index))
    try {
      for (;;) {
        // Both looks come before the read: later output is found by the next one.
        const ended = signal?.aborted === true || existsSync(join(dir, 'exit'))
        if (signal?.aborted && end === Number.POSITIVE_INFINITY) end = writtenBytes(dir)
        const next: Chunk | undefined = nextChunk(dir, file ? index + 1 : index)
        for (let data = await readSome(file, offset); data; data = await readSome(file, offset)) {
          offset += data.length
          yield data
          if (signal?.aborted && index * fullSize(dir) + offset >= end) return
        }
        if (next) {
          const missing = (next.index - index) * fullSize(dir) - offset
          if (missing > 0) yield Buffer.from(`\n${removedNote(missing)}\n`)
          index = next.index
          offset = 0
          break
        }
        if (ended) return
        await wait(LIMITS.outputPollMs, undefined, signal ? { signal } : {}).catch(() => {})
        if (!file) break // it may be there now
      }
    } finally {
      await file?.close()
    }
  }
}

/** The end of the output, at most about that many bytes, never cut inside a character. */
export async function readTail(dir: string, bytes: number, stream: Stream = 'output'): Promise<string> {
  const parts: Buffer[] = []
  let wanted = bytes
  let below: number | null = null
  for (const chunk of listChunks(dir, stream).reverse()) {
    if (wanted <= 0) break
    const part = await readEnd(chunk, wanted)
    if (!part) continue
    const removed = below === null ? 0 : below - chunk.index - 1
    if (removed > 0) parts.unshift(Buffer.from(`\n${removedNote(removed * chunk.bytes)}\n`))
    parts.unshift(part)
    wanted -= part.length
    below = chunk.index
  }
  const tail = Buffer.concat(parts)
  let start = 0
  while (wanted <= 0 && ((tail[start] ?? 0) & 0xc0) === 0x80) start++ // the rest of a character that was cut
  // `stream` holds a character back whose last bytes have not been written yet.
  return new TextDecoder().decode(tail.subarray(start), { stream: true })
}

/** All bytes that were written, those of removed chunks included. */
function writtenBytes(dir: string): number {
  const chunks = listChunks(dir, 'output')
  const [first, last] = [chunks[0], chunks.at(-1)]
  return first && last ? last.index * first.bytes + last.bytes : 0
}

const READ_BYTES = 64 << 10

/** The size of every chunk but the newest; right if there is more than one. */
function fullSize(dir: string): number {
  return listChunks(dir, 'output')[0]?.bytes ?? 0
}

function nextChunk(dir: string, atLeast: number): Chunk | undefined {
  return listChunks(dir, 'output').find((chunk) => chunk.index >= atLeast)
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  if (!existsSync(path)) return null
  try {
    return await open(path)
  } catch {
    return null // not written yet, or removed
  }
}

async function readSome(file: FileHandle | null, offset: number): Promise<Buffer | null> {
  if (!file) return null
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, offset)
  return bytesRead > 0 ? buffer.subarray(0, bytesRead) : null
}

async function readEnd(chunk: Chunk, bytes: number): Promise<Buffer | null> {
  const file = await openIfThere(chunk.path)
  if (!file) return null
  try {
    const start = Math.max(0, chunk.bytes - bytes)
    const buffer = Buffer.alloc(chunk.bytes - start)
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/**
 * Removes the oldest chunks after the first until the stream fits, never the newest: the beginning and the end of the
 * output stay. Returns the newest's index.
 */
function pruneOutput(dir: string, maxBytes: number, stream: Stream): number {
  const chunks = listChunks(dir, stream)
  let total = chunks.reduce((sum, chunk) => sum + chunk.bytes, 0)
  for (const chunk of chunks.slice(1, -1)) {
    if (total <= maxBytes) break
    try {
      unlinkSync(chunk.path)
    } catch {
      // somebody else removed it
    }
    total -= chunk.bytes
  }
  return chunks.at(-1)?.index ?? -1
}

/** Call it again and again: it looks closely only when a new chunk has appeared. */
export function outputPruner(dir: string, { maxBytes }: { maxBytes: number }): () => void {
  const next = new Map<Stream, number>(STREAMS.map((stream) => [stream, 0]))
  return () => {
    for (const [stream, index] of next) {
      if (!existsSync(chunkPath(dir, stream, index))) continue
      next.set(stream, pruneOutput(dir, maxBytes, stream) + 1)
    }
  }
}

/** Feeds the output in `dir` line by line, until the signal comes. */
export async function feedLines(dir: string, signal: AbortSignal, take: (line: string) => void): Promise<void> {
  const splitter = lineSplitter()
  for await (const chunk of followOutput(dir, { signal })) splitter.push(chunk).forEach(take)
  splitter.end().forEach(take)
}

// The chunk files that `split` writes: output.aaa, output.aab … All but the newest have the same size. The first and
// the newest are never removed; a gap in the names is therefore the record of what was removed, and how much.

const STREAMS = ['output', 'errors'] as const
/** `errors` exists only if stderr is kept apart. */
type Stream = (typeof STREAMS)[number]

type Chunk = { index: number; path: string; bytes: number }

export function listChunks(dir: string, stream: Stream): Chunk[] {
  const chunks: Chunk[] = []
  for (const name of namesIn(dir)) {
    const suffix = name.startsWith(`${stream}.`) ? name.slice(stream.length + 1) : ''
    if (!/^[a-z]{3}$/.test(suffix)) continue
    const path = join(dir, name)
    const size = statSync(path, { throwIfNoEntry: false })?.size
    if (size !== undefined) chunks.push({ index: indexOf(suffix), path, bytes: size })
  }
  return chunks.sort((a, b) => a.index - b.index)
}

function chunkPath(dir: string, stream: Stream, index: number): string {
  const letters = [Math.floor(index / 676), Math.floor(index / 26) % 26, index % 26]
  return join(dir, `${stream}.${letters.map((letter) => String.fromCharCode(97 + letter)).join('')}`)
}

/** The line in place of removed output. */
function removedNote(bytes: number): string {
  const size = bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
  return `… ${size} of output removed …`
}

function indexOf(suffix: string): number {
  return [...suffix].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 97, 0)
}

// How much a command has printed, and when last: the same for the engine that started it and for one that found it. A
// heartbeat, a file it writes as a sign of life, counts as well.

export const HEARTBEAT = 'heartbeat'

/**
 * `mark` differs whenever more was printed, or the heartbeat has come, whatever the clock does. `at`: in ms since the epoch;
 * the start, if nothing was printed; null: not started.
 */
export function lookAtPrinted(dir: string) {
  const newest = STREAMS.flatMap((stream) => listChunks(dir, stream).at(-1) ?? [])
  const beat = timeOf(join(dir, HEARTBEAT))
  const times = [...[join(dir, 'supervisor'), ...newest.map(({ path }) => path)].flatMap(timeOf), ...beat]
  const mark = [...newest.map(({ path, bytes }) => `${path}:${bytes}`), ...beat].join()
  return { mark, at: times.length > 0 ? Math.max(...times) : null }
}

function timeOf(path: string): number[] {
  try {
    return [statSync(path).mtimeMs]
  } catch {
    return [] // not there yet, or not any more
  }
}

// Lines out of a stream of bytes, each of bounded length: an agent may write 100 MB without a line break.

const MAX_LINE_BYTES = 1 << 20

/** The rest of the line is skipped. */
const CUT_NOTE = ' … [line cut]'

/** Lines come without their line breaks. A last line without one counts too. */
export function lineSplitter(maxBytes = MAX_LINE_BYTES) {
  let parts: Buffer[] = []
  let length = 0
  let cut = false

  function add(part: Buffer): void {
    const room = maxBytes - length
    if (part.length > room) cut = true
    const kept = part.subarray(0, Math.max(room, 0))
    if (kept.length === 0) return
    // A copy: a few bytes must not keep the whole buffer they came in.
    parts.push(kept.length < part.buffer.byteLength / 2 ? Buffer.from(kept) : kept)
    length += kept.length
  }

  function take(): string {
    const bytes = Buffer.concat(parts)
    // `stream` leaves out a last character that is not complete.
    const whole = () => new TextDecoder().decode(bytes, { stream: true })
    const text = cut ? whole() + CUT_NOTE : bytes.toString('utf8').replace(/\r$/, '')
    parts = []
    length = 0
    cut = false
    return text
  }

  return {
    push(chunk: Buffer) {
      const lines: string[] = []
      let start = 0
      for (let stop = chunk.indexOf(10); stop >= 0; stop = chunk.indexOf(10, start)) {
        add(chunk.subarray(start, stop))
        lines.push(take())
        start = stop + 1
      }
      add(chunk.subarray(start))
      return lines
    },
    end: () => (length > 0 ? [take()] : []),
  }
}
