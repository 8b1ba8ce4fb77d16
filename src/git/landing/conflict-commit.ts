// A conflict as a commit, and what counts as its resolution.
//
//   base ──▶ … ──▶ onto ──┐               the branch
//     └────▶ … ──▶ work ──┴──▶ conflict   as far as git could merge them, with markers in the files it could not
//
// A resolution is one commit with the same two parents and a tree that somebody has put right: the commit with the
// markers never becomes part of the history.
import { LIMITS } from '../../config.ts'
import type { DiffStat, Failure } from '../../event.ts'
import { type EngineRepository, inEngine } from '../engine/engine-repository.ts'
import { keepRef } from '../engine/ref-file.ts'
import { writeCommit, writeObject } from '../engine/write-object.ts'
import { GitFailure, git, gitLines, gitText } from '../run/git.ts'
import { readable, records } from '../run/path-bytes.ts'
import { readObjects } from '../run/read-objects.ts'
import { GITLINK } from '../slots/stage-worktree.ts'
import { escapingLinks } from '../trees/escaping-links.ts'
import { checkDelta, treeChanges, treeDiff } from '../trees/tree-changes.ts'
import { treeEntries, treeOf, treeWithEntries } from '../trees/tree-of.ts'
import { type CommitWords, commitMessage } from './commit-message.ts'

/**
 * Returns a commit kept under `ref`. Null: git merges both by itself, or no file has markers that show an agent the
 * conflict.
 */
export async function keepConflict(
  engine: EngineRepository,
  request: { onto: string; work: string; ref: string; words: CommitWords; by: 'agent' | 'person' },
): Promise<string | null> {
  const { onto, work, ref, words, by } = request
  const { tree: marked, paths } = await mergeSides(engine, onto, work)
  if (paths.length === 0 || (by === 'agent' && !(await areMarked(engine, { tree: marked, paths })))) return null
  const name = words.tasks.map(({ task }) => task).join(', ')
  const tree = await nameSides(engine, { tree: marked, paths, onto, work, name })
  const commit = writeCommit(engine, { tree, parents: [onto, work], message: commitMessage(words) })
  await keepRef(engine, { ref, to: commit, message: 'espalier: conflict' })
  return commit
}

/** `paths`: one character per byte. */
type MergeConflict = { onto: string; work: string; paths: string[] }

export async function readConflict(engine: EngineRepository, commit: string): Promise<MergeConflict> {
  const [onto, work] = await gitLines(['rev-parse', `${commit}^1`, `${commit}^2`], inEngine(engine))
  if (!onto || !work) throw new Error(`${commit} has no two parents`)
  const { paths } = await mergeSides(engine, onto, work)
  return { onto, work, paths }
}

type Resolution =
  | { ok: true; commit: string; tree: string; diff: DiffStat; paths: string[] }
  | { ok: false; failure: Failure }

/**
 * The commit to land, kept under `ref`, if `tree` resolves the conflict. It may differ in paths of the work only (G3).
 * `unmerged`: paths that a person has not marked as resolved; null: an agent, which cannot mark any.
 */
export async function resolveConflict(
  engine: EngineRepository,
  request: { conflict: string; tree: string; words: CommitWords; ref: string; unmerged?: ReadonlySet<string> | null },
): Promise<Resolution> {
  const { conflict, tree, words, ref, unmerged = null } = request
  const { onto, work, paths } = await readConflict(engine, conflict)
  const { marked, untouched } = await unresolved(engine, { tree, conflict, onto, work, paths }, unmerged)
  if (marked.length > 0) return refused('conflict', `conflict markers are left in ${named(marked)}`, marked)
  if (untouched.length > 0) {
    const message = `${named(untouched)} is not resolved: edit it, \`git add\` it as it is, or \`git rm\` it`
    return refused('conflict', message, untouched)
  }
  if (tree === (await treeOf(engine, onto)))
    return refused(
      'conflict',
      'it leaves nothing of the work: all that differs from the branch is gone',
      paths.map(readable),
    )
  const commit = writeCommit(engine, { tree, parents: [onto, work], message: commitMessage(words) })
  const base = await gitText(['merge-base', onto, work], inEngine(engine))
  const { strange } = await checkDelta(engine, { landing: commit, head: onto, work, base })
  if (strange.length > 0) {
    const others = strange.map(readable)
    return refused('landing-refused', `it changes paths that the work had not changed: ${named(others)}`, others)
  }
  const changes = await treeDiff(engine, onto, commit)
  const moved = (await movedSubmodules(engine, { onto, commit, work })).map(readable)
  if (moved.length > 0) return refused('submodule-changed', `it changes a submodule: ${named(moved)}`, moved)
  const links = changes.links ? (await escapingLinks(engine, { base: onto, work: commit })).map(readable) : []
  if (links.length > 0)
    return refused('symlink-escapes', `a symbolic link leads out of the repository: ${named(links)}`, links)
  await keepRef(engine, { ref, to: commit, message: 'espalier: conflict resolved' })
  return { ok: true, commit, tree, diff: changes.diff, paths: changes.paths }
}

/**
 * `paths` in conflict (one character per byte). `tree` has markers in them, or one of the sides if git knows no markers
 * for it.
 */
export async function mergeSides(engine: EngineRepository, onto: string, work: string) {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', onto, work]
  const { code, stdout, stderr } = await git(args, { ...inEngine(engine), okCodes: [0, 1] })
  const [tree, ...conflicts] = records(stdout)
  // It ends like a conflict where a commit is gone.
  if (!tree) throw new GitFailure(args, code, stderr)
  return { tree, isClean: code === 0, paths: code === 0 ? [] : [...new Set(conflicts)] }
}

async function areMarked(
  engine: EngineRepository,
  { tree, paths }: { tree: string; paths: string[] },
): Promise<boolean> {
  const blobs = await blobsIn(engine, tree, paths)
  const contents = await readObjects(engine, [...blobs.values()], MAX_LOOKED_AT)
  return paths.every((path) => linesIn(contents.get(blobs.get(path) ?? '')).some((line) => MARK.test(line)))
}

/**
 * The conflicting paths that are not resolved. No line that marks a side may be left, unless one of the sides has that
 * line. A file without markers (binary, or deleted by a side) has to be changed, or marked as resolved in the index by
 * a person: `unmerged` lists those that are not.
 */
async function unresolved(
  engine: EngineRepository,
  { tree, conflict, onto, work, paths }: MergeConflict & { tree: string; conflict: string },
  unmerged: ReadonlySet<string> | null,
): Promise<{ marked: string[]; untouched: string[] }> {
  const of = (one: string) => blobsIn(engine, one, paths)
  const [now, left, ours, theirs] = await Promise.all([of(tree), of(conflict), of(onto), of(work)])
  const ids = [now, left, ours, theirs].flatMap((blobs) => [...blobs.values()])
  const contents = await readObjects(engine, ids, MAX_LOOKED_AT)
  const linesOf = (blobs: Blobs, path: string) => linesIn(contents.get(blobs.get(path) ?? ''))
  const isMarked = (path: string) => {
    const known = new Set([...linesOf(ours, path), ...linesOf(theirs, path)])
    const marks = new Set(linesOf(left, path).filter((line) => MARK.test(line) && !known.has(line)))
    const added = linesOf(now, path).filter((line) => !known.has(line))
    const isPair = added.some((line) => OPENING.test(line)) && added.some((line) => CLOSING.test(line))
    return isPair || added.some((line) => marks.has(line) || COMMON_MARK.test(line))
  }
  const isUntouched = (path: string) => now.get(path) === left.get(path) && (unmerged === null || unmerged.has(path))
  const marked = paths.filter(isMarked)
  const untouched = paths.filter((path) => isUntouched(path) && !marked.includes(path))
  return { marked: marked.map(readable), untouched: untouched.map(readable) }
}

/** Submodules (one character per byte) that differ from the branch, and are not as the work has them. */
async function movedSubmodules(
  engine: EngineRepository,
  { onto, commit, work }: { onto: string; commit: string; work: string },
): Promise<string[]> {
  const paths = (await treeChanges(engine, onto, commit)).flatMap(({ path, oldMode, newMode }) =>
    oldMode === GITLINK || newMode === GITLINK ? [path] : [],
  )
  const [now, worked] = await Promise.all([blobsIn(engine, commit, paths), blobsIn(engine, work, paths)])
  return paths.filter((path) => now.get(path) !== worked.get(path))
}

type Blobs = ReadonlyMap<string, string>

/** Markers of any size, as attributes may ask for. A line of `=` may as well underline a heading. */
const MARK = /^(<{3,}|>{3,}|\|{3,})/
const COMMON_MARK = /^(<{7}|>{7}|\|{7})(\s|$)/
/** Shorter ones only together: one alone may be a prompt of Python. */
const OPENING = /^<{3,}(\s|$)/
const CLOSING = /^>{3,}(\s|$)/
const MAX_LOOKED_AT = 64 << 20

function linesIn(content: Buffer | null | undefined): string[] {
  return content ? content.toString('latin1').split(/\r?\n/) : []
}

export async function blobsIn(engine: EngineRepository, tree: string, paths: readonly string[]): Promise<Blobs> {
  return new Map((await entriesOf(engine, tree, paths)).map(({ path, id }) => [path, id]))
}

async function entriesOf(engine: EngineRepository, tree: string, paths: readonly string[]) {
  if (paths.length === 0) return []
  const wanted = new Set(paths)
  return (await treeEntries(engine, tree)).filter(({ path }) => wanted.has(path))
}

function refused(reason: Failure['reason'], message: string, paths: string[]): Resolution {
  const failure = { reason, message: `the conflict is not resolved: ${message}` }
  return { ok: false, failure: { ...failure, paths: paths.slice(0, LIMITS.failurePaths) } }
}

function named(paths: string[]): string {
  return paths.slice(0, 5).join(', ') + (paths.length > 5 ? `, … (${paths.length} paths)` : '')
}

// Names the sides in conflict markers: git writes the ids of two commits there, which tell a person nothing.

/** The tree with `<<<<<<< landed` and `>>>>>>> NAME` in its files. `paths`: in conflict, one character per byte. */
async function nameSides(
  engine: EngineRepository,
  { tree, paths, onto, work, name }: MergeConflict & { tree: string; name: string },
): Promise<string> {
  const entries = await entriesOf(engine, tree, paths)
  const contents = await readObjects(
    engine,
    entries.map(({ id }) => id),
    MAX_NAMED_BYTES,
  )
  const changed = entries.flatMap(({ mode, id, path }) => {
    const before = contents.get(id)?.toString('latin1')
    const after = before && withName(withName(before, '<', onto, 'landed'), '>', work, name)
    if (!after || after === before) return []
    return [{ mode, id: writeObject(engine, 'blob', Buffer.from(after, 'latin1')), path }]
  })
  return changed.length === 0 ? tree : treeWithEntries(engine, tree, changed)
}

/** Replaces the id of a side in conflict markers by a name. Git writes the path of a renamed file behind the id. */
function withName(text: string, sign: '<' | '>', id: string, name: string): string {
  return text.replace(new RegExp(`^(${sign}{7,}) ${id}(?=[:\\r\\n]|$)`, 'gm'), `$1 ${name}`)
}

const MAX_NAMED_BYTES = 5_000_000
