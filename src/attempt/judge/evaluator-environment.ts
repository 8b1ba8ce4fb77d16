// What a judged candidate could reach the evaluator through besides its own files: programs on the PATH, and what setup has made.
import { createHash } from 'node:crypto'
import { lstat, readdir } from 'node:fs/promises'
import { delimiter, isAbsolute, join, relative } from 'node:path'

/** Without folders of the repository and of its worktrees, and without relative ones: a candidate could put programs there. */
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

/** Differs when something below these paths was changed, also where that put size and time of a file back. */
export async function fingerprintOfFiles(folder: string, paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  const walk = async (path: string): Promise<void> => {
    const found = await lstat(join(folder, path), { bigint: true }).catch(() => null)
    if (!found) return void hash.update(`${path}\0gone\0`)
    const isFolder = found.isDirectory()
    // The time of a folder changes with every cache that is made and removed in it: what is in it is what counts.
    const state = isFolder ? '' : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`
    hash.update(`${path}\0${found.mode} ${state}\0`)
    if (isFolder) for (const name of (await readdir(join(folder, path))).sort()) await walk(join(path, name))
  }
  for (const path of [...paths].sort()) await walk(path)
  return hash.digest('hex')
}
