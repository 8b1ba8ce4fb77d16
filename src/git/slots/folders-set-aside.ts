// Folders of the pool that are out of use: what nobody could remove (files too deep to name, immutable ones, those of
// another user), and worktrees with work that git could not keep. The slot goes on with a new folder.
//
// Properties
// - A folder is set aside by a rename within `slots/`: that needs no right on the folder itself, whatever was done to it.
//   One that cannot even be renamed stays where it is, and the slot gets a folder of another name (`1~2`).
// - Work goes with its note. The note is at the new place before the folder is, so work is never without
//   it. A killed engine leaves a note without a folder at worst, which says nothing.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import { namesIn } from '../../files/if-there.ts'
import { isRealFolder, kindOf } from '../../files/refuse-symlinks.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { writeAtomically } from '../../files/write-atomically.ts'
import type { EngineRepository } from '../engine/engine-repository.ts'
import { isShortage } from '../run/machine-trouble.ts'
import { currentFolder, folderNote, isCurrentFolder, nextFolder, type Slot, slotsFolder } from './slot.ts'

export type FolderAside = { path: string; work: UnkeptWork | null }

/** Frees `slot.path`. Null: there was nothing. */
export async function setAside(slot: Slot): Promise<FolderAside | null> {
  const { path } = slot
  const work = unkeptIn(path)
  const kind = kindOf(path)
  if (kind !== 'folder') {
    // A file or a link in its place was put there by somebody: it holds no work.
    if (kind === 'other') rmSync(path)
    removeWorkNote(path)
    return null
  }
  const to = join(dirname(path), work ? await workName(dirname(path), work) : `left-${basename(path)}-${suffix()}`)
  if (work) await noteUnkept(to, work)
  try {
    renameSync(path, to)
  } catch (error) {
    if (work) removeWorkNote(to)
    if (isShortage(error) || !isPinned(error)) throw error
    await writeAtomically(folderNote(slot), nextFolder(slot))
    slot.path = currentFolder(slot.engine, slot.name)
    return { path, work }
  }
  removeWorkNote(path)
  return { path: to, work }
}

/** Undoes `setAside` for the work of one attempt. */
export async function bringBack(slot: Slot, work: UnkeptWork): Promise<void> {
  const aside = join(dirname(slot.path), plainName(work))
  if (kindOf(aside) !== 'folder' || kindOf(slot.path) !== 'nothing') return
  await noteUnkept(slot.path, work)
  renameSync(aside, slot.path)
  removeWorkNote(aside)
}

/** False: it holds work that is nowhere else, or could not be removed. */
export async function removeAside({ path, work }: FolderAside): Promise<boolean> {
  if (work !== null) return false
  try {
    await removeTree(path)
    return true
  } catch {
    return false
  }
}

export function listAside(engine: Pick<EngineRepository, 'stateDir'>): FolderAside[] {
  const folder = slotsFolder(engine)
  return namesIn(folder)
    .filter((name) => isRealFolder(join(folder, name)) && !isCurrentFolder(engine, name))
    .map((name) => ({ path: join(folder, name), work: unkeptIn(join(folder, name)) }))
}

/** Work that is nowhere else, in folders that were set aside and in those of slots. */
export function listUnkept(engine: Pick<EngineRepository, 'stateDir'>): { path: string; work: UnkeptWork }[] {
  const slotsDir = slotsFolder(engine)
  return namesIn(slotsDir)
    .filter((name) => name.endsWith(WORK_NOTE))
    .map((name) => join(slotsDir, name.slice(0, -WORK_NOTE.length)))
    .filter((path) => isRealFolder(path))
    .flatMap((path) => {
      const work = unkeptIn(path)
      return work ? [{ path, work }] : []
    })
}

/** A folder that cannot even be renamed: immutable, or a mount point. */
function isPinned(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EPERM' || code === 'EBUSY'
}

async function workName(slotsDir: string, work: UnkeptWork): Promise<string> {
  const name = plainName(work)
  return existsSync(join(slotsDir, name)) ? `${name}-${suffix()}` : name
}

function plainName({ run, task, attempt }: UnkeptWork): string {
  return `work-of-${run}-${task}-${attempt}`
}

function suffix(): string {
  return randomBytes(3).toString('hex')
}

// Work that is in a worktree and nowhere else. A slot has a note beside its folder, `<folder>.work`, from before an
// agent starts in it until its work is in a ref; a folder that is set aside takes its note along. Code that empties or
// removes a folder of the pool asks here first, so no error makes the engine throw work away (I10).

export type UnkeptWork = { run: string; task: string; attempt: number }

export async function noteUnkept(folder: string, { run, task, attempt }: UnkeptWork): Promise<void> {
  await writeAtomically(workNote(folder), JSON.stringify({ run, task, attempt }))
}

export function removeWorkNote(folder: string): void {
  rmSync(workNote(folder), { force: true })
}

/** Null: the folder's content is safe elsewhere. Throws if that cannot be found out. */
export function unkeptIn(folder: string): UnkeptWork | null {
  try {
    return parsed(readFileSync(workNote(folder), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

const WORK_NOTE = '.work'

function workNote(folder: string): string {
  return `${folder}${WORK_NOTE}`
}

/** A broken note, after a power cut for example, still says that there is work. */
function parsed(text: string): UnkeptWork {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return { run: 'unknown', task: 'unknown', attempt: 0 }
  }
}

/** Part of a path. */
const id = z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}$/)
const schema = z.object({ run: id, task: id, attempt: z.number() })
