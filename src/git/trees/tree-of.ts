// The trees of commits the engine meets again and again: every attempt on one base asks for the same.
import type { EngineRepository } from '../engine/repository.ts'
import { GitFailure } from '../run/git.ts'
import { objectInfo } from '../run/read-objects.ts'

const MAX_KNOWN = 10_000
const known = new WeakMap<EngineRepository, Map<string, string>>()

/** Of a commit; a tree is its own. */
export async function treeOf(engine: EngineRepository, commit: string): Promise<string> {
  const found = known.get(engine)?.get(commit)
  if (found !== undefined) return found
  const tree = (await objectInfo(engine, `${commit}^{tree}`))?.id
  if (tree === undefined) throw new GitFailure(['cat-file'], null, `${commit} is not there, or has no tree`)
  rememberTree(engine, commit, tree)
  return tree
}

/** For whoever has just made the commit. */
export function rememberTree(engine: EngineRepository, commit: string, tree: string): void {
  const trees = known.get(engine) ?? new Map<string, string>()
  known.set(engine, trees)
  if (trees.size >= MAX_KNOWN) trees.clear()
  trees.set(commit, tree)
}
