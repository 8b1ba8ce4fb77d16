// Getting a place of the worktree pool ready for an attempt or a verification.
//
// Properties
// - What the agent finds is exactly the commit, plus the kept caches, what setup made and the included files. Nothing
//   else of an earlier attempt survives, its `.git` included.
// - A slot whose folder or index is missing, replaced or broken is built from scratch; that is no error.
// - Symbolic links in place of the slot or of its `.git` are removed, never followed.
// - A folder with work that is in no ref is set aside as it is, never emptied (I10). So is one that cannot be emptied,
//   whatever was done to it: the slot gets a new one (folders-set-aside.ts).
// - Where not even a new one can be made, that is the machine's trouble and nobody's failure: it is thrown.
// Tolerated: being killed at any point. The index goes first when a slot is rebuilt, so a half-built one is seen as such.
// Not tolerated: two callers on one slot at once.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, statfsSync } from 'node:fs'
import { lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Settings } from '../../config.ts'
import { isRealFolder } from '../../files/refuse-symlinks.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { type EngineRepository, inEngine } from '../engine/engine-repository.ts'
import { git, gitRecords, LITERAL } from '../run/git.ts'
import { isLocalTrouble } from '../run/machine-trouble.ts'
import { readable } from '../run/path-bytes.ts'
import { copyIncluded } from '../user/included-files.ts'
import { writeAgentRepository } from './agent-repository.ts'
import { type FolderAside, removeAside, setAside, unkeptIn } from './folders-set-aside.ts'
import { hasNothingToClean, hasUnchangedFiles, readIndexFile, readOwnIndex } from './index-file.ts'
import {
  cleanSlot,
  inSlot,
  keepPatterns,
  lease,
  literal,
  readSlotNote,
  type Slot,
  type SlotNote,
  slotsFolder,
  writeIgnoreFile,
  writeSlotNote,
} from './slot.ts'
import { lookIntoSubmodules } from './submodules.ts'

export type PrepareOptions = {
  branch: string
  /** Ignore patterns of caches that survive. */
  keep?: readonly string[]
  /** From `listIncluded`. */
  include?: readonly string[]
  /** Hash of what setup depends on; null: no setup. Files that setup made under another key are removed. */
  setupKey?: string | null
  /** Removes the files of setup in any case: something may have spoilt them. */
  freshSetup?: boolean
  /** Makes the worktree from scratch. */
  fresh?: boolean
  /** Lets ignored files survive: for the tasks of an epic, which share a worktree on purpose. */
  keepIgnored?: boolean
}

/** `repaired`: the slot was not new, and could not be reused. */
type Prepared = { repaired: boolean; needsSetup: boolean }

export async function prepare(slot: Slot, commit: string, options: PrepareOptions): Promise<Prepared> {
  const made = await begunAhead.get(slot.path)
  begunAhead.delete(slot.path)
  const isAsMade = made?.commit === commit && performance.now() - made.madeAt < UNTOUCHED_MS
  await mkdir(dirname(slot.path), { recursive: true })
  if (unkeptIn(slot.path)) await setAside(slot)
  try {
    return await make(slot, commit, options, isAsMade)
  } catch (error) {
    if (!isLocalTrouble(error)) throw error
    const left = await setAside(slot)
    try {
      return { ...(await make(slot, commit, options)), repaired: true }
    } finally {
      if (left) await removeAside(left)
    }
  }
}

/**
 * Checks the commit out into the first slots, if they do not exist yet: that takes longer than the rest of opening a
 * run, and `prepare` waits for it. A failure here happens there again, where it is reported.
 */
export async function prepareAhead(engine: EngineRepository, commit: string, count: number): Promise<void> {
  try {
    // Synchronously: a slot that is being made is known before anybody can ask for it.
    mkdirSync(slotsFolder(engine), { recursive: true })
    const { bavail, bsize } = statfsSync(slotsFolder(engine))
    if (bavail * bsize < ROOM_BYTES) return
    for (let number = 1; number <= count; number++) makeAhead(lease(engine, 'attempt', number), commit)
  } catch {
    // reported by `prepare`
  }
  await Promise.all(begunAhead.values())
}

/** With less room, writes of the opening run come first. */
const ROOM_BYTES = 2 ** 29

function makeAhead(slot: Slot, commit: string): void {
  if (existsSync(slot.path) || existsSync(slot.note)) return
  const made = make(slot, commit, { branch: 'espalier/ahead' }).then(
    () => ({ commit, madeAt: performance.now() }),
    () => null,
  )
  begunAhead.set(slot.path, made)
}

/** By folder of the slot, until it is prepared; null: failed. */
const begunAhead = new Map<string, Promise<{ commit: string; madeAt: number } | null>>()

/** Later than that, agents in other slots may have been there. */
const UNTOUCHED_MS = 1_000

/** `isAsMade`: the commit has just been checked out there, and nothing has run since. */
async function make(slot: Slot, commit: string, options: PrepareOptions, isAsMade = false): Promise<Prepared> {
  const setupKey = options.setupKey ?? null
  const before = await readSlotNote(slot)
  const keep = [...(options.keep ?? [])]
  const isSetUp = before !== null && setupKey !== null && before.setupKey === setupKey && !options.freshSetup
  const setupPaths = isSetUp ? before.setupPaths : null
  const isNew = before === null && (await lstat(slot.path).catch(() => null)) === null
  const reused =
    !isNew &&
    !options.fresh &&
    before !== null &&
    (isAsMade ||
      (await reset(slot, before, commit, options.keepIgnored ?? false, [
        ...keepPatterns(keep),
        ...(setupPaths ?? []).map(literal),
      ])))
  if (!reused) await rebuild(slot, commit)
  const copied = await copyIncluded(slot.engine.user.top, slot.path, options.include ?? [])
  const included = options.keepIgnored && reused ? [...new Set([...copied, ...(before?.included ?? [])])] : copied
  // Cleaning has emptied the submodules that setup had filled.
  const done = reused && setupPaths !== null && Object.keys(before?.submodules ?? {}).length === 0
  await finish(slot, {
    commit,
    branch: options.branch,
    keep,
    included,
    setupKey: done ? setupKey : null,
    setupPaths: done ? setupPaths : [],
    ownPaths: options.keepIgnored && reused ? (before?.ownPaths ?? []) : [],
    submodules: {},
    indexHash: null,
    commitIndexHash: null,
  })
  return { repaired: !isNew && !reused && !options.fresh, needsSetup: setupKey !== null && !done }
}

/**
 * Remembers what setup made, so that reuse spares it and snapshots leave it out. Its changes to tracked files and to
 * the agent's repository are undone, because the next attempt in this slot will not have them either.
 */
export async function markSetup(slot: Slot, key: string): Promise<void> {
  const { note, made } = await madeBySetup(slot)
  await finish(slot, { ...note, setupKey: key, setupPaths: made.slice(0, MAX_SETUP_PATHS) }, true)
}

/** Remembers what the setup of a task made: snapshots leave it out, and reuse removes it. */
export async function markOwnSetup(slot: Slot): Promise<void> {
  const { note, made } = await madeBySetup(slot)
  const known = new Set(note.setupPaths)
  const ownPaths = made.filter((path) => !known.has(path)).slice(0, MAX_SETUP_PATHS)
  await finish(slot, { ...note, ownPaths }, true)
}

async function madeBySetup(slot: Slot): Promise<{ note: SlotNote; made: string[] }> {
  const prepared = await readSlotNote(slot)
  if (prepared === null) throw new Error(`slot ${slot.name} has not been prepared`)
  const note = { ...prepared }
  await git([...CHECK_OUT, note.commit], inSlot(slot))
  const untracked = await gitRecords(['ls-files', '-z', '--others', '--directory'], inSlot(slot))
  const included = new Set(note.included)
  const filled = (await lookIntoSubmodules(slot, note.commit)).filter(({ print }) => print !== '')
  note.submodules = Object.fromEntries(filled.map(({ path, print, dirty }) => [path, { print, dirty }]))
  return { note, made: untracked.map(readable).filter((path) => !included.has(path)) }
}

const MAX_SETUP_PATHS = 5_000

/** Above a hundred files git uses as many processes as there are cores: two take two thirds of the time. */
const CHECK_OUT = ['-c', 'checkout.workers=0', 'read-tree', '-u', '--reset']

/** False: the slot cannot be reused. */
async function reset(
  slot: Slot,
  note: SlotNote,
  commit: string,
  keepIgnored: boolean,
  spare: readonly string[],
): Promise<boolean> {
  if (!isRealFolder(slot.path)) return false
  const index = readOwnIndex(slot, note)
  if (index === null) return false
  await rm(`${slot.index}.lock`, { force: true })
  const excludes = spare.flatMap((pattern) => ['-e', pattern])
  try {
    // Cleaning goes first: a folder replaced by a link to it looks unchanged to read-tree until then.
    const isClean = hasNothingToClean(slot, index)
    if (!isClean) await cleanSlot(slot, [keepIgnored ? '-ffdq' : '-ffdxq', ...excludes])
    await emptySubmodules(slot, index.submodules.map(readable))
    const isCheckedOut = note.commit === commit && note.commitIndexHash === index.hash
    if (isClean && isCheckedOut && hasUnchangedFiles(slot, index)) return true
    await git([...CHECK_OUT, commit], inSlot(slot))
    return true
  } catch (error) {
    // A slot without room is not broken: building it anew would only cost its caches.
    if (!isLocalTrouble(error)) throw error
    return false
  }
}

/** Cleaning leaves alone what an agent put into the folder of a submodule. */
async function emptySubmodules(slot: Slot, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const folder = join(slot.path, path)
    if (isRealFolder(slot.path, path) && (await readdir(folder)).length > 0) await removeTree(folder)
  }
}

async function rebuild(slot: Slot, commit: string): Promise<void> {
  for (const path of [`${slot.index}.lock`, slot.index, slot.note]) await removeTree(path)
  const left = await setAside(slot)
  try {
    await mkdir(slot.path)
    await git([...CHECK_OUT, commit], inSlot(slot))
  } finally {
    if (left) await removeAside(left)
  }
}

async function finish(slot: Slot, note: SlotNote, isSetUp = false): Promise<void> {
  const excludes = await writeIgnoreFile(slot, note)
  const { commit, branch } = note
  await writeAgentRepository(slot, { commit, branch, excludes, isSameAttempt: isSetUp })
  const indexHash = readIndexFile(slot)?.hash ?? null
  await writeSlotNote(slot, { ...note, indexHash, commitIndexHash: indexHash })
}

/**
 * Removes the slot and the engine's files of it. Returns a folder that could not be removed, or that holds work which
 * is nowhere else.
 */
export async function removeSlot(slot: Slot): Promise<FolderAside | null> {
  const left = await setAside(slot)
  for (const path of [slot.index, `${slot.index}.lock`, slot.note, slot.exclude]) await removeTree(path)
  await removeTree(join(slot.engine.stateDir, 'import', slot.name))
  return left && !(await removeAside(left)) ? left : null
}

// Hash of what the setup of a worktree depends on: the commands, the commit the run began with, and the files that name
// what is to be installed, as they are in the commit at hand. If any of it differs, setup runs again.

/** Null: no setup. */
export async function setupKey(
  engine: EngineRepository,
  { setup, setupInputs }: Pick<Settings, 'setup' | 'setupInputs'>,
  { runBase, commit }: { runBase: string; commit: string },
): Promise<string | null> {
  if (setup.length === 0) return null
  // Modes, ids and names. A folder counts with all that is in it.
  const args = ['ls-tree', '-z', '--full-tree', commit, '--', ...setupInputs]
  const listed = setupInputs.length > 0 ? await git(args, { ...inEngine(engine), env: LITERAL }) : null
  const files = listed?.stdout.toString('latin1') ?? ''
  return createHash('sha256')
    .update(JSON.stringify([setup, runBase, files]))
    .digest('hex')
}
