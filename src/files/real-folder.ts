import { lstat } from 'node:fs/promises'
import { join } from 'node:path'

/** True if the path below `root` leads through real folders only, and is one: no symbolic link, nothing missing. */
export async function isRealFolder(root: string, path = ''): Promise<boolean> {
  let folder = root
  for (const name of ['', ...path.split('/')]) {
    folder = join(folder, name)
    if (!(await lstat(folder).catch(() => null))?.isDirectory()) return false
  }
  return true
}
