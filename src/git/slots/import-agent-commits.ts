// Takes the commits an agent made into the engine's repository.
//
// Git would believe more of the agent's object folder than we do: alternates that lead elsewhere, a commit-graph that
// lies about parents, links, named pipes. So only regular files that are named like objects and packs are linked into
// a folder of our own, and git is pointed at that. What arrives is hashed and checked again on the engine's side, and
// everything decided afterwards is decided from the engine's objects alone.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { copyFile, link, lstat, mkdir, readdir } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { isRealFolder, saysOfFile } from '../../files/refuse-symlinks.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { type EngineRepository, inEngine, quotedAlways } from '../engine/engine-repository.ts'
import { transfer } from '../engine/pack.ts'
import { packedValue, readRef } from '../engine/ref-file.ts'
import { GitFailure, type GitOptions, gitLines, gitText } from '../run/git.ts'
import { isDiskTrouble } from '../run/machine-trouble.ts'
import { objectInfos } from '../run/read-objects.ts'
import type { Slot } from './slot.ts'

type Taken =
  /** `count` commits on top of the base. `foreign`: not all of them were made in this worktree. */
  | { kind: 'descends'; count: number; foreign: boolean }
  | { kind: 'rewritten' }
  | { kind: 'unreadable'; message: string }

/** `kept`: the ref of an earlier snapshot of the attempt, whose commits are its own. */
export async function takeCommits(slot: Slot, head: string, base: string, kept: string): Promise<Taken> {
  const engine = inEngine(slot.engine)
  const borrowed = join(slot.engine.stateDir, 'import', slot.name)
  try {
    await linkObjects(join(slot.path, '.git', 'objects'), borrowed)
    const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: quotedAlways(borrowed) }
    const before = readRef(slot.engine, kept)
    const range = [`${base}..${head}`, ...(before === null ? [] : [`^${before}`])]
    const foreign = await hasForeign({ ...engine, env }, slot.engine, range)
    const check = slot.engine.user.objectFormat
    await transfer({ from: { ...engine, env }, to: engine, want: [head], have: [base], check })
    const counts = await gitText(['rev-list', '--left-right', '--count', `${base}...${head}`], engine)
    const [lost, gained] = counts.split('\t')
    return lost === '0' ? { kind: 'descends', count: Number(gained), foreign } : { kind: 'rewritten' }
  } catch (error) {
    if (isDiskTrouble(error) || !(error instanceof GitFailure)) throw error
    return { kind: 'unreadable', message: error.stderr.trim().split('\n').slice(0, 3).join(' ') }
  } finally {
    await removeTree(borrowed)
  }
}

/**
 * Whether commits were here before the agent began, such as another task's: an agent that merges one claims to have all
 * of it, whatever it made of the files, and git would believe that.
 */
async function hasForeign(theirs: GitOptions, ours: EngineRepository, range: string[]): Promise<boolean> {
  const ids = await gitLines(['rev-list', `--max-count=${MAX_COMMITS + 1}`, ...range], theirs)
  if (ids.length > MAX_COMMITS) return true
  return [...(await objectInfos(ours, ids)).values()].some((info) => info !== null)
}

const MAX_COMMITS = 10_000

export async function linkObjects(objects: string, to: string): Promise<void> {
  await removeTree(to)
  await mkdir(join(to, 'pack'), { recursive: true })
  if (!isRealFolder(objects)) return
  for (const name of await readdir(objects)) {
    const wanted = name === 'pack' ? PACK_FILE : /^[0-9a-f]{2}$/.test(name) ? LOOSE_FILE : null
    if (wanted === null || !isRealFolder(join(objects, name))) continue
    await mkdir(join(to, name), { recursive: true })
    const files = (await readdir(join(objects, name))).filter((file) => wanted.test(file))
    for (const file of files) await linkFile(join(objects, name, file), join(to, name, file))
  }
}

const PACK_FILE = /^pack-[0-9a-f]{40,64}\.(pack|idx)$/
const LOOSE_FILE = /^[0-9a-f]{38}([0-9a-f]{24})?$/

async function linkFile(from: string, to: string): Promise<void> {
  if (!(await lstat(from)).isFile()) return
  await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_FICLONE))
}

// Reads the commit that an agent's repository has checked out without running git there: its configuration could make
// git run anything. Only plain files below the slot's `.git` are read, never through a symbolic link, never beyond a
// bound.

type AgentHead = { ok: true; commit: string } | { ok: false; message: string }

export function readAgentHead(slot: Slot): AgentHead {
  const gitDir = join(slot.path, '.git')
  if (!isRealFolder(gitDir)) {
    return { ok: false, message: 'its .git folder is gone or was replaced' }
  }
  return readHead(gitDir, slot.engine)
}

/** The git directory of a submodule that is checked out in `folder`; null: none, or one outside of `root`. */
export function gitDirOf(folder: string, root: string): string | null {
  const own = join(folder, '.git')
  const [, named] = /^gitdir: (.+)$/m.exec(readPlainFile(folder, '.git', MAX_REF_BYTES) ?? '') ?? []
  const gitDir = named === undefined ? own : resolve(folder, named)
  const way = relative(root, gitDir)
  return !way.startsWith('..') && isRealFolder(root, way) ? gitDir : null
}

export function readHead(gitDir: string, { user }: EngineRepository): AgentHead {
  const pattern = user.objectFormat === 'sha256' ? /^[0-9a-f]{64}$/ : /^[0-9a-f]{40}$/
  let name = 'HEAD'
  for (let depth = 0; depth < MAX_SYMREFS; depth++) {
    const text = readPlainFile(gitDir, name, MAX_REF_BYTES)?.trim()
    if (text === undefined) {
      const refs = name === 'HEAD' ? null : readPlainFile(gitDir, 'packed-refs', MAX_PACKED_REFS_BYTES)
      const packed = packedValue(refs ?? '', name)
      if (packed !== null && pattern.test(packed)) return { ok: true, commit: packed }
      return { ok: false, message: `${name === 'HEAD' ? 'HEAD' : `HEAD names ${name}, which`} cannot be read` }
    }
    if (pattern.test(text)) return { ok: true, commit: text }
    const target = /^ref: (\S+)$/.exec(text)?.[1]
    if (target === undefined || !isRefName(target)) return { ok: false, message: `${name} holds no commit` }
    name = target
  }
  return { ok: false, message: 'HEAD leads from ref to ref without end' }
}

const MAX_SYMREFS = 5
const MAX_REF_BYTES = 4_096
const MAX_PACKED_REFS_BYTES = 64 << 20

function isRefName(name: string): boolean {
  if (!name.startsWith('refs/') || name.length > 1_000 || name.includes('\0')) return false
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
}

/** Null unless it is a regular file of at most that size with real folders above it. */
function readPlainFile(gitDir: string, name: string, maxBytes: number): string | null {
  const folder = dirname(name)
  if (!isRealFolder(gitDir, folder === '.' ? '' : folder)) return null
  // Without O_NONBLOCK a named pipe in place of the file would hold us for ever.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  let file: number
  try {
    file = openSync(join(gitDir, name), flags)
  } catch (error) {
    if (saysOfFile(error)) return null
    throw error
  }
  try {
    const stat = fstatSync(file)
    if (!stat.isFile() || stat.size > maxBytes) return null
    return readFileSync(file, 'latin1')
  } finally {
    closeSync(file)
  }
}
