// Which files are not the same in two commits, and the text of one.
import { type EngineRepository, inEngine } from './engine-repository.ts'
import { git, gitText } from './git.ts'
import { readable, records } from './path-bytes.ts'
import { readObjects } from './read-objects.ts'

export async function changedFiles(engine: EngineRepository, from: string, to: string): Promise<Set<string>> {
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to]
  return new Set(records((await git(args, inEngine(engine))).stdout).map(readable))
}

/** Null: it is not there, or larger than `maxBytes`. */
export async function fileAt(
  engine: EngineRepository,
  commit: string,
  path: string,
  maxBytes: number,
): Promise<string | null> {
  const options = { ...inEngine(engine), okCodes: [0, 1, 128] }
  const id = await gitText(['rev-parse', '-q', '--verify', `${commit}:${path}`], options)
  return id === '' ? null : ((await readObjects(engine, [id], maxBytes)).get(id)?.toString('utf8') ?? null)
}
