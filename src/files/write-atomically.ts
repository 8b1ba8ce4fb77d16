import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Whoever reads the file sees the old text or the new one, also after a crash. Writes nothing if nothing changes. At once:
 * the thread pool takes ten times as long as such a small file.
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
  if (textOf(path) === text) return
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  writeFileSync(temporary, text)
  renameSync(temporary, path)
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

// A small file beside a run, replaced as a whole: whoever reads it, or dies while writing it, leaves the old one or the new.

export async function keepFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(`${file}.tmp`, text, { mode: 0o600 })
  await rename(`${file}.tmp`, file)
}
