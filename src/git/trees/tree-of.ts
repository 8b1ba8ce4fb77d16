// Trees of commits, remembered: every attempt on one base asks for the same.
import type { EngineRepository } from '../engine/repository.ts'
import { inEngine } from '../engine/repository.ts'
import { GitFailure, git } from '../run/git.ts'
import { records } from '../run/path-bytes.ts'
import { objectInfo } from '../run/read-objects.ts'

const MAX_KNOWN = 10_000
const known = new WeakMap<EngineRepository, Map<string, string>>()

/** The tree of a commit; a tree is its own. */
export async function treeOf(engine: EngineRepository, commit: string): Promise<string> {
  const found = known.get(engine)?.get(commit)
  if (found !== undefined) return found
  const tree = (await objectInfo(engine, `${commit}^{tree}`))?.id
  if (tree === undefined) throw new GitFailure(['cat-file'], null, `${commit} is not there, or has no tree`)
  rememberTree(engine, commit, tree)
  return tree
}

export function rememberTree(engine: EngineRepository, commit: string, tree: string): void {
  const trees = known.get(engine) ?? new Map<string, string>()
  known.set(engine, trees)
  if (trees.size >= MAX_KNOWN) trees.clear()
  trees.set(commit, tree)
}

/** `path`: one character per byte. */
export async function treeEntries(
  engine: EngineRepository,
  commit: string,
): Promise<{ mode: string; id: string; path: string }[]> {
  const { stdout } = await git(['ls-tree', '-r', '-z', '--full-tree', commit], inEngine(engine))
  return records(stdout).map((record) => {
    const tab = record.indexOf('\t')
    const [mode = '', , id = ''] = record.slice(0, tab).split(' ')
    return { mode, id, path: record.slice(tab + 1) }
  })
}
