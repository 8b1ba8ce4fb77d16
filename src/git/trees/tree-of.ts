// The trees of commits the engine meets again and again: every attempt on one base asks for the same.
import { type EngineRepository, inEngine } from '../engine/repository.ts'
import { gitText } from '../run/git.ts'

const MAX_KNOWN = 10_000
const known = new WeakMap<EngineRepository, Map<string, string>>()

export async function treeOf(engine: EngineRepository, commit: string): Promise<string> {
  const found = knownTree(engine, commit)
  if (found !== undefined) return found
  const tree = await gitText(['rev-parse', `${commit}^{tree}`], inEngine(engine))
  rememberTree(engine, commit, tree)
  return tree
}

/** Undefined: git would have to be asked. */
export function knownTree(engine: EngineRepository, commit: string): string | undefined {
  return known.get(engine)?.get(commit)
}

/** For whoever has just made the commit. */
export function rememberTree(engine: EngineRepository, commit: string, tree: string): void {
  const trees = known.get(engine) ?? new Map<string, string>()
  known.set(engine, trees)
  if (trees.size >= MAX_KNOWN) trees.clear()
  trees.set(commit, tree)
}
