// What changed between two commits: counts, paths, and the submodules and symbolic links among them.
import type { DiffStat } from '../../status.ts'
import { type EngineRepository, inEngine } from '../engine/repository.ts'
import { gitText } from '../run/git.ts'
import { readable } from '../run/path-bytes.ts'
import { readObjects } from '../run/read-objects.ts'
import { GITLINK } from '../slots/worktree-changes.ts'
import { SYMLINK } from './escaping-links.ts'
import { countedChanges, type TreeChange, treeChanges } from './tree-changes.ts'

export type TreeDiff = {
  diff: DiffStat
  paths: string[]
  submodules: string[]
  /** True: a symbolic link was added, changed or removed. */
  links: boolean
}

export const NO_DIFF: TreeDiff = {
  diff: { files: 0, insertions: 0, deletions: 0 },
  paths: [],
  submodules: [],
  links: false,
}

export async function treeDiff(engine: EngineRepository, from: string, to: string): Promise<TreeDiff> {
  const { changes, insertions, deletions } = await countedChanges(engine, from, to)
  const isOf = (mode: string) => (change: TreeChange) => change.oldMode === mode || change.newMode === mode
  return {
    diff: { files: changes.length, insertions, deletions },
    paths: changes.map(({ path }) => readable(path)),
    submodules: changes.filter(isOf(GITLINK)).map(({ path }) => readable(path)),
    links: changes.some(isOf(SYMLINK)),
  }
}

// Which files are not the same in two commits, and the text of one.

export async function changedFiles(engine: EngineRepository, from: string, to: string): Promise<Set<string>> {
  return new Set((await treeChanges(engine, from, to)).map(({ path }) => readable(path)))
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
