import { lstatSync } from 'node:fs'
import { join } from 'node:path'

/** True if the path below `root` leads through real folders only, and is one: no symbolic link, nothing missing. */
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
  } catch {
    return false // it is not there, or may not be looked at
  }
}
