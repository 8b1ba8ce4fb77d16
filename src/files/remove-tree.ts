// Removes a folder whatever was done to it: symbolic links are removed, never followed, and folders without write
// permission (the module cache of Go is full of them) are made writable first.
import { chmod, lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch (error) {
    if (!isPermission(error)) throw error
    await makeWritable(path)
    await rm(path, { recursive: true, force: true })
  }
}

export async function makeWritable(folder: string): Promise<void> {
  const stat = await lstat(folder).catch(() => null)
  if (!stat?.isDirectory()) return
  if ((stat.mode & 0o700) !== 0o700) await chmod(folder, stat.mode | 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name))
  }
}

function isPermission(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'EACCES' || code === 'EPERM' || code === 'ENOTEMPTY'
}
