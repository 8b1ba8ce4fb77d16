// `espalier land`: brings the result of a run onto a branch of the user's. The one place where a checkout of theirs may
// change, because they asked for it: then by their own git, with their hooks, and only if it is clean, apart from the
// plan file that the run itself has written into.
import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync } from 'node:fs'
import { link, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type EngineRepository, inEngine } from '../engine/engine-repository.ts'
import { transfer } from '../engine/pack.ts'
import { mergeOnto } from '../landing/merge-onto.ts'
import {
  asPerson,
  GitFailure,
  type GitOptions,
  git,
  gitRecords,
  isAncestor,
  LITERAL,
  MAX_PATHSPECS,
} from '../run/git.ts'
import { isDiskTrouble } from '../run/machine-trouble.ts'
import { readable } from '../run/path-bytes.ts'
import { inUser, lookAt } from './publish.ts'

type LandInto =
  | { kind: 'landed'; commit: string; fastForward: boolean }
  | { kind: 'contained' }
  | { kind: 'conflict'; paths: string[] }
  /** The branch left the history that the work builds on: merging would bring back what was taken out of it. */
  | { kind: 'rewritten' }
  | { kind: 'refused'; message: string }

type WhatToLand = {
  commit: string
  base: string
  branch: string
  message: string
  /** Files that may have uncommitted changes, if the landing leaves them alone or brings the very same. */
  leave?: readonly string[]
}

export async function landInto(
  engine: EngineRepository,
  { commit, base, branch, message, leave = [] }: WhatToLand,
): Promise<LandInto> {
  const ref = `refs/heads/${branch}`
  const user = inUser(engine)
  const { commit: tip, checkout } = await lookAt(user, ref)
  if (tip === null) return refused(`There is no branch ${branch}. Make it first: git branch ${branch}`)
  if (await isAncestor(commit, tip, inEngine(engine))) return { kind: 'contained' }
  const { top, gitDir, commonDir } = engine.user
  // Git takes the main checkout for that directory if it lies elsewhere, as that of a submodule does.
  const isElsewhere = checkout === commonDir
  const here = checkout !== null && (checkout === top || (isElsewhere && gitDir === commonDir))
  if (checkout !== null && !here) {
    return refused(
      `${branch} is checked out in ${isElsewhere ? 'the main checkout of ' : ''}${checkout}. Run \`espalier land\` there, or switch that worktree to another branch.`,
    )
  }
  const left = here ? await lookAround(engine, leave) : []
  if (!Array.isArray(left)) return left
  // Also for a fast-forward: the branch may be behind because somebody took commits back.
  if (!(await isAncestor(base, tip, inEngine(engine)))) return { kind: 'rewritten' }
  const fastForward = await isAncestor(tip, commit, inEngine(engine))
  let to = commit
  if (!fastForward) {
    const merge = await mergeOnto(engine, { head: tip, work: commit, message })
    if (merge.kind === 'conflict') return merge
    if (merge.kind === 'refused') return refused('The merge would change paths that the run did not change.')
    if (merge.kind === 'escapes') return refused('A symbolic link would lead out of the repository.')
    to = merge.commit
  }
  await transfer({ from: inEngine(engine), to: user, want: [to], have: [tip] })
  const failure = here ? await fastForwardCheckout(engine, to, left) : await moveRef(user, ref, to, tip)
  return failure ?? { kind: 'landed', commit: to, fastForward }
}

function refused(message: string): LandInto {
  return { kind: 'refused', message }
}

function theirs({ user }: EngineRepository): GitOptions {
  return asPerson(user.top)
}

/** Refuses if files or an operation of the user are in the way. Else: the files of `leave` that have changes. */
async function lookAround(engine: EngineRepository, leave: readonly string[]): Promise<LandInto | string[]> {
  for (const name of ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply', 'BISECT_LOG']) {
    if (existsSync(join(engine.user.gitDir, name)))
      return refused(`A git operation is under way in ${engine.user.top} (${name}). Finish or abort it first.`)
  }
  const args = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=no', '--ignore-submodules=none']
  const changed = (await gitRecords(args, theirs(engine))).map((record) => {
    return { isStaged: !readable(record).startsWith(' M'), path: readable(record.slice(3)) }
  })
  const isLeft = ({ isStaged, path }: (typeof changed)[number]) => !isStaged && leave.includes(path)
  const dirty = changed.filter((one) => !isLeft(one)).map(({ path }) => path)
  return dirty.length === 0 ? changed.map(({ path }) => path) : uncommitted(engine, dirty)
}

function uncommitted({ user }: EngineRepository, paths: readonly string[]): LandInto {
  const few = paths.slice(0, 5).join(', ')
  return refused(`${user.top} has uncommitted changes (${few}). Commit or stash them first.`)
}

async function fastForwardCheckout(
  engine: EngineRepository,
  to: string,
  left: readonly string[],
): Promise<LandInto | null> {
  const both = left.length === 0 ? [] : (await changedPaths(engine, to)).filter((path) => left.includes(path))
  const different = await differentFrom(engine, to, both)
  if (different.length > 0)
    return refused(
      `The run has changed ${different.join(', ')}, and there are other uncommitted changes in it. Commit or stash them first.`,
    )
  await using aside = await setAside(left.map((path) => join(engine.user.top, path)))
  if (!aside) return uncommitted(engine, left)
  const failure = (await stage(engine, both)) ?? (await fastForward(engine, to, aside))
  if (failure) await unstage(engine, both)
  return failure
}

/** Git itself refuses to overwrite untracked files, before it changes anything. */
async function fastForward(engine: EngineRepository, to: string, aside: Aside): Promise<LandInto | null> {
  const added = await newPaths(engine, to)
  const args = ['merge', '--ff-only', '--no-autostash', '--no-stat', '-q', to]
  const { code, stderr } = await git(args, { ...theirs(engine), hooks: true, okCodes: [0, 1, 2, 128] })
  if (code === 0) return null
  const paths = stderr.split('\n').flatMap((line) => (line.startsWith('\t') ? [line.slice(1)] : []))
  if (paths.length > 0)
    return refused(`Untracked files are in the way: ${paths.slice(0, 5).join(', ')}. Move them away first.`)
  await putBack(engine, isDiskTrouble(new GitFailure(args, code, stderr)) ? added : null)
  await aside.restore()
  return refused(reasonIn(stderr))
}

/** Paths whose content in the checkout differs from the commit, as the user's filters see it. */
async function differentFrom(engine: EngineRepository, to: string, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return []
  const args = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', to, '--', ...paths]
  return (await gitRecords(args, { ...theirs(engine), env: LITERAL })).map(readable)
}

/** Git accepts files that are staged as they are to be; unstaged, it would refuse to overwrite them. */
async function stage(engine: EngineRepository, paths: readonly string[]): Promise<LandInto | null> {
  if (paths.length === 0) return null
  const { code, stderr } = await git(['update-index', '--', ...paths], { ...theirs(engine), okCodes: [0, 128] })
  return code === 0 ? null : refused(reasonIn(stderr))
}

async function unstage(engine: EngineRepository, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  await git(['reset', '-q', 'HEAD', '--', ...paths], { ...theirs(engine), env: LITERAL, okCodes: [0, 1, 128] })
}

async function changedPaths(engine: EngineRepository, to: string, ...filter: string[]): Promise<string[]> {
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', ...filter, 'HEAD', to]
  return (await gitRecords(args, theirs(engine))).map(readable)
}

/** Files that git will make: in the commit, and neither in HEAD nor in the folder. */
async function newPaths(engine: EngineRepository, to: string): Promise<string[]> {
  return (await changedPaths(engine, to, '--diff-filter=A')).filter(
    (path) => lstatSync(join(engine.user.top, path), { throwIfNoEntry: false }) === undefined,
  )
}

/** Git changes files, then the index, then the branch. `cut`: files to remove first, because the disk is full. */
async function putBack(engine: EngineRepository, cut: string[] | null): Promise<void> {
  const options = { ...theirs(engine), okCodes: [0, 1, 128] }
  for (let i = 0; i < (cut?.length ?? 0); i += MAX_PATHSPECS)
    await git(['clean', '-fdxq', '--', ...(cut ?? []).slice(i, i + MAX_PATHSPECS)], { ...options, env: LITERAL })
  await git(['read-tree', cut ? '--reset' : '-m', '-u', 'HEAD'], options)
}

async function moveRef(user: GitOptions, ref: string, to: string, from: string): Promise<LandInto | null> {
  const { code, stderr } = await git(['update-ref', '-m', 'espalier: land', ref, to, from], {
    ...user,
    okCodes: [0, 1, 128],
  })
  return code === 0 ? null : refused(`${ref} was not moved: ${reasonIn(stderr)}`)
}

/** Git explains a lock in a paragraph that does not say what to do here, and a full disk not at all. */
function reasonIn(stderr: string): string {
  if (isDiskTrouble(new GitFailure(['merge'], 1, stderr)))
    return `The disk is full (${stderr.trim().split('\n', 1)[0]}). Free some of it, then land again.`
  const lock = /Unable to create '(.*\.lock)': File exists/.exec(stderr)?.[1]
  if (lock === undefined) return stderr.trim()
  return `Another git is at work there, it holds ${lock}. Wait for it, or remove that file if there is none; then land again.`
}

type Aside = AsyncDisposable & { restore(): Promise<void> }

/** Keeps files safe from git by a second name: a hard link needs no room. Null: the file system has no hard links. */
async function setAside(paths: readonly string[]): Promise<Aside | null> {
  const names = paths.map((path) => ({ path, aside: `${path}.${randomBytes(6).toString('hex')}.kept` }))
  const remove = async () => {
    for (const { aside } of names) await rm(aside, { force: true })
  }
  try {
    for (const { path, aside } of names) await link(path, aside)
  } catch {
    await remove()
    return null
  }
  const restore = async () => {
    for (const { path, aside } of names) await rename(aside, path)
  }
  return { restore, [Symbol.asyncDispose]: remove }
}
