// Trees of commits, remembered: every attempt on one base asks for the same.
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type EngineRepository, inEngine } from '../engine/engine-repository.ts'
import { GitFailure, git, gitRecords, gitText, LITERAL } from '../run/git.ts'
import { joined } from '../run/path-bytes.ts'
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
type TreeEntry = { mode: string; id: string; path: string }

/** `paths`: at most MAX_PATHSPECS; default: all. */
export async function treeEntries(
  engine: EngineRepository,
  commit: string,
  paths: readonly string[] = [],
): Promise<TreeEntry[]> {
  const args = ['ls-tree', '-r', '-z', '--full-tree', commit, '--', ...paths]
  const records = await gitRecords(args, { ...inEngine(engine), env: LITERAL })
  return records.map((record) => {
    const tab = record.indexOf('\t')
    const [mode = '', , id = ''] = record.slice(0, tab).split(' ')
    return { mode, id, path: record.slice(tab + 1) }
  })
}

/** The tree with these entries in place of its own. An entry of mode 0 removes its path. */
export async function treeWithEntries(
  engine: EngineRepository,
  tree: string,
  entries: readonly TreeEntry[],
): Promise<string> {
  const index = join(engine.gitDir, `entries-${randomUUID()}.index`)
  const options = { ...inEngine(engine), index }
  const input = joined(entries.map(({ mode, id, path }) => `${mode} ${id} 0\t${path}`))
  try {
    await git(['read-tree', tree], options)
    await git(['update-index', '--replace', '-z', '--index-info'], { ...options, input })
    return await gitText(['write-tree'], options)
  } finally {
    for (const path of [index, `${index}.lock`]) await rm(path, { force: true })
  }
}
