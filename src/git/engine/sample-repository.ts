// A throw-away repository for the demo and the documentation's examples.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { git, gitText } from '../run/git.ts'

const IDENTITY = ['-c', 'user.name=Espalier demo', '-c', 'user.email=demo@localhost']

export async function createSampleRepository(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const inFolder = { cwd: folder }
  await git(['init', '-q', '-b', 'main'], inFolder)
  await git(['add', '-A'], inFolder)
  await git([...IDENTITY, 'commit', '-q', '-m', 'A small repository to work on'], inFolder)
  await git(['config', 'user.name', 'Espalier demo'], inFolder)
  await git(['config', 'user.email', 'demo@localhost'], inFolder)
}

export async function landedLog(folder: string, branch: string): Promise<string> {
  return gitText(['log', '--first-parent', '--format=%h %s', branch, '--'], { cwd: folder })
}
