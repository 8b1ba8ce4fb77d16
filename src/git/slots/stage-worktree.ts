// Differences between a slot's files and the engine's index of it, and bringing the index up to date.
//
// `git add -A` does both, but it runs `git status` inside every populated submodule that the index has, with the
// configuration found there: an agent's. So it is only for an index without submodules. The plumbing commands look at a
// submodule's HEAD at most.
import { copyFile, lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeWritable } from '../../files/remove-tree.ts'
import { GitFailure, git, gitText } from '../run/git.ts'
import { isDiskTrouble } from '../run/machine-trouble.ts'
import { bytes, joined, readable, records } from '../run/path-bytes.ts'
import { type IndexFile, readIndexFile } from './index-file.ts'
import { inSlot, type Slot } from './slot.ts'

/**
 * Stages all in one step, for an index without submodules. Null: something needs a closer look (a nested repository, a
 * named pipe in place of a file, a closed folder), and the index is to be made again.
 */
export async function stageAll(slot: Slot): Promise<IndexFile | null> {
  try {
    const added = await git(['-c', `core.excludesFile=${slot.exclude}`, 'add', '-A'], inSlot(slot))
    const index = cannotOpen(added) ? null : readIndexFile(slot)
    return index?.submodules.length === 0 ? index : null
  } catch (error) {
    if (error instanceof GitFailure && !isDiskTrouble(error)) return null
    throw error
  }
}

/** Throws if some files cannot be looked at. */
export async function findChanges(slot: Slot) {
  let [tracked, untracked] = await lookAt(slot)
  if (cannotOpen(untracked)) {
    // An agent may have closed a folder to everybody, itself included. Git then goes on as if it were empty.
    await makeWritable(slot.path)
    ;[tracked, untracked] = await lookAt(slot)
    if (cannotOpen(untracked)) throw new GitFailure(['ls-files'], untracked.code, untracked.stderr)
  }
  const changes = {
    /** Changed or new (one character per byte). */
    present: [] as string[],
    gone: [] as string[],
    /** Submodules that became something else, and new nested repositories. Submodules that moved: see submodules.ts. */
    submodules: [] as string[],
    /** Files of the nested repositories: kept even though they do not land. */
    nested: [] as string[],
  }
  const raw = records(tracked.stdout)
  const emptied: string[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const [oldMode, newMode, , , status] = (raw[i] as string).slice(1).split(' ')
    const path = raw[i + 1] as string
    // A submodule's folder is empty in our worktrees: that it is missing says nothing.
    if (oldMode === GITLINK && status === 'D') emptied.push(path)
    else if (oldMode === GITLINK && newMode === GITLINK) continue
    else if (oldMode === GITLINK || newMode === GITLINK) changes.submodules.push(path)
    else if (status === 'D') changes.gone.push(path)
    else if (await isStorable(slot, path)) changes.present.push(path)
    else changes.gone.push(path)
  }
  for (const path of records(untracked.stdout)) {
    if (!path.endsWith('/')) changes.present.push(path)
    else {
      changes.submodules.push(path.slice(0, -1))
      await listNested(slot, path.slice(0, -1), changes.nested)
    }
  }
  if ([...changes.present, ...changes.gone].includes('.gitmodules')) changes.submodules.push(...emptied)
  return changes
}

async function lookAt(slot: Slot) {
  return Promise.all([
    git(['diff-files', '--raw', '-z', '--no-renames', '--ignore-submodules=dirty'], inSlot(slot)),
    git(['-c', `core.excludesFile=${slot.exclude}`, 'ls-files', '-z', '--others', '--exclude-standard'], inSlot(slot)),
  ])
}

/** Git only warns, and ends with 0. */
function cannotOpen({ stderr }: { stderr: string }): boolean {
  return stderr.includes('could not open directory')
}

/** The tree of the index with these files added, without changing the index. */
export async function treeWith(slot: Slot, files: readonly string[]): Promise<string> {
  if (files.length === 0) return gitText(['write-tree'], inSlot(slot))
  const other: Slot = { ...slot, index: `${slot.index}.kept` }
  try {
    await copyFile(slot.index, other.index)
    await stage(other, files, [])
    return await gitText(['write-tree'], inSlot(other))
  } finally {
    await rm(other.index, { force: true })
  }
}

/** Returns paths that git does not store, because another system would take them for its own: `.GIT/x`, `git~1/x`. */
export async function stage(slot: Slot, present: readonly string[], gone: readonly string[]): Promise<string[]> {
  if (gone.length > 0) {
    await git(['update-index', '-z', '--force-remove', '--stdin'], { ...inSlot(slot), input: joined(gone) })
  }
  if (present.length > 0) {
    const args = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin']
    const { stderr } = await git(args, { ...inSlot(slot), input: joined(present) })
    return [...stderr.matchAll(/^Ignoring path (.+)$/gm)].map(([, path = '']) => path)
  }
  return []
}

/** Stages commits of submodules without a look at what is checked out there. */
export async function stagePointers(slot: Slot, pointers: readonly { path: string; commit: string }[]): Promise<void> {
  if (pointers.length === 0) return
  const input = joined(pointers.map(({ path, commit }) => `${GITLINK} ${commit} 0\t${path}`))
  await git(['update-index', '--replace', '-z', '--index-info'], { ...inSlot(slot), input })
}

export const GITLINK = '160000'
const MAX_NESTED_FILES = 50_000

/** Git stores files and symbolic links; a named pipe or socket in place of a file means that the file is gone. */
async function isStorable(slot: Slot, path: string): Promise<boolean> {
  const stat = await lstat(onDisk(slot, path)).catch(() => null)
  return stat === null || stat.isFile() || stat.isSymbolicLink() || stat.isDirectory()
}

/** Its folder is a real one. */
export async function listNested(slot: Slot, folder: string, into: string[]): Promise<void> {
  for (const entry of await readdir(onDisk(slot, folder), { withFileTypes: true, encoding: 'buffer' })) {
    const name = entry.name.toString('latin1')
    if (name.toLowerCase() === '.git' || into.length >= MAX_NESTED_FILES) continue
    if (entry.isDirectory()) await listNested(slot, `${folder}/${name}`, into)
    else if (entry.isFile() || entry.isSymbolicLink()) into.push(`${folder}/${name}`)
  }
}

function onDisk(slot: Slot, path: string): Buffer | string {
  return readable(path).includes('\ufffd')
    ? Buffer.concat([Buffer.from(`${slot.path}/`), bytes(path)])
    : join(slot.path, readable(path))
}
