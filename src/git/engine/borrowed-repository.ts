// A repository with the newest commit of another one, whose objects it borrows: whatever is done there, the other one does
// not notice.
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { git } from '../run/git.ts'
import type { UserRepository } from '../user/repository.ts'
import { alternatesFile, objectFolders } from './alternates.ts'

/** Without files: its one branch is where HEAD of the other is. `folder` is made. */
export async function borrowRepository(user: UserRepository, folder: string): Promise<void> {
  await git(['init', '-q', '-b', 'main', `--object-format=${user.objectFormat}`, '--', folder])
  const gitDir = join(folder, '.git')
  await writeFile(join(gitDir, 'objects', 'info', 'alternates'), alternatesFile(await objectFolders(user.objectsDir)))
  if (user.shallow) await copyFile(join(user.commonDir, 'shallow'), join(gitDir, 'shallow'))
  await git(['update-ref', 'refs/heads/main', user.head], { cwd: folder })
}
