// What changed between two commits: counts, paths, and the submodules and symbolic links among them.
import type { DiffStat } from '../status.ts'
import { type EngineRepository, inEngine } from './engine-repository.ts'
import { SYMLINK } from './escaping-links.ts'
import { git } from './git.ts'
import { readable, records } from './path-bytes.ts'
import { GITLINK } from './worktree-changes.ts'

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
