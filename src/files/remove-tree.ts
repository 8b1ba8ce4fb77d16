// Removes a folder whatever was done to it: symbolic links are removed, never followed, and folders without write
// permission (the module cache of Go is full of them) are made writable first. What lies too deep for a path of ours is
// left to `rm`, which goes from folder to folder.
import { execFile } from 'node:child_process'
import { chmod, lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

export async function removeTree(path: string): Promise<void> {
  const remove = () => rm(path, { recursive: true, force: true })
  try {
    await remove().catch(async (error: unknown) => {
      if (!isPermission(error)) throw error
      await makeWritable(path)
      await remove()
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENAMETOOLONG') throw error
    await promisify(execFile)('rm', ['-rf', '--', path])
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
