// What a command has printed so far, and when it did so last, told from its files: the same for the engine that started
// it and for one that found it. Its heartbeat counts as well, where it has one: a file it writes as a sign of life.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { listChunks, STREAMS } from './chunks.ts'

type Printed = {
  /** Differs whenever more was printed, or its heart has beaten, whatever the clock does. */
  mark: string
  /** In ms since the epoch; when it was started, while it has printed nothing; null while it has not been started. */
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
