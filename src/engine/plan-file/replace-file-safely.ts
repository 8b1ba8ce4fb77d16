// Changes a file of the user: the new text is written beside it, synced, and renamed over it if the file is unchanged since it
// was read. So nobody sees half of it, and the later of two writers reads again. Tolerated: what another process writes in the
// microseconds between the last look and the rename is lost.
import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync } from 'node:fs'
import { access, constants, open, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { LIMITS } from '../../config.ts'
import type { Result } from '../../problem.ts'

/** Why the file could not be changed; null: it is as it should be. `edit` is called again if the file changed meanwhile. */
export async function changeFile(path: string, edit: Edit): Promise<string | null> {
  try {
    // The file behind a link, so that the link stays.
    const file = await realpath(path)
    for (let tries = 0; tries < TRIES; tries++) {
      const why = await change(file, edit)
      if (why !== AGAIN) return why
    }
    return 'it changes all the time'
  } catch (error) {
    // No trouble with this file may end a run.
    const { code, message } = error as NodeJS.ErrnoException
    return TROUBLES[code ?? ''] ?? message
  }
}

type Edit = (text: string) => Result<string> | Promise<Result<string>>

const TRIES = 10
const AGAIN = 'again'
const GONE = 'it is not there any more'
const READ_ONLY = 'it is read-only'
const TROUBLES: Record<string, string> = { ENOENT: GONE, ENOTDIR: GONE, ELOOP: 'its symbolic links lead in a circle' }

async function change(file: string, edit: Edit): Promise<string | null> {
  const found = await stat(file)
  if (!found.isFile()) return 'it is not a file any more'
  if (found.size > LIMITS.planBytes) return 'it has become too large'
  const before = await readFile(file)
  const text = decoded(before)
  if (text === null) return 'it is not UTF-8: nothing can be written into it without changing more'
  const edited = await edit(text)
  if (!edited.ok) {
    const [{ line, message } = { line: null, message: 'it cannot be read' }] = edited.problems
    return line === null ? message : `line ${line}: ${message}`
  }
  if (edited.value === text) return null
  if (await isReadOnly(file)) return READ_ONLY
  await clearDrafts(file)
  const draft = `${file}.espalier-${process.pid}-${randomBytes(4).toString('hex')}.tmp`
  try {
    await writeDraft(draft, edited.value, file)
    // No await between this check and the rename.
    if (!readFileSync(file).equals(before)) return AGAIN
    renameSync(draft, file)
    return null
  } finally {
    await rm(draft, { force: true })
  }
}

function decoded(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** A rename would replace a read-only file, and root may write anything; but read-only means: keep off. */
async function isReadOnly(file: string): Promise<boolean> {
  const { mode } = await stat(file)
  if ((mode & 0o222) === 0) return true
  return await access(file, constants.W_OK).then(
    () => false,
    () => true,
  )
}

/** Removes drafts of writers that were killed. Age decides: a writer may be in another container, where its process cannot be seen. */
async function clearDrafts(file: string): Promise<void> {
  const names = await readdir(dirname(file)).catch(() => []) // whoever may write there need not be allowed to list it
  for (const name of names.filter((one) => one.startsWith(`${basename(file)}.espalier-`) && one.endsWith('.tmp'))) {
    const draft = join(dirname(file), name)
    const found = await stat(draft).catch(() => null)
    if (found !== null && Date.now() - found.mtimeMs > OLD_DRAFT_MS) await rm(draft, { force: true })
  }
}

const OLD_DRAFT_MS = 60_000

/** Written with the rights and the owner of the file that it replaces. */
async function writeDraft(draft: string, text: string, file: string): Promise<void> {
  const { mode, uid, gid } = await stat(file)
  await using handle = await open(draft, 'wx', mode & 0o777)
  await handle.writeFile(text)
  await handle.chmod(mode & 0o7777)
  const own = await handle.stat()
  // Only root may change the owner; for others it is mostly the same already.
  if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid).catch(() => {})
  await handle.sync()
}
