// Refs of the engine's repository, read and moved as git does it with files, without a git process. (One `update-ref
// --stdin` that stays would do too, but it gives every entry of the reflog the date of its first.)
//
// Properties
// - A ref moves by compare-and-swap: under git's own lock, `<ref>.lock`, which is then renamed to be the ref. Other gits
//   at work here, packing refs or moving them, keep to the same lock.
// - Every move of a branch is in the reflog before the ref has moved, as git does it.
// The files are small and written at once, without the thread pool, which takes longer than they do.
// Tolerated: being killed at any point. The lock stays then, for `removeStaleLocks`.
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { GitFailure } from '../run/git.ts'
import { isDiskTrouble } from '../run/machine-trouble.ts'
import { objectInfo } from '../run/read-objects.ts'
import type { EngineRepository } from './engine-repository.ts'
import { COMMIT_PATTERN } from './ref-names.ts'
import { fetchShared, pushShared } from './shared-repository.ts'
import { signature } from './write-object.ts'

export function readRef(engine: EngineRepository, ref: string): string | null {
  const path = join(engine.gitDir, checked(ref))
  // A ref that is being packed is in the one file before it goes from the other.
  const own = readOrNull(path) ?? readPacked(engine, ref) ?? readOrNull(path)
  if (own === null) return null
  const commit = own.trim()
  if (!COMMIT_PATTERN.test(commit)) throw new GitFailure(['rev-parse'], null, `${ref} holds no commit`)
  return commit
}

/** Whether there may be refs below `folder`, which ends with `/`. */
export function mayHaveRefs({ gitDir }: EngineRepository, folder: string): boolean {
  return existsSync(join(gitDir, folder)) || (readOrNull(join(gitDir, 'packed-refs')) ?? '').includes(` ${folder}`)
}

type RefMove = {
  ref: string
  to: string
  /** Value the ref must have; null: it must not exist; undefined: any. */
  from?: string | null | undefined
  message: string
  patienceMs?: number | undefined
}

export type Move =
  | { kind: 'moved' }
  /** The ref has another value; null: it does not exist. */
  | { kind: 'elsewhere'; actual: string | null }
  | { kind: 'locked'; message: string }

/** Moves a ref. In a shared repository it moves there first, and here after it. */
export async function moveRef(engine: EngineRepository, move: RefMove): Promise<Move> {
  if (engine.shared === null) return moveHere(engine, move)
  const here = readRef(engine, move.ref)
  if (move.from !== undefined && here !== move.from && here !== move.to) return { kind: 'elsewhere', actual: here }
  if (await pushShared(engine, move)) return moveHere(engine, { ...move, from: undefined })
  await fetchShared(engine, move.ref)
  return { kind: 'elsewhere', actual: readRef(engine, move.ref) }
}

async function moveHere(
  engine: EngineRepository,
  { ref, to, from, message, patienceMs = PATIENCE_MS }: RefMove,
): Promise<Move> {
  const path = join(engine.gitDir, checked(ref))
  if ((await objectInfo(engine, to))?.type !== 'commit')
    throw new GitFailure(['update-ref'], null, `${ref} cannot name ${to}: there is no such commit`)
  if (!(await takeLock(path, to, patienceMs)))
    return { kind: 'locked', message: `Unable to create '${path}.lock': File exists.` }
  let isHeld = true
  try {
    const actual = readRef(engine, ref)
    if (actual === to) return { kind: 'moved' }
    if (from !== undefined && actual !== from) return { kind: 'elsewhere', actual }
    const entry = `${actual ?? '0'.repeat(to.length)} ${to} ${signature(engine.user.identity)}\t${message}\n`
    const log = join(engine.gitDir, 'logs', ref)
    if (ref.startsWith('refs/heads/')) {
      mkdirSync(dirname(log), { recursive: true })
      appendFileSync(log, entry)
    }
    renameSync(`${path}.lock`, path)
    isHeld = false
    return { kind: 'moved' }
  } catch (error) {
    throw asFailure(error)
  } finally {
    if (isHeld) rmSync(`${path}.lock`, { force: true })
  }
}

export async function keepRef(engine: EngineRepository, move: Pick<RefMove, 'ref' | 'to' | 'message'>): Promise<void> {
  const moved = await moveRef(engine, move)
  if (moved.kind === 'locked') throw new GitFailure(['update-ref'], null, moved.message)
}

const PATIENCE_MS = 10_000
const LOOK_MS = 20

/** The lock file has the new value of the ref. False: another process holds it all the time. */
async function takeLock(path: string, to: string, patienceMs: number): Promise<boolean> {
  const end = performance.now() + patienceMs
  for (;;) {
    try {
      mkdirSync(dirname(path), { recursive: true })
      writeNew(`${path}.lock`, `${to}\n`)
      return true
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // ENOENT: a git that packs refs has removed the folder because it was empty.
      if (code !== 'EEXIST' && code !== 'ENOENT') throw asFailure(error)
      if (performance.now() > end) return false
      await wait(LOOK_MS)
    }
  }
}

/** Leaves no file behind if the disk is full. */
function writeNew(path: string, text: string): void {
  const file = openSync(path, 'wx')
  try {
    writeFileSync(file, text)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

function readPacked(engine: EngineRepository, ref: string): string | null {
  return packedValue(readOrNull(join(engine.gitDir, 'packed-refs')) ?? '', ref)
}

/** `packed`: the text of `packed-refs`. */
export function packedValue(packed: string, ref: string): string | null {
  const end = packed.indexOf(` ${ref}\n`)
  return end < 0 ? null : packed.slice(packed.lastIndexOf('\n', end) + 1, end)
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return null
    throw asFailure(error)
  }
}

/** Turns system errors into GitFailure, except those of a full disk. */
function asFailure(error: unknown): unknown {
  if (isDiskTrouble(error) || !(error instanceof Error) || !('code' in error)) return error
  return new GitFailure(['update-ref'], null, error.message)
}

function checked(ref: string): string {
  if (!ref.startsWith('refs/') || ref.split('/').some((part) => !/^[\w-][\w.-]*$/.test(part)))
    throw new Error(`not a ref of the engine: ${JSON.stringify(ref)}`)
  return ref
}
