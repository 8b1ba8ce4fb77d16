import type { EngineRepository } from '../engine/repository.ts'
import { readable } from '../run/path-bytes.ts'
import { treeChanges } from './tree-changes.ts'
import { treeEntries, treeOf, treeWithEntries } from './tree-of.ts'

type Restored = {
  tree: string
  /** Paths that differed. */
  paths: string[]
}

/**
 * The tree of `work`, with the paths that `isRestored` names as they are in `root`: changes are undone and new files
 * go, also if a file took the place of a folder or the other way round.
 */
export async function restoredTree(
  engine: EngineRepository,
  { work, root, isRestored }: { work: string; root: string; isRestored: (path: string) => boolean },
): Promise<Restored> {
  const changed = (await treeChanges(engine, root, work)).filter(({ path }) => isRestored(readable(path)))
  if (changed.length === 0) return { tree: await treeOf(engine, work), paths: [] }
  const before = new Map((await treeEntries(engine, root)).map((entry) => [entry.path, entry]))
  const gone = changed.map(({ path }) => ({ mode: '0', id: '0'.repeat(work.length), path }))
  const back = changed.flatMap(({ path }) => before.get(path) ?? [])
  const tree = await treeWithEntries(engine, work, [...gone, ...back])
  return { tree, paths: changed.map(({ path }) => readable(path)) }
}
