// One landing: work merged onto the run's branch without a checkout. Callers serialize landings of a run.
//
// Properties
// - A landing is one commit with two parents, what was there and the work, unless another `mode` is asked for
//   (commit.ts). I3 reads the trailers of the first-parent chain.
// - G3: it changes no path that the work did not change since it left the branch. Checked here, not trusted.
// - G4: the branch moves by compare-and-swap.
// Cost: 3 git processes for a merge, of which 2 at the same time, and 1 if nothing landed in between; 1 more to move the
// branch.

import { authorship, type EngineRepository, inEngine } from '../engine/repository.ts'
import { isDiskTrouble } from '../run/disk-trouble.ts'
import { GitFailure, git, gitText } from '../run/git.ts'
import { readable, records } from '../run/path-bytes.ts'
import { escapingLinks, SYMLINK } from '../trees/escaping-links.ts'
import { knownTree, rememberTree, treeOf } from '../trees/tree-of.ts'
import { landingCommit, type MergeMode } from './commit.ts'
import { type CommitWords, type TaskAttempt, tasksOf } from './commit-message.ts'

export type Merge =
  | { kind: 'merged'; commit: string }
  | { kind: 'conflict'; paths: string[] }
  /** These paths would change although the work did not change them. */
  | { kind: 'refused'; paths: string[] }
  /** Symbolic links that would lead out of the repository, with what has landed meanwhile. */
  | { kind: 'escapes'; paths: string[] }

export type MergeRequest = {
  /** Where the branch is. */
  head: string
  work: string
  /** The commit the work is known to descend from. If that is `head`, there is nothing to merge. */
  base?: string | undefined
  message: string | CommitWords
  mode?: MergeMode | undefined
}

export async function mergeOnto(
  engine: EngineRepository,
  { head, work, base, message, mode = 'regular' }: MergeRequest,
): Promise<Merge> {
  const landingOf = (tree: string | null, common: string) =>
    landingCommit(engine, { head, work, base: common, tree, message, mode })
  if (base === head) {
    const commit = await landingOf(null, base)
    const tree = knownTree(engine, work)
    if (tree !== undefined) rememberTree(engine, commit, tree)
    return { kind: 'merged', commit }
  }
  const options = inEngine(engine)
  const [merged, common, headTree] = await Promise.all([
    git(['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', head, work], {
      ...options,
      okCodes: [0, 1],
    }),
    base ?? gitText(['merge-base', head, work], options),
    treeOf(engine, head),
  ])
  const [tree, ...conflicts] = records(merged.stdout)
  if (merged.code === 1) return { kind: 'conflict', paths: [...new Set(conflicts)].map(readable) }
  if (!tree) throw new Error('merge-tree answered in an unknown form')
  const [landing, { strange, worked, links }] = await Promise.all([
    landingOf(tree, common),
    checkTrees(engine, { tree, headTree, work, base: common }),
  ])
  rememberTree(engine, landing, tree)
  if (strange.length === 0) {
    const escaping = links ? await escapingLinks(engine, { base: head, work: landing }) : []
    if (escaping.length > 0) return { kind: 'escapes', paths: escaping.map(readable) }
    return { kind: 'merged', commit: landing }
  }
  const followed = await followedRenames(engine, { base: common, head, strange, worked })
  if (followed !== null) return { kind: 'conflict', paths: followed.map(readable) }
  return { kind: 'refused', paths: strange.map(readable) }
}

export type Delta = {
  /** G3: paths that the landing changes and the work did not. One character per byte, as in `worked`. */
  strange: string[]
  worked: Set<string>
  /** The landing adds or changes a symbolic link. */
  links: boolean
}

export async function checkDelta(
  engine: EngineRepository,
  { landing, head, work, base }: { landing: string; head: string; work: string; base: string },
): Promise<Delta> {
  const [tree, headTree] = await Promise.all([treeOf(engine, landing), treeOf(engine, head)])
  return checkTrees(engine, { tree, headTree, work, base })
}

async function checkTrees(
  engine: EngineRepository,
  { tree, headTree, work, base }: { tree: string; headTree: string; work: string; base: string },
): Promise<Delta> {
  // Two trees are compared with each other; a commit with the second one, as if that were its only parent.
  const input = `${headTree} ${tree}\n${work} ${base}\n`
  const args = ['diff-tree', '--stdin', '-r', '-z', '--raw', '--no-abbrev', '--no-renames']
  const output = records((await git(args, { ...inEngine(engine), input })).stdout)
  // An answer starts with what was compared: trees on a line of their own, a commit like a path. An empty one is left
  // out. Then come pairs: `:100644 120000 <id> <id> T` and the path.
  const trees = `${headTree} ${tree}\n`
  const landed: string[] = []
  const worked = new Set<string>()
  let isWork = false
  let links = false
  for (let n = 0; n < output.length; n++) {
    const record = output[n] as string
    const change = record.startsWith(trees) ? record.slice(trees.length) : record
    if (change === work) isWork = true
    if (!change.startsWith(':')) continue
    const path = output[++n] as string
    if (isWork) worked.add(path)
    else {
      landed.push(path)
      links ||= change.split(' ')[1] === SYMLINK
    }
  }
  return { strange: landed.filter((path) => !worked.has(path)), worked, links }
}

/**
 * Where a file was renamed on the branch and git carried the work's change of it over to the new name: the old names.
 * Null if that does not explain all of the strange paths.
 */
async function followedRenames(
  engine: EngineRepository,
  { base, head, strange, worked }: { base: string; head: string } & Pick<Delta, 'strange' | 'worked'>,
): Promise<string[] | null> {
  const args = ['diff-tree', '-r', '-z', '-M', '-l0', '--diff-filter=R', '--name-status', base, head]
  const output = records((await git(args, inEngine(engine))).stdout)
  const oldNames = new Map<string, string>()
  for (let i = 0; i + 2 < output.length; i += 3) oldNames.set(output[i + 2] as string, output[i + 1] as string)
  const followed: string[] = []
  for (const path of strange) {
    const oldName = oldNames.get(path)
    if (oldName === undefined || !worked.has(oldName)) return null
    followed.push(oldName)
  }
  return followed
}

export type Move =
  | { kind: 'moved' }
  /** The branch is somewhere else than expected; null: it does not exist. */
  | { kind: 'elsewhere'; actual: string | null }
  /** Another process holds git's lock on it. */
  | { kind: 'locked'; message: string }

/** Moves a ref of the engine's repository if it still is where the caller thinks (`from` null: does not exist yet). */
export async function moveBranch(
  engine: EngineRepository,
  { ref, to, from }: { ref: string; to: string; from: string | null },
): Promise<Move> {
  const options = { ...inEngine(engine), env: authorship(engine.user.identity) }
  const old = from ?? '0'.repeat(to.length)
  const args = ['update-ref', '--create-reflog', '-m', 'espalier: landing', ref, to, old]
  const { code, stderr } = await git(args, { ...options, okCodes: [0, 1, 128] })
  if (code === 0) return { kind: 'moved' }
  const actual = await readRef(engine, ref)
  if (actual === to) return { kind: 'moved' }
  if (actual === from) {
    const failure = new GitFailure(args, code, stderr)
    if (isDiskTrouble(failure)) throw failure
    return { kind: 'locked', message: stderr.trim() }
  }
  return { kind: 'elsewhere', actual }
}

export async function readRef(engine: EngineRepository, ref: string): Promise<string | null> {
  const { code, stdout } = await git(['rev-parse', '-q', '--verify', ref], { ...inEngine(engine), okCodes: [0, 1] })
  return code === 0 ? stdout.toString('utf8').trim() : null
}

export type Landed = { commit: string; tasks: TaskAttempt[] }

/**
 * What has landed on `ref` since `onto`, oldest first. Only commits of the first-parent chain count: those are the
 * engine's, whatever agents write into their messages.
 */
export async function findLanded(
  engine: EngineRepository,
  { ref, onto, run }: { ref: string; onto: string; run: string },
): Promise<Landed[]> {
  const head = await readRef(engine, ref)
  if (head === null || head === onto) return []
  const args = [
    'log',
    '-z',
    '--first-parent',
    '--reverse',
    '--no-show-signature',
    '--format=%H%n%B',
    `${onto}..${head}`,
  ]
  const { stdout } = await git(args, inEngine(engine))
  return stdout
    .toString('utf8')
    .split('\0')
    .flatMap((record) => {
      const end = record.indexOf('\n')
      const tasks = end < 0 ? null : tasksOf(record.slice(end + 1), run)
      return tasks === null ? [] : [{ commit: record.slice(0, end), tasks }]
    })
}
