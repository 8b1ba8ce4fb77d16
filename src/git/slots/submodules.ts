// State of the submodules of a slot. Their folders are empty in a new worktree; setup or an agent may fill them.
//
// Properties
// - Git never runs with the repository of a submodule: its HEAD is read as a file, and its files are compared in a
//   throw-away repository that has its objects and the engine's configuration.
// - What setup made of a submodule is no work: the note of the slot has its print.
// Tolerated: a submodule without the objects of its commit (a clone that borrows them). All its files count as new then.
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { textIn } from '../../files/if-there.ts'
import { isRealFolder } from '../../files/refuse-symlinks.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { inEngine } from '../engine/engine-repository.ts'
import { submoduleCommits } from '../engine/inventory.ts'
import { presentCommits, transfer } from '../engine/pack.ts'
import { keepRef } from '../engine/ref-file.ts'
import { submoduleRef } from '../engine/ref-names.ts'
import { GitFailure, git, gitRecords, gitText, MAX_PATHSPECS, revParse } from '../run/git.ts'
import { isDiskTrouble } from '../run/machine-trouble.ts'
import { readable } from '../run/path-bytes.ts'
import { treeEntries } from '../trees/tree-of.ts'
import { gitDirOf, linkObjects, readHead } from './import-agent-commits.ts'
import { readIndexFile } from './index-file.ts'
import { inSlot, literal, readSlotNote, type Slot } from './slot.ts'
import { findChanges, listNested, stage } from './stage-worktree.ts'

/** Paths have one character per byte. */
type Submodule = {
  path: string
  /** No work is there. */
  isSame: boolean
  /** Commit that has all of the work, and is kept; null: none. */
  commit: string | null
  /** Differs where anything does, apart from ignored files. Empty: nothing is there. */
  print: string
  /** Files that are not as in the commit that is checked out, with mode and id; none if there are too many. */
  dirty: string[]
  /** Its files, from the top of the slot, without ignored ones. */
  files: string[]
}

type Look = {
  /** Keeps the commits of those that moved; null: they are not kept. */
  run?: string | null
  /** Commit of the agent, whose pointers are its work. */
  work?: string
  /** Slot whose worktree all of it is in: a submodule that names a git directory elsewhere has none. */
  outer?: Slot
  /** Number of submodules that may still be looked into. */
  left?: { count: number }
}

/** Among them submodules of submodules. Setup may have filled all that a large project has. */
const MAX_LOOKED_INTO = 200

/** `base`: what they are compared with. */
export async function lookIntoSubmodules(slot: Slot, base: string, look: Look = {}): Promise<Submodule[]> {
  const paths = readIndexFile(slot)?.submodules ?? []
  if (paths.length === 0) return []
  const { run = null, work = base, outer = slot, left = { count: MAX_LOOKED_INTO } } = look
  const ids = await idsIn(slot, base, paths)
  const pointers = work === base ? ids : await idsIn(slot, work, paths)
  const note = await readSlotNote(slot)
  const found: Submodule[] = []
  for (const path of paths) {
    const known = note?.submodules[path] ?? NOTHING_KNOWN
    const [id = null, pointer = null] = [ids.get(path), pointers.get(path)]
    found.push({ path, ...(await lookInto(slot, { path, id, pointer, known, run, outer, left })) })
  }
  return found
}

const NOTHING_KNOWN = { print: '', dirty: [] as readonly string[] }

async function idsIn({ engine }: Slot, commit: string, paths: readonly string[]): Promise<Map<string, string>> {
  const asked = paths.length > MAX_PATHSPECS ? [] : paths.map(readable)
  return new Map((await treeEntries(engine, commit, asked)).map(({ path, id }) => [path, id]))
}

type Looked = Required<Omit<Look, 'work'>> & {
  path: string
  id: string | null
  pointer: string | null
  /** State that setup left. */
  known: typeof NOTHING_KNOWN
}

async function lookInto(slot: Slot, looked: Looked): Promise<Omit<Submodule, 'path'>> {
  const { path, id, pointer, known, run, outer } = looked
  const folder = join(slot.path, readable(path))
  if (!isRealFolder(slot.path, readable(path)) || (await readdir(folder)).length === 0)
    return { isSame: true, commit: null, ...NOTHING_KNOWN, dirty: [], files: [] }
  if (--looked.left.count < 0) {
    const files: string[] = []
    await listNested(slot, path, files)
    return { isSame: false, commit: null, print: 'not looked into', dirty: [], files }
  }
  const repository = gitDirOf(folder, outer.path)
  const found = repository === null ? null : readHead(repository, slot.engine)
  const checkedOut = found?.ok ? found.commit : null
  const inner = innerSlot(slot, folder)
  const { gitDir } = inner.engine
  const has = async (commit: string) => (await revParse(`${commit}^{tree}`, inEngine(inner.engine))) !== null
  const writeTree = () => gitText(['write-tree', '--missing-ok'], inSlot(inner))
  try {
    await removeTree(gitDir)
    for (const name of ['objects', 'refs']) await mkdir(join(gitDir, name), { recursive: true })
    if (repository !== null) await linkObjects(join(repository, 'objects'), join(gitDir, 'objects'))
    await copyFile(join(slot.engine.gitDir, 'config'), join(gitDir, 'config'))
    await writeFile(join(gitDir, 'HEAD'), 'ref: refs/heads/none\n')
    await writeFile(inner.exclude, patternsIn(readable(path), textIn(slot.exclude)))
    const head = checkedOut !== null && (await has(checkedOut)) ? checkedOut : null
    await git(['read-tree', head ?? '--empty'], inSlot(inner))
    await git(['update-index', '-q', '--refresh'], { ...inSlot(inner), okCodes: [0, 1] })
    const before = await writeTree()
    const changes = await findChanges(inner)
    await stage(inner, changes.present, changes.gone)
    const tree = await writeTree()
    const from = id !== null && (await has(id)) ? id : (head ?? tree)
    const nested = await lookIntoSubmodules(inner, from, { outer, left: looked.left })
    const dirty = await differing(inner, before, tree)
    const print = [checkedOut, tree, ...changes.submodules, ...nested.map((one) => one.print)].join(' ')
    const left = new Set(known.dirty)
    const isAsLeft = dirty?.every((one) => left.has(one)) ?? false
    const isClean = isAsLeft && changes.submodules.length === 0 && nested.every(({ isSame }) => isSame)
    const isThere = head === null ? tree === before : head === id || known.print.startsWith(`${head} `)
    // The agent may have committed what setup checked out.
    const isPointer = head !== null && head === pointer && head !== id
    const said = { print, dirty: dirty ?? [] }
    if (!isPointer && (print === known.print || (isClean && isThere)))
      return { isSame: true, commit: null, ...said, files: [] }
    const own = (await gitRecords(['ls-files', '-z'], inSlot(inner))).filter(
      (one) => !nested.some((n) => n.path === one),
    )
    const files = [...own, ...changes.nested, ...nested.flatMap((one) => one.files)].map((one) => `${path}/${one}`)
    const isKept = isClean && head !== null && run !== null && (await keep(inner, slot, head, run))
    return { isSame: false, commit: isKept ? head : null, ...said, files }
  } finally {
    await removeTree(gitDir)
  }
}

/** Paths that differ, as `<mode> <id> <path>` of the second; null: too many. */
async function differing(inner: Slot, from: string, to: string): Promise<string[] | null> {
  if (from === to) return []
  const records = await gitRecords(['diff-tree', '-r', '-z', '--raw', '--no-renames', from, to], inEngine(inner.engine))
  if (records.length / 2 > MAX_DIRTY) return null
  // `:100644 100644 <id> <id> M`, and the path.
  return records.flatMap((record, n) => {
    const [, mode, , id] = record.split(' ')
    return n % 2 === 0 ? [`${mode} ${id} ${records[n + 1]}`] : []
  })
}

const MAX_DIRTY = 5_000

/** The folder of a submodule, with a repository that does not exist yet. */
function innerSlot(slot: Slot, path: string): Slot {
  const name = `${slot.name}/submodule`
  const gitDir = join(slot.engine.stateDir, 'import', name)
  const engine = { ...slot.engine, gitDir }
  const files = { index: join(gitDir, 'slot.index'), exclude: join(gitDir, 'slot.exclude') }
  return { ...slot, name, path, engine, ...files, note: join(gitDir, 'slot.json') }
}

/** Ignore patterns as they read inside of a folder: those for a place elsewhere are left out. */
function patternsIn(folder: string, patterns: string): string {
  const top = literal(`${folder}/`)
  const inside = patterns.split('\n').flatMap((line) => {
    const [, not = '', pattern = ''] = /^(!?)(.*)$/s.exec(line) ?? []
    const isAnywhere = pattern.startsWith('**/') || !pattern.slice(0, -1).includes('/')
    if (isAnywhere) return [line]
    const anchored = pattern.startsWith('/') ? pattern : `/${pattern}`
    return anchored.startsWith(top) && anchored !== top ? [`${not}${anchored.slice(top.length - 1)}`] : []
  })
  return inside.join('\n')
}

/** Brings a commit with its whole history into the engine's repository. False: the submodule lacks a part of it, or git does not take it. */
async function keep(inner: Slot, { engine }: Slot, commit: string, run: string): Promise<boolean> {
  const [from, to] = [inEngine(inner.engine), inEngine(engine)]
  try {
    // A claim of the submodule to have an object is not believed: git checks that all that an object names is there.
    const have = await presentCommits(from, await submoduleCommits(engine, run))
    await transfer({ from, to, want: [commit], have, check: engine.user.objectFormat })
    await keepRef(engine, { ref: submoduleRef(run, commit), to: commit, message: 'made in a submodule' })
    return true
  } catch (error) {
    if (isDiskTrouble(error) || !(error instanceof GitFailure)) throw error
    return false
  }
}
