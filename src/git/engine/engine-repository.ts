// The engine's private repository, `<state>/engine.git`: bare, borrows the user's objects, and has a configuration that
// nobody but us writes, so that nothing an agent or the user configures can change what lands.
// Opening is idempotent and takes no git process; two may open it at once. It never writes to the user's repository.
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { namesIn } from '../../files/if-there.ts'
import { type SealKey, sealKey } from '../../files/sealed.ts'
import { writeAtomically } from '../../files/write-atomically.ts'
import { type GitOptions, git } from '../run/git.ts'
import { configLine } from '../user/config.ts'
import type { UserRepository } from '../user/repository.ts'

export type EngineRepository = {
  stateDir: string
  gitDir: string
  user: UserRepository
  objectFolders: string[]
  /** A bare repository that other coordinators reach too (shared-repository.ts); null: none. */
  shared: string | null
  /** Seals the engine's notes on disk. */
  key: SealKey
}

export async function openEngineRepository(
  stateDir: string,
  user: UserRepository,
  shared: string | null = null,
): Promise<EngineRepository> {
  const gitDir = join(stateDir, 'engine.git')
  const borrowed = await objectFolders(user.objectsDir)
  if (!['HEAD', 'objects'].every((name) => existsSync(join(gitDir, name)))) await forgetIndexes(stateDir)
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'info']) {
    await mkdir(join(gitDir, folder), { recursive: true })
  }
  await writeAtomically(join(gitDir, 'objects', 'info', 'alternates'), alternatesFile(borrowed))
  await writeAtomically(join(gitDir, 'config'), engineConfig(user))
  if (user.shallow) await copyFile(join(user.commonDir, 'shallow'), join(gitDir, 'shallow'))
  else await rm(join(gitDir, 'shallow'), { force: true })
  // Last: this is what makes the folder a repository.
  await writeAtomically(join(gitDir, 'HEAD'), 'ref: refs/heads/none\n')
  const key = sealKey(join(stateDir, 'key'))
  return { stateDir, gitDir, user, objectFolders: [join(gitDir, 'objects'), ...borrowed], shared, key }
}

/** Removes the indexes of worktrees, which name files that a removed repository had: they are made again, from the files. */
export async function forgetIndexes(stateDir: string): Promise<void> {
  const names = namesIn(join(stateDir, 'slots')).filter((name) => name.endsWith('.index'))
  await Promise.all(names.map((name) => rm(join(stateDir, 'slots', name), { force: true })))
}

/** Removes locks that an engine left when it was killed. Only for the one engine that holds the lock. */
export async function removeStaleLocks(engine: EngineRepository): Promise<string[]> {
  const names = await readdir(join(engine.gitDir, 'refs'), { recursive: true })
  const locks = names.filter((name) => name.endsWith('.lock')).map((name) => join('refs', name))
  const all = [...locks, 'packed-refs.lock', 'HEAD.lock', 'config.lock']
  await Promise.all(all.map((name) => rm(join(engine.gitDir, name), { force: true })))
  return locks
}

export function inEngine(engine: EngineRepository): GitOptions {
  return { gitDir: engine.gitDir, cwd: engine.gitDir }
}

/** Object format and looks of files, shared with the repositories that agents get. */
export function formatConfig(user: UserRepository): string {
  const sha256 = user.objectFormat === 'sha256'
  const checkout = Object.entries(user.checkout).map(([key, value]) => configLine(key, value))
  return [
    sha256 ? `[extensions]\n${configLine('objectFormat', 'sha256')}` : '',
    `[core]\n${configLine('repositoryFormatVersion', sha256 ? '1' : '0')}`,
    ...checkout,
    // With core.safecrlf=true git would refuse files whose line ends do not survive a round trip.
    configLine('safecrlf', 'false'),
  ].join('')
}

function engineConfig(user: UserRepository): string {
  const sections: Record<string, Record<string, string>> = {
    core: {
      bare: 'true',
      logAllRefUpdates: 'true',
      hooksPath: '/dev/null',
      attributesFile: '/dev/null',
      excludesFile: '/dev/null',
      fsmonitor: 'false',
      untrackedCache: 'false',
      splitIndex: 'false',
      filesRefLockTimeout: '10000',
      packedRefsTimeout: '10000',
    },
    gc: { auto: '0' },
    maintenance: { auto: 'false' },
    // Below that many files the workers cost more than they save, and several slots are filled at once anyway.
    checkout: { workers: '4', thresholdForParallelism: '2000' },
    // A landing may change no path its task did not change (G3). Following a rename would write to the new name, which
    // the task never touched; without it the merge is a conflict, and the task runs again on the new base. Git before
    // 2.50 follows renames of files all the same: landing.ts turns that into the same conflict.
    merge: { renames: 'false', directoryRenames: 'false' },
    diff: { renames: 'false', ignoreSubmodules: 'dirty' },
    submodule: { recurse: 'false' },
  }
  const text = Object.entries(sections).map(
    ([name, values]) =>
      `[${name}]\n${Object.entries(values)
        .map(([key, value]) => configLine(key, value))
        .join('')}`,
  )
  return formatConfig(user) + text.join('')
}

// Borrowing objects of another repository: `objects/info/alternates`.

/** The folder and all folders it borrows from, so that one level of borrowing is enough. */
async function objectFolders(objectsDir: string): Promise<string[]> {
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
