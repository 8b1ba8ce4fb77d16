// What differs between two commits, as a patch for people and programs to read. Made by the engine's git: no filter, driver
// or pager of anybody is run for it.
import { type EngineRepository, inEngine } from '../engine/repository.ts'
import { startGit } from '../run/git.ts'

/** At most so many bytes of it; `isCut`: there was more. */
export async function patchBetween(
  engine: EngineRepository,
  { from, to, maxBytes }: { from: string; to: string; maxBytes: number },
): Promise<{ patch: Buffer; isCut: boolean }> {
  const args = ['diff-tree', '-r', '-p', '-M', '--full-index', '--no-color', '--no-ext-diff', '--no-textconv', from, to]
  const { child, done } = startGit([...args, '--'], inEngine(engine))
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of child.stdout as AsyncIterable<Buffer>) {
    parts.push(part)
    bytes += part.length
    if (bytes <= maxBytes) continue
    child.kill()
    await done.catch(() => {}) // it was told to end
    return { patch: Buffer.concat(parts).subarray(0, maxBytes), isCut: true }
  }
  await done
  return { patch: Buffer.concat(parts), isCut: false }
}
