import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type EngineRepository, inEngine } from '../engine/repository.ts'
import { git, gitText } from '../run/git.ts'
import { readable, records } from '../run/path-bytes.ts'
import { treeChanges } from './tree-changes.ts'
import { treeOf } from './tree-of.ts'

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
  const index = join(engine.stateDir, `restoring-${randomUUID()}.index`)
  const options = { ...inEngine(engine), index }
  try {
    await git(['read-tree', work], options)
    const before = await entriesAt(engine, root)
    const none = '0'.repeat(work.length)
    const gone = changed.map(({ path }) => `0 ${none}\t${path}\0`)
    const back = changed.flatMap(({ path }) => before.get(path) ?? []).map((entry) => `${entry}\0`)
    const input = Buffer.from([...gone, ...back].join(''), 'latin1')
    await git(['update-index', '--replace', '-z', '--index-info'], { ...options, input })
    const tree = (await gitText(['write-tree'], options)).trim()
    return { tree, paths: changed.map(({ path }) => readable(path)) }
  } finally {
    for (const path of [index, `${index}.lock`]) await rm(path, { force: true })
  }
}

/** `100644 blob <id>\tpath`, by path, one character per byte. */
async function entriesAt(engine: EngineRepository, commit: string): Promise<Map<string, string>> {
  const { stdout } = await git(['ls-tree', '-r', '-z', commit], inEngine(engine))
  return new Map(records(stdout).map((entry) => [entry.slice(entry.indexOf('\t') + 1), entry]))
}
