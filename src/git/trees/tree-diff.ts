// What changed between two commits: counts, paths, and the submodules and symbolic links among them.
import type { DiffStat } from '../../status.ts'
import { type EngineRepository, inEngine } from '../engine/repository.ts'
import { git, gitText } from '../run/git.ts'
import { readable, records } from '../run/path-bytes.ts'
import { readObjects } from '../run/read-objects.ts'
import { GITLINK } from '../slots/worktree-changes.ts'
import { SYMLINK } from './escaping-links.ts'

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
  const args = ['diff-tree', '-r', '-z', '--raw', '--numstat', '--no-renames', from, to]
  const output = records((await git(args, inEngine(engine))).stdout)
  const paths: string[] = []
  const submodules: string[] = []
  let links = false
  const diff = { files: 0, insertions: 0, deletions: 0 }
  for (let i = 0; i < output.length; i++) {
    const record = output[i] as string
    if (record.startsWith(':')) {
      const path = readable(output[++i] ?? '')
      const [oldMode, newMode] = record.slice(1).split(' ')
      if (oldMode === GITLINK || newMode === GITLINK) submodules.push(path)
      if (oldMode === SYMLINK || newMode === SYMLINK) links = true
      paths.push(path)
    } else {
      // Binary files count as `-`.
      const [insertions, deletions] = record.split('\t')
      diff.files++
      diff.insertions += Number(insertions) || 0
      diff.deletions += Number(deletions) || 0
    }
  }
  return { diff, paths, submodules, links }
}

// Which files are not the same in two commits, and the text of one.

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
