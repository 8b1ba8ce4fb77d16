import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Whoever reads the file sees the old text or the new one, also after a crash. Writes nothing if nothing changes. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => null)) === text) return
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  await writeFile(temporary, text)
  await rename(temporary, path)
}

// A small file beside a run, replaced as a whole: whoever reads it, or dies while writing it, leaves the old one or the new.

export async function keepFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(`${file}.tmp`, text, { mode: 0o600 })
  await rename(`${file}.tmp`, file)
}
