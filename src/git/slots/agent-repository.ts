// The `.git` an agent gets: a repository of its own that borrows all objects, has one branch at the commit it starts
// from, and no remote, no hooks, no stash. Written as plain files in about a millisecond, and written anew for every
// attempt, so that nothing an earlier agent planted survives.
import { constants, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn } from '../../files/if-there.ts'
import { isRealFolder } from '../../files/refuse-symlinks.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { alternatesFile, formatConfig } from '../engine/engine-repository.ts'
import { COMMIT_PATTERN } from '../engine/ref-names.ts'
import { configLine } from '../user/config.ts'
import type { Slot } from './slot.ts'

type AgentRepository = {
  commit: string
  branch: string
  excludes: string
  /** Spares the repositories of submodules, which setup or this agent has made. */
  isSameAttempt: boolean
}

export async function writeAgentRepository(
  slot: Slot,
  { commit, branch, excludes, isSameAttempt }: AgentRepository,
): Promise<void> {
  if (!COMMIT_PATTERN.test(commit)) throw new Error(`not a commit: ${JSON.stringify(commit)}`)
  if (!BRANCH_PATTERN.test(branch)) throw new Error(`not a branch name: ${JSON.stringify(branch)}`)
  const { user, gitDir, objectFolders } = slot.engine
  const inGitFolder = (...names: string[]) => join(slot.path, '.git', ...names)
  // Through a link in place of a folder the repository of somebody else would be emptied.
  if (!isSameAttempt || !isRealFolder(slot.path, '.git/modules')) await removeOld(inGitFolder())
  else for (const name of namesIn(inGitFolder())) if (name !== 'modules') await removeTree(inGitFolder(name))
  // Synchronously: the thread pool takes ten times as long for these few files.
  for (const folder of ['objects/info', 'info', 'refs']) mkdirSync(inGitFolder(folder), { recursive: true })
  writeFileSync(inGitFolder('config'), agentConfig(slot))
  // In a file of its own the branch would need a folder for each part of its name.
  writeFileSync(inGitFolder('packed-refs'), `${commit} refs/heads/${branch}\n`)
  writeFileSync(inGitFolder('objects', 'info', 'alternates'), alternatesFile(objectFolders))
  writeFileSync(inGitFolder('info', 'exclude'), excludes)
  copyFileSync(slot.index, inGitFolder('index'), constants.COPYFILE_FICLONE)
  if (user.shallow) copyFileSync(join(gitDir, 'shallow'), inGitFolder('shallow'))
  writeFileSync(inGitFolder('HEAD'), `ref: refs/heads/${branch}\n`)
}

/** Usually it is small. One that an agent has filled must not hold up everything else. */
async function removeOld(path: string): Promise<void> {
  const isSmall = namesIn(path).every((name) => ORDINARY.has(name)) && namesIn(join(path, 'objects')).length < 20
  if (isSmall) rmSync(path, { recursive: true, force: true })
  else await removeTree(path)
}

const ORDINARY = new Set([
  'HEAD',
  'config',
  'index',
  'info',
  'objects',
  'refs',
  'packed-refs',
  'logs',
  'COMMIT_EDITMSG',
])

const BRANCH_PATTERN = /^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9-]*)*$/

function agentConfig(slot: Slot): string {
  const { user } = slot.engine
  return [
    formatConfig(user),
    `${configLine('bare', 'false')}${configLine('logAllRefUpdates', 'true')}`,
    `[user]\n${configLine('name', user.identity.name)}${configLine('email', user.identity.email)}`,
    `[commit]\n${configLine('gpgSign', 'false')}[tag]\n${configLine('gpgSign', 'false')}`,
    `[gc]\n${configLine('auto', '0')}[maintenance]\n${configLine('auto', 'false')}`,
  ].join('')
}
