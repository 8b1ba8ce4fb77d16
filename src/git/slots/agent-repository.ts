// The `.git` an agent gets: a repository of its own that borrows all objects, has one branch at the commit it starts
// from, and no remote, no hooks, no stash. Written as plain files in about a millisecond, and written anew for every
// attempt, so that nothing an earlier agent planted survives.
import { constants, copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { removeTree } from '../../files/remove-tree.ts'
import { alternatesFile } from '../engine/alternates.ts'
import { COMMIT_PATTERN } from '../engine/refs.ts'
import { formatConfig } from '../engine/repository.ts'
import { configLine } from '../user/config.ts'
import type { Slot } from './slot.ts'

export async function writeAgentRepository(
  slot: Slot,
  { commit, branch, excludes }: { commit: string; branch: string; excludes: string },
): Promise<void> {
  if (!COMMIT_PATTERN.test(commit)) throw new Error(`not a commit: ${JSON.stringify(commit)}`)
  if (!BRANCH_PATTERN.test(branch)) throw new Error(`not a branch name: ${JSON.stringify(branch)}`)
  const { user, gitDir, objectFolders } = slot.engine
  const at = (...names: string[]) => join(slot.path, '.git', ...names)
  await removeTree(at())
  const ref = join('refs', 'heads', ...branch.split('/'))
  const folders = ['objects/info', 'objects/pack', 'info', 'refs/tags', dirname(ref)]
  await Promise.all(folders.map((folder) => mkdir(at(folder), { recursive: true })))
  await Promise.all([
    writeFile(at('config'), agentConfig(slot)),
    writeFile(at(ref), `${commit}\n`),
    writeFile(at('objects', 'info', 'alternates'), alternatesFile(objectFolders)),
    writeFile(at('info', 'exclude'), excludes),
    copyFile(slot.index, at('index'), constants.COPYFILE_FICLONE),
    user.shallow ? copyFile(join(gitDir, 'shallow'), at('shallow')) : null,
  ])
  await writeFile(at('HEAD'), `ref: refs/heads/${branch}\n`)
}

const BRANCH_PATTERN = /^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9-]*)*$/

function agentConfig(slot: Slot): string {
  const { user } = slot.engine
  return [
    formatConfig(user),
    `${configLine('bare', 'false')}${configLine('logAllRefUpdates', 'true')}`,
    `[user]\n${configLine('name', user.identity.name)}${configLine('email', user.identity.email)}`,
    // An agent cannot answer the question of a signing key.
    `[commit]\n${configLine('gpgSign', 'false')}[tag]\n${configLine('gpgSign', 'false')}`,
    `[gc]\n${configLine('auto', '0')}[maintenance]\n${configLine('auto', 'false')}`,
  ].join('')
}
