// Trouble of the engine's own repository: it was removed, or a folder of it takes no objects or refs. What git says then often
// names no path, so it looks like trouble of the worktree that git was at work on, and would be charged to its task.
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { namesIn } from '../../files/if-there.ts'
import { shellWord } from '../../text/shell-word.ts'
import { DiskTrouble, isMachineTrouble } from '../run/machine-trouble.ts'

type Place = { gitDir: string }

/** Null: everything in it can be written, as far as the rights on its folders tell. Writes nothing. */
export function engineTrouble({ gitDir }: Place): DiskTrouble | null {
  for (const { path, isRequired } of writtenFolders(gitDir)) {
    try {
      // The dot makes the system refuse whatever is no folder. It also refuses to root what is immutable.
      accessSync(`${path}/.`, constants.W_OK | constants.X_OK)
    } catch (error) {
      const code = String((error as NodeJS.ErrnoException).code)
      if (code !== 'ENOENT') return new DiskTrouble(`${path} cannot be written (${code})`, adviceFor(code, gitDir))
      if (isRequired) return new DiskTrouble(`${path} was removed`, 'it is made again when you resume')
    }
  }
  return null
}

export function throwEngineTrouble(engine: Place): void {
  const trouble = engineTrouble(engine)
  if (trouble !== null) throw trouble
}

/** Does `work`; an error that comes from trouble of the engine's repository is thrown as that. */
export async function namingEngineTrouble<T>(engine: Place, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isMachineTrouble(error)) throwEngineTrouble(engine)
    throw error
  }
}

/** The folders of single tasks are left out: there may be a hundred thousand. */
function* writtenFolders(gitDir: string): Generator<{ path: string; isRequired: boolean }> {
  for (const name of ['.', 'objects', 'refs']) yield { path: join(gitDir, name), isRequired: true }
  const objects = namesIn(join(gitDir, 'objects')).filter((name) => name === 'pack' || /^[0-9a-f]{2}$/.test(name))
  const refs = ['heads', 'heads/espalier', 'espalier', 'espalier/runs']
  const runs = namesIn(join(gitDir, 'refs/espalier/runs')).map((run) => `espalier/runs/${run}`)
  const optional = [
    ...objects.map((name) => `objects/${name}`),
    ...[...refs, ...runs].flatMap((name) => [`refs/${name}`, `logs/refs/${name}`]),
  ]
  for (const name of optional) yield { path: join(gitDir, name), isRequired: false }
}

function adviceFor(code: string, gitDir: string): string {
  const word = shellWord(gitDir)
  if (code === 'EROFS') return 'make that disk writable'
  if (code === 'EPERM') return `if it is immutable, \`sudo chattr -R -i ${word}\` changes that`
  if (code === 'ENOTDIR') return 'it is no folder: remove it'
  return `\`sudo chown -R "$(id -un)" ${word} && chmod -R u+rwX ${word}\` gives it back to you`
}
