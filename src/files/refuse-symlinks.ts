import { lstatSync } from 'node:fs'
import { join } from 'node:path'

/**
 * True if the path below `root` leads through real folders only, and is one: no symbolic link, nothing missing, nothing
 * that may not be looked at.
 */
export function isRealFolder(root: string, path = ''): boolean {
  let folder = root
  for (const name of ['', ...path.split('/')]) {
    folder = join(folder, name)
    if (!isFolder(folder)) return false
  }
  return true
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory()
  } catch (error) {
    if (saysOfFile(error)) return false
    throw error
  }
}

/** Whether the system says something of the file itself, and not that it could not look just now. */
export function saysOfFile(error: unknown): boolean {
  return OF_FILE.has(String((error as NodeJS.ErrnoException).code))
}

const OF_FILE = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG', 'ENXIO', 'EACCES', 'EPERM'])

/** Kind of the path itself, links not followed. Throws if the system does not tell: such a path may still be there. */
export function kindOf(path: string): 'folder' | 'other' | 'nothing' {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return 'nothing'
  return stat.isDirectory() ? 'folder' : 'other'
}
