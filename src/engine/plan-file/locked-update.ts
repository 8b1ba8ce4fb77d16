// Changes a file that others may be changing: under its lock a new one is written beside it, and renamed over it if it
// is still what was read. Promised: nothing is lost that others write under a lock that excludes ours (lock.ts), or have
// written by the last look. Tolerated: an edit in the microseconds between that look and the rename is lost.
import { access, constants, type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LIMITS } from '../../config.ts'
import type { Problem, Result } from '../../problem.ts'
import { clearScratch, lockPlanFile, type PlanFileLock, scratchName } from './lock.ts'

export type FileUpdate = {
  lock: 'file' | 'folder'
  waitMs: number
  /** The new text, or the same. Called again where the file changed meanwhile. */
  edit(text: string): Result<string>
}

/** Why it could not be done; null where the file is as it should be. */
export async function updateFile(path: string, update: FileUpdate): Promise<string | null> {
  try {
    // The file behind a link, so that the link stays one.
    const file = await realpath(path)
    // Most of the time there is nothing to do, and nobody has to wait for that.
    const looked = await read(file)
    const edited = typeof looked === 'string' ? null : update.edit(looked.text)
    if (typeof looked !== 'string' && edited?.ok && edited.value === looked.text) return null
    if (await isReadOnly(file)) return READ_ONLY
    const lock = await lockPlanFile(file, update.lock, update.waitMs)
    if (!lock) return `somebody else has ${file}.lock`
    await using held = lock
    await clearScratch(file)
    return await updateLocked(file, update, held)
  } catch (error) {
    // Nothing about this file may end a run.
    const { code, message } = error as NodeJS.ErrnoException
    return TROUBLES[code ?? ''] ?? message
  }
}

const GONE = 'it is not there any more'
const TROUBLES: Record<string, string> = { ENOENT: GONE, ENOTDIR: GONE, ELOOP: 'its symbolic links lead in a circle' }

const READ_ONLY = 'it is read-only'

/** A rename would replace it all the same, and root may write anything; but whoever made it so means: keep off. */
async function isReadOnly(file: string): Promise<boolean> {
  const { mode } = await stat(file)
  if ((mode & 0o222) === 0) return true
  return await access(file, constants.W_OK).then(
    () => false,
    () => true,
  )
}

const TRIES = 10

async function updateLocked(file: string, { edit }: FileUpdate, lock: PlanFileLock): Promise<string | null> {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await read(file)
    if (typeof before === 'string') return before
    const edited = edit(before.text)
    if (!edited.ok) return edited.problems.map(inTheFile)[0] ?? 'it cannot be read'
    if (edited.value === before.text) return null
    if (await isReadOnly(file)) return READ_ONLY
    const draft = scratchName(file)
    try {
      await writeDraft(draft, edited.value, file)
      const now = await read(file)
      if (typeof now === 'string' || !now.bytes.equals(before.bytes)) continue
      if (!(await lock.isHeld())) return `somebody else took ${file}.lock`
      await rename(draft, file)
      await syncFolder(dirname(file))
      return null
    } finally {
      await rm(draft, { force: true })
    }
  }
  return 'it changes all the time'
}

function inTheFile({ line, message }: Problem): string {
  return line === null ? message : `line ${line}: ${message}`
}

type Read = { text: string; bytes: Buffer }

async function read(file: string): Promise<Read | string> {
  const found = await stat(file)
  if (!found.isFile()) return 'it is not a file any more'
  if (found.size > LIMITS.planBytes) return 'it has become too large'
  await using handle = await open(file, 'r')
  const bytes = await handle.readFile()
  try {
    return { bytes, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return 'it is not UTF-8: nothing can be written into it without changing more'
  }
}

/** With the rights and the owner of the file it is to replace. */
async function writeDraft(draft: string, text: string, file: string): Promise<void> {
  const { mode, uid, gid } = await stat(file)
  await using handle = await open(draft, 'wx', mode & 0o777)
  await handle.writeFile(text)
  await handle.chmod(mode & 0o7777)
  const own = await handle.stat()
  // Only root may give a file away; anybody else has made one of their own anyway.
  if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid).catch(() => {})
  await handle.sync()
}

/** A power cut must not bring the old name of a file back whose new content is gone. */
async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined
  try {
    handle = await open(folder, 'r')
    await handle.sync()
  } catch {
    // Some file systems cannot.
  } finally {
    await handle?.close()
  }
}
