// `.worktreeinclude`: untracked files of the user's checkout (such as `.env`) that are copied into every worktree. The
// file has git's ignore patterns. Nothing outside the repository is read or written: links that lead out stay behind.
import { constants, copyFile, lstat, mkdir, readlink, symlink } from 'node:fs/promises'
import { dirname, isAbsolute, join, normalize } from 'node:path'
import { isRealFolder } from '../../files/refuse-symlinks.ts'
import { asPerson, gitRecords } from '../run/git.ts'
import { readable } from '../run/path-bytes.ts'
import type { UserRepository } from './repository.ts'

/** Relative paths. Asked once per run: it walks the user's checkout. */
export async function listIncluded(repo: UserRepository): Promise<string[]> {
  const patterns = join(repo.top, '.worktreeinclude')
  if (repo.bare || !(await lstat(patterns).catch(() => null))?.isFile()) return []
  const args = ['ls-files', '-z', '--others', '--ignored', `--exclude-from=${patterns}`]
  const paths = (await gitRecords(args, asPerson(repo.top))).map(readable)
  // Names that are not UTF-8 would be copied under another name; nested repositories end in a slash.
  return paths.filter((path) => !path.endsWith('/') && !path.includes('\ufffd')).slice(0, MAX_FILES)
}

/** Copies files that the worktree does not have (a tracked file wins) and returns them. */
export async function copyIncluded(top: string, worktree: string, paths: readonly string[]): Promise<string[]> {
  const copied: string[] = []
  for (const path of paths) {
    if (await copyOne(top, worktree, path)) copied.push(path)
  }
  return copied
}

const MAX_FILES = 20_000

async function copyOne(top: string, worktree: string, path: string): Promise<boolean> {
  if (!staysInside(path)) return false
  const from = join(top, path)
  const to = join(worktree, path)
  const stat = await lstat(from).catch(() => null)
  if (!stat || !(await makeFolders(worktree, dirname(path)))) return false
  try {
    if (stat.isFile()) await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    else if (stat.isSymbolicLink()) {
      const target = await readlink(from)
      if (isAbsolute(target) || !staysInside(join(dirname(path), target))) return false
      await symlink(target, to)
    } else return false
    return true
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EEXIST' || code === 'ENOENT') return false
    throw error
  }
}

function staysInside(path: string): boolean {
  const normal = normalize(path)
  return !isAbsolute(normal) && normal !== '..' && !normal.startsWith('../') && !normal.split('/').includes('.git')
}

/** Like `mkdir -p` below the worktree; false if a symbolic link or a file is in the way. */
async function makeFolders(worktree: string, folder: string): Promise<boolean> {
  let path = worktree
  for (const name of folder.split('/')) {
    if (name === '.') continue
    path = join(path, name)
    await mkdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    if (!isRealFolder(path)) return false
  }
  return true
}
