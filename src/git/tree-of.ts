// The trees of commits the engine meets again and again: every attempt on one base asks for the same.
import { type EngineRepository, inEngine } from './engine-repository.ts'
import { gitText } from './git.ts'

const MAX_KNOWN = 10_000
const known = new WeakMap<EngineRepository, Map<string, string>>()

export async function treeOf(engine: EngineRepository, commit: string): Promise<string> {
  const trees = known.get(engine) ?? new Map<string, string>()
  known.set(engine, trees)
  const tree = trees.get(commit) ?? (await gitText(['rev-parse', `${commit}^{tree}`], inEngine(engine)))
  if (trees.size >= MAX_KNOWN) trees.clear()
  trees.set(commit, tree)
  return tree
}
