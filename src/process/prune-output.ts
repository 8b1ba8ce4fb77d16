// Keeps the output of a command within its bound: the beginning and the end stay, the middle goes.
import { existsSync, unlinkSync } from 'node:fs'
import { chunkPath, listChunks, STREAMS, type Stream } from './chunks.ts'

/** Removes the oldest chunks after the first until the stream fits, never the newest. Returns the newest's index. */
export function pruneOutput(dir: string, maxBytes: number, stream: Stream = 'output'): number {
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

/** To be called again and again: looks closely only when a new chunk has appeared. */
export function outputPruner(dir: string, { maxBytes }: { maxBytes: number }): () => void {
  const next = new Map<Stream, number>(STREAMS.map((stream) => [stream, 0]))
  return () => {
    for (const [stream, index] of next) {
      if (!existsSync(chunkPath(dir, stream, index))) continue
      next.set(stream, pruneOutput(dir, maxBytes, stream) + 1)
    }
  }
}
