// Makes the work of an attempt safe: the agent's own commits, and what it left uncommitted as one last commit, under a
// ref of the engine's repository.
//
// Properties
// - Git never runs with the agent's repository: its HEAD is read as a file, its commits are taken in as objects.
// - Ignored files, caches, what setup made and included files are left out. A commit of the agent that holds an
//   included file (a secret, most likely) is not taken over; its other changes are, as one commit.
// - Where the agent's history holds commits that it did not make itself, its work is one commit on the base: what it
//   made of the files counts, not what it says to have merged.
// - Work that cannot land (history rewritten, a submodule changed, a link that leads out) is kept all the same; the failure says why.
// - Nothing is reset: the slot's files stay as they are. Taking the snapshot again gives the same tree.
// - What the machine does not let the engine do is nobody's failure: it is thrown, and the snapshot can be taken later.
// Tolerated: being killed at any point, and a missing or broken index (it is made again from the base).
import { chmod, lstat, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { LIMITS, type Settings } from '../../config.ts'
import type { DiffStat, Failure } from '../../event.ts'
import type { FailureReason } from '../../failure.ts'
import { kindOf, saysOfFile } from '../../files/refuse-symlinks.ts'
import { inEngine } from '../engine/engine-repository.ts'
import { throwEngineTrouble } from '../engine/engine-trouble.ts'
import { keepRef } from '../engine/ref-file.ts'
import { attemptRef } from '../engine/ref-names.ts'
import { writeCommit } from '../engine/write-object.ts'
import { commitMessage } from '../landing/commit-message.ts'
import { GitFailure, git, gitText, LITERAL, MAX_PATHSPECS } from '../run/git.ts'
import { isDiskTrouble, isMachineTrouble, isShortage } from '../run/machine-trouble.ts'
import { fromText, readable } from '../run/path-bytes.ts'
import { escapingLinks } from '../trees/escaping-links.ts'
import { NO_DIFF, treeDiff } from '../trees/tree-changes.ts'
import { treeOf } from '../trees/tree-of.ts'
import { readAgentHead, takeCommits } from './import-agent-commits.ts'
import { type IndexFile, readIndexFile, readOwnIndex, writeIndexTree } from './index-file.ts'
import { hasLostPointer, lostPointers } from './lost-pointers.ts'
import { inSlot, readSlotNote, type Slot, writeIgnoreFile, writeSlotNote } from './slot.ts'
import { findChanges, stage, stageAll, stagePointers, treeWith } from './stage-worktree.ts'
import { lookIntoSubmodules } from './submodules.ts'

type SnapshotRequest = {
  base: string
  run: string
  task: string
  attempt: number
  title: string
  body?: string | undefined
  signOff?: boolean | undefined
  /** `allow`: commits made in submodules land. */
  submodules?: Settings['submodules'] | undefined
}

export type Snapshot =
  /** `commit` null: no changes. */
  | { ok: true; commit: string | null; tree: string; diff: DiffStat; paths: string[]; agentCommits: number }
  /** `commit`: the work that was kept, if there is any. */
  | { ok: false; commit: string | null; diff: DiffStat; paths: string[]; failure: Failure }

export async function snapshot(slot: Slot, request: SnapshotRequest): Promise<Snapshot> {
  if (kindOf(slot.path) !== 'folder')
    return lost(
      `The worktree ${slot.path} is gone, and the attempt's work with it. Find out what removed it, the agent itself or another program.`,
    )
  // A killed git or a file that could not be opened once says nothing of the work; a failure that stays does.
  const began = performance.now()
  for (let tries = 1; ; tries++) {
    const taken = await takeOnce(slot, request)
    const isDoubtful = !taken.ok && DOUBTFUL.has(taken.failure.reason) && !taken.failure.paths
    if (isDoubtful) throwEngineTrouble(slot.engine)
    if (!isDoubtful || tries === MOST_TRIES || performance.now() - began > RETRY_MS) return taken
  }
}

const DOUBTFUL: ReadonlySet<FailureReason> = new Set(['worktree-broken', 'history-rewritten'])
const MOST_TRIES = 4
const RETRY_MS = 60_000

async function takeOnce(slot: Slot, request: SnapshotRequest): Promise<Snapshot> {
  try {
    // An agent may have closed even its own worktree; then it could not be set aside either.
    const { mode } = await lstat(slot.path)
    if ((mode & 0o700) !== 0o700) await chmod(slot.path, mode | 0o700)
    await rm(`${slot.index}.lock`, { force: true })
    return await take(slot, request)
  } catch (error) {
    if (!isMachineTrouble(error) || !isOfWorktree(slot, error)) throw error
    return lost(`The work in ${slot.path} could not be kept: ${error.message}.`)
  }
}

/** Whether the error is about the worktree, and not about the engine's own files. */
function isOfWorktree({ path, engine }: Slot, error: Error): boolean {
  if (isDiskTrouble(error) || isShortage(error)) return false
  kindOf(path) // throws where not even the folder can be looked at
  if (error instanceof GitFailure) return !error.stderr.replaceAll(`${path}/`, '').includes(engine.stateDir)
  const { path: failedPath = '' } = error as NodeJS.ErrnoException
  return saysOfFile(error) && (failedPath === path || failedPath.startsWith(`${path}/`))
}

async function take(slot: Slot, request: SnapshotRequest): Promise<Snapshot> {
  const { base } = request
  const chain = await chainOf(slot, request)
  const staged = await stageWork(slot, chain.head ?? base, request)
  const leaked = chain.kind === 'descends' && (await hasIncluded(slot, base, chain.head))
  if (leaked) await stage(slot, [], staged.included.map(fromText))

  const [tree, baseTree, headTree] = await Promise.all([
    (leaked ? null : staged.tree) ?? treeWith(slot, staged.nested),
    treeOf(slot.engine, base),
    treeOf(slot.engine, chain.head ?? base),
  ])
  const isFlat =
    chain.kind === 'descends' &&
    (leaked ||
      chain.foreign ||
      // A single commit that is all of the work has no pointers but those among the files.
      ((chain.count > 1 || tree !== headTree) && (await hasLostPointer(slot.engine, { ...request, head: chain.head }))))
  const isLeft = staged.submodules.length > 0 || staged.refused.length > 0
  const isFailure = isLeft || chain.kind === 'rewritten' || chain.kind === 'unreadable'
  if (tree === baseTree && !isFailure) {
    return { ok: true, commit: null, tree, ...NO_DIFF, agentCommits: chain.count }
  }
  const parents =
    isFlat || chain.head === null ? [base] : chain.kind === 'rewritten' ? [base, chain.head] : [chain.head]
  const complete = chain.kind === 'descends' && tree === headTree && !isFlat
  const nothing = tree === baseTree && chain.head === null
  const commit = complete ? chain.head : nothing ? null : await commitTree(slot, tree, parents, request)
  const [changes] =
    commit === null ? [NO_DIFF] : await Promise.all([treeDiff(slot.engine, base, commit), keep(slot, commit, request)])
  const { diff, paths } = changes
  const links = changes.links && commit !== null ? await escapingLinks(slot.engine, { base, work: commit }) : []
  const allow = request.submodules === 'allow'
  const isLookedUp = allow && commit !== null && changes.submodules.length > 0
  const lost = isLookedUp ? await lostPointers(slot.engine, { ...request, head: commit }) : []
  const submodules = [...new Set([...staged.submodules, ...(allow ? lost.map(readable) : changes.submodules)])]
  const failure = whyUnlandable(chain, { allow, submodules, links: links.map(readable), refused: staged.refused })
  if (failure !== null) return { ok: false, commit, diff, paths, failure }
  return { ok: true, commit, tree, diff, paths, agentCommits: chain.count }
}

type Chain =
  | { kind: 'none'; head: null; count: 0 }
  | { kind: 'descends'; head: string; count: number; foreign: boolean }
  /** `head` null: there is nothing to keep. */
  | { kind: 'rewritten'; head: string | null; count: 0; message: string }
  | { kind: 'unreadable'; head: null; count: 0; message: string }

async function chainOf(slot: Slot, { base, run, task, attempt }: SnapshotRequest): Promise<Chain> {
  const found = readAgentHead(slot)
  if (!found.ok) return { kind: 'rewritten', head: null, count: 0, message: found.message }
  const head = found.commit
  if (head === base) return { kind: 'none', head: null, count: 0 }
  const taken = await takeCommits(slot, head, base, attemptRef(run, task, attempt))
  if (taken.kind === 'descends') return { ...taken, head }
  if (taken.kind === 'unreadable') return { ...taken, head: null, count: 0 }
  return { ...taken, head, count: 0, message: `HEAD is ${head.slice(0, 12)}` }
}

/**
 * Brings the engine's index to the files as they are now, from the tree that the agent itself committed. `tree` null: ask the
 * index.
 */
async function stageWork(slot: Slot, start: string, { base, run, submodules }: SnapshotRequest) {
  const note = await readSlotNote(slot)
  // Without the note nobody knows which files are not work, and they may hold secrets.
  if (note === null) {
    const why = `what the engine knew of the worktree is gone, or ${basename(slot.note)} was changed by somebody else`
    throw new GitFailure(['add'], null, why)
  }
  const { included } = note
  await writeIgnoreFile(slot, note)
  let index: IndexFile | null = readOwnIndex(slot, note)
  if (index === null) await rm(slot.index, { force: true })
  const startAgain = async () => void (await git(['read-tree', '--reset', start], inSlot(slot)))
  // Not from the base: a file the agent committed although it is ignored would be missed below, and so be deleted.
  if (index === null || start !== base || note.commit !== base) {
    await startAgain()
    index = readIndexFile(slot)
  }
  if (index?.submodules.length === 0) {
    const staged = await stageAll(slot)
    if (staged) await writeSlotNote(slot, { ...note, indexHash: staged.hash })
    if (staged) return { tree: writeIndexTree(slot.engine, staged), submodules: [], nested: [], refused: [], included }
    await startAgain()
  }
  const changes = await findChanges(slot)
  const look = { run: submodules === 'allow' ? run : null, work: start }
  const pointers: { path: string; commit: string }[] = []
  for (const { path, isSame, commit, files } of await lookIntoSubmodules(slot, base, look)) {
    if (commit !== null) pointers.push({ path, commit })
    else if (!isSame) {
      changes.submodules.push(path)
      changes.nested.push(...files)
    }
  }
  const refused = await stage(slot, changes.present, changes.gone)
  await stagePointers(slot, pointers)
  await writeSlotNote(slot, { ...note, indexHash: readIndexFile(slot)?.hash ?? null })
  return { tree: null, submodules: changes.submodules.map(readable), nested: changes.nested, refused, included }
}

async function hasIncluded(slot: Slot, base: string, head: string): Promise<boolean> {
  const included = (await readSlotNote(slot))?.included ?? []
  if (included.length === 0) return false
  for (let i = 0; i < included.length; i += MAX_PATHSPECS) {
    const args = ['rev-list', '--full-history', '-1', `${base}..${head}`, '--', ...included.slice(i, i + MAX_PATHSPECS)]
    if ((await gitText(args, { ...inEngine(slot.engine), env: LITERAL })) !== '') return true
  }
  return false
}

async function commitTree(slot: Slot, tree: string, parents: string[], request: SnapshotRequest): Promise<string> {
  const { title, body, run, task, attempt } = request
  const signOff = request.signOff ? slot.engine.user.identity : null
  const message = commitMessage({ title, body, run, tasks: [{ task, attempt }], signOff })
  return writeCommit(slot.engine, { tree, parents, message })
}

async function keep(slot: Slot, commit: string, { run, task, attempt }: SnapshotRequest): Promise<void> {
  const message = `snapshot of ${task}, attempt ${attempt}`
  await keepRef(slot.engine, { ref: attemptRef(run, task, attempt), to: commit, message })
}

function whyUnlandable(
  chain: Chain,
  { allow, submodules, links, refused }: { allow: boolean; submodules: string[]; links: string[]; refused: string[] },
): Failure | null {
  if (chain.kind === 'rewritten') {
    const message = `The commits in the worktree do not descend from the commit it was given (${chain.message}). Its files are kept; tell the agent to add commits instead of changing or leaving the history it starts from.`
    return { reason: 'history-rewritten', message }
  }
  if (chain.kind === 'unreadable') {
    return {
      reason: 'worktree-broken',
      message: `The agent's commits cannot be read (${chain.message}). Its files are kept.`,
    }
  }
  if (submodules.length > 0) return submoduleFailure(submodules, allow)
  if (refused.length > 0) {
    const message = `Git does not store paths that another system takes for its own: ${refused.slice(0, 5).join(', ')}. Give them other names.`
    return { reason: 'worktree-broken', message, paths: refused.slice(0, LIMITS.failurePaths) }
  }
  if (links.length > 0) {
    const message = `A symbolic link leads out of the repository: ${links.slice(0, 5).join(', ')}. It would lead somewhere else on every machine. Link to a path inside the repository, relative to the link, or copy the file.`
    return { reason: 'symlink-escapes', message, paths: links.slice(0, LIMITS.failurePaths) }
  }
  return null
}

export function submoduleFailure(paths: readonly string[], allow: boolean): Failure {
  const what = allow
    ? 'Of a submodule only commits land that are made inside it, on its whole history, and checked out there'
    : 'Work in a submodule or nested repository does not land'
  const advice = allow
    ? 'Tell the agent to commit there, and to commit a new submodule in the worktree too.'
    : 'Take them over by hand, or let commits made inside submodules land with `submodules: allow` in the settings (not from workers).'
  const message = `${what}: ${paths.slice(0, 5).join(', ')}. Files that are there are kept. ${advice}`
  return { reason: 'submodule-changed', message, paths: paths.slice(0, LIMITS.failurePaths) }
}

function lost(message: string): Snapshot {
  return { ok: false, commit: null, diff: NO_DIFF.diff, paths: [], failure: { reason: 'worktree-broken', message } }
}
