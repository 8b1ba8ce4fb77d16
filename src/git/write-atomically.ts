import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'

/** Whoever reads the file sees the old text or the new one, also after a crash. Writes nothing if nothing changes. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => null)) === text) return
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  await writeFile(temporary, text)
  await rename(temporary, path)
}
