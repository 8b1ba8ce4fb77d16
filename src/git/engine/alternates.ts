// Borrowing objects of another repository: `objects/info/alternates`.
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { git } from '../run/git.ts'
import type { UserRepository } from '../user/repository.ts'

/** The folder and all folders it borrows from, so that one level of borrowing is enough. */
export async function objectFolders(objectsDir: string): Promise<string[]> {
  const found = new Set<string>()
  const waiting = [objectsDir]
  while (waiting.length > 0 && found.size < MAX_FOLDERS) {
    const folder = waiting.shift() as string
    if (found.has(folder)) continue
    found.add(folder)
    const text = await readFile(join(folder, 'info', 'alternates'), 'utf8').catch(() => '')
    for (const line of text.split('\n')) {
      if (line === '' || line.startsWith('#')) continue
      const path = unquoted(line)
      waiting.push(isAbsolute(path) ? path : resolve(folder, path))
    }
  }
  return [...found]
}

export function alternatesFile(folders: readonly string[]): string {
  return folders.map((folder) => `${quoted(folder)}\n`).join('')
}

/** Quotes a path as C does, also for GIT_ALTERNATE_OBJECT_DIRECTORIES. */
export function quotedAlways(path: string): string {
  return `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`
}

const MAX_FOLDERS = 100

function quoted(path: string): string {
  return /^["#]|\n/.test(path) ? quotedAlways(path) : path
}

function unquoted(line: string): string {
  if (!line.startsWith('"') || !line.endsWith('"')) return line
  return line.slice(1, -1).replace(/\\([\\"n])/g, (_, char: string) => (char === 'n' ? '\n' : char))
}

/** Makes a repository without files in `folder`; its one branch is at the HEAD of the user's. */
export async function borrowRepository(user: UserRepository, folder: string): Promise<void> {
  await git(['init', '-q', '-b', 'main', `--object-format=${user.objectFormat}`, '--', folder])
  const gitDir = join(folder, '.git')
  await writeFile(join(gitDir, 'objects', 'info', 'alternates'), alternatesFile(await objectFolders(user.objectsDir)))
  if (user.shallow) await copyFile(join(user.commonDir, 'shallow'), join(gitDir, 'shallow'))
  await git(['update-ref', 'refs/heads/main', user.head], { cwd: folder })
}
