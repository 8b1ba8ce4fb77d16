// The one way a file of Espalier's own is replaced. Two others do more: a plan file of the user's keeps its owner and rights
// (engine/plan-file/replace-file-safely.ts), the lock of a process is written while its guard is held (process/lock.ts).
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * A reader of the file sees the old text or the new one, also after a kill. Only its owner may read it. Not synced to disk:
 * what must survive a power cut is in the store. At once: the thread pool takes ten times as long as such a small file.
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
  if (textOf(path) === text) return
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    writeFileSync(draft, text, { mode: 0o600 })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true }) // the disk is full, or a folder has that name
    throw error
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
