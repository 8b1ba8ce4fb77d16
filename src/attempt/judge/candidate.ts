// The commit that is judged: the tree of a candidate with the evaluator's paths as they are at the root, on the root.
// It follows from the tree alone (its date is the root's), so two ways to the same files lead to the same commit. Files
// that the root ignores are made by setup and no part of a candidate: a committed file of node_modules would replace
// that of setup.

import { createHash } from 'node:crypto'
import { lstat, readdir } from 'node:fs/promises'
import { delimiter, isAbsolute, join, relative } from 'node:path'
import { LIMITS } from '../../config.ts'
import type { DiffStat } from '../../event.ts'
import { type EngineRepository, inEngine } from '../../git/engine/engine-repository.ts'
import { keepRef } from '../../git/engine/ref-file.ts'
import { attemptRef } from '../../git/engine/ref-names.ts'
import { writeCommit } from '../../git/engine/write-object.ts'
import { gitText } from '../../git/run/git.ts'
import { readable } from '../../git/run/path-bytes.ts'
import { SYMLINK } from '../../git/trees/escaping-links.ts'
import { ignoredPaths } from '../../git/trees/ignored-paths.ts'
import { restoredTree, treeChanges, treeDiff } from '../../git/trees/tree-changes.ts'
import { treeOf } from '../../git/trees/tree-of.ts'
import { pathList } from '../../scheduler/claims/touched-paths.ts'
import type { AttemptFinished, AttemptOrder, SearchOrder } from '../attempt-order.ts'
import { matcher } from '../inspect-work.ts'

export type JudgedCommit = {
  commit: string
  tree: string
  /** Paths of the evaluator that the candidate had changed. */
  restored: string[]
  /** Against the node it comes from. */
  diff: DiffStat | null
}

export function restoredPaths(restored: readonly string[]): Pick<AttemptFinished, 'flagged'> {
  if (restored.length === 0) return {}
  return { flagged: pathList(restored, LIMITS.failurePaths) }
}

export async function judgedCommit(
  { order, slot: { engine } }: { order: AttemptOrder; slot: { engine: EngineRepository } },
  judge: Extract<SearchOrder, { role: 'judge' }>,
): Promise<JudgedCommit> {
  const { base: work, runBase: root, run, task, attempt } = order
  const isProtected = matcher(judge.protected)
  const ignored = await ignoredInRoot(engine, root, work)
  const isRestored = (path: string) => isProtected(path) || ignored.has(path)
  const { tree, paths } = await restoredTree(engine, { work, root, isRestored })
  if (judge.parent === null || tree === (await treeOf(engine, root)))
    return { commit: root, tree, restored: paths, diff: null }
  const message = `${judge.objective.split('\n', 1)[0]}\n\nA candidate of a search.\n`
  const commit = writeCommit(engine, { tree, parents: [root], message, date: await dateOf(engine, root) })
  await keepRef(engine, { ref: attemptRef(run, task.id, attempt), to: commit, message: `judge ${task.id}` })
  return { commit, tree, restored: paths, diff: (await treeDiff(engine, judge.parent, commit)).diff }
}

/** Paths that the candidate added and the root ignores. A link counts as the folder it would stand for. */
async function ignoredInRoot(engine: EngineRepository, root: string, work: string): Promise<Set<string>> {
  const added = (await treeChanges(engine, root, work)).filter(({ oldMode }) => Number(oldMode) === 0)
  const asked = new Map(added.map(({ path, newMode }) => [newMode === SYMLINK ? `${path}/x` : path, path]))
  const ignored = await ignoredPaths(engine, root, [...asked.keys()])
  return new Set([...ignored].map((path) => readable(asked.get(path) ?? path)))
}

async function dateOf(engine: EngineRepository, commit: string): Promise<string> {
  return (await gitText(['log', '-1', '--format=%cd', '--date=raw', commit], inEngine(engine))).trim()
}

/**
 * The PATH without relative folders and those of the repository and its worktrees: a candidate could put programs
 * there.
 */
export function judgePath(path: string, folders: readonly string[]): string {
  const isInside = (entry: string) =>
    folders.some((folder) => {
      const way = relative(folder, entry)
      return way === '' || (!way.startsWith('..') && !isAbsolute(way))
    })
  return path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && !isInside(entry))
    .join(delimiter)
}

/** Differs if anything below these paths was changed, also if size and time of a file were put back. */
export async function fingerprintOfFiles(folder: string, paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  const walk = async (path: string): Promise<void> => {
    const found = await lstat(join(folder, path), { bigint: true }).catch(() => null)
    if (!found) return void hash.update(`${path}\0gone\0`)
    const isFolder = found.isDirectory()
    // The time of a folder changes with every cache that is made and removed in it: only its content counts.
    const state = isFolder ? '' : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`
    hash.update(`${path}\0${found.mode} ${state}\0`)
    if (isFolder) for (const name of (await readdir(join(folder, path))).sort()) await walk(join(path, name))
  }
  for (const path of [...paths].sort()) await walk(path)
  return hash.digest('hex')
}
