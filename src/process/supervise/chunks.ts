// The chunk files that `split` writes: output.aaa, output.aab … All but the newest have the same size. The first and
// the newest are never removed; a gap in the names is therefore the record of what was removed, and how much.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn } from '../../files/if-there.ts'

export const STREAMS = ['output', 'errors'] as const
/** `errors` exists only if stderr is kept apart. */
export type Stream = (typeof STREAMS)[number]

export type Chunk = { index: number; path: string; bytes: number }

/** In the order they were written. */
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

export function chunkPath(dir: string, stream: Stream, index: number): string {
  const letters = [Math.floor(index / 676), Math.floor(index / 26) % 26, index % 26]
  return join(dir, `${stream}.${letters.map((letter) => String.fromCharCode(97 + letter)).join('')}`)
}

/** The line in place of removed output. */
export function removedNote(bytes: number): string {
  const size = bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
  return `… ${size} of output removed …`
}

function indexOf(suffix: string): number {
  return [...suffix].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 97, 0)
}

// How much a command has printed, and when last: the same for the engine that started it and for one that found it. A
// heartbeat, a file it writes as a sign of life, counts as well.

type Printed = {
  /** Differs whenever more was printed, or the heartbeat has come, whatever the clock does. */
  mark: string
  /** In ms since the epoch; the start, if nothing was printed; null: not started. */
  at: number | null
}

export const HEARTBEAT = 'heartbeat'

export function lookAtPrinted(dir: string): Printed {
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
