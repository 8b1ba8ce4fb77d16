// The paths of all files of a commit.
import { type EngineRepository, inEngine } from '../engine/repository.ts'
import { gitText } from '../run/git.ts'

export async function filesAt(engine: EngineRepository, commit: string): Promise<Set<string>> {
  const listed = await gitText(['ls-tree', '-r', '-z', '--name-only', commit], inEngine(engine))
  return new Set(listed.split('\0').filter((path) => path !== ''))
}
