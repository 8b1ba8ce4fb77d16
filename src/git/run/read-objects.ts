// Small objects of the engine's repository, many at once. What is larger than the bound is not read at all: an agent
// decides how long a commit message or the target of a link is.
import { type EngineRepository, inEngine } from '../engine/repository.ts'
import { git, gitText } from './git.ts'

/** By id; null for what is larger than `maxBytes`. */
export async function readObjects(
  engine: EngineRepository,
  ids: readonly string[],
  maxBytes: number,
): Promise<Map<string, Buffer | null>> {
  const found = new Map<string, Buffer | null>()
  if (ids.length === 0) return found
  const sizes = await gitText(['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    ...inEngine(engine),
    input: lines(ids),
  })
  const small: string[] = []
  for (const line of sizes.split('\n')) {
    const [id = '', size] = line.split(' ')
    if (Number(size) <= maxBytes) small.push(id)
    else found.set(id, null)
  }
  const { stdout } = await git(['cat-file', '--batch'], { ...inEngine(engine), input: lines(small) })
  // <id> <type> <size>LF<content>LF
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf('\n', at)
    const [id = '', , size] = stdout.toString('latin1', at, end).split(' ')
    const next = end + 1 + Number(size)
    found.set(id, stdout.subarray(end + 1, next))
    at = next + 1
  }
  return found
}

function lines(ids: readonly string[]): string {
  return [...new Set(ids)].map((id) => `${id}\n`).join('')
}
