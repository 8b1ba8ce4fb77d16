// The one way from the engine's repository into the user's: objects, the branch `espalier/<run>`, the ref that pins the
// base, refs of work that is not on the branch, and of commits made inside of submodules. Nothing else there is written:
// no FETCH_HEAD, no configuration, no checkout, and no hook runs.
//
// The branch moves by fast-forward only, and only if it still is where it was seen. A branch the user deleted is made
// again. Tolerated: the user's git working at the same time; a lock it holds is waited for a moment, then reported.
import { statSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeptWork } from '../../facts/kept-refs.ts'
import { type EngineRepository, quotedAlways } from '../engine/engine-repository.ts'
import { engineTrouble } from '../engine/engine-trouble.ts'
import { submoduleCommits } from '../engine/inventory.ts'
import { basePin, runBranch, userRefs, workRef } from '../engine/ref-names.ts'
import { GitFailure, type GitOptions, git, gitLines, gitText } from '../run/git.ts'
import { isDiskTrouble } from '../run/machine-trouble.ts'
import { inLines } from '../run/path-bytes.ts'
import { objectInfo } from '../run/read-objects.ts'
import { carry, objectsSince } from './bring-commits.ts'

type Publication =
  | { ok: true; branch: string; from: string | null; to: string }
  | { ok: false; reason: 'moved' | 'checked-out' | 'unwritable'; message: string }

/** `isNew`: the name of the run has just been reserved, so it has no branch yet. */
export async function publish(
  engine: EngineRepository,
  what: { run: string; base: string; to: string; isNew?: boolean },
): Promise<Publication> {
  const published = await publishOnce(engine, what)
  const isLocked = !published.ok && published.reason === 'unwritable' && published.message.includes(".lock'")
  return isLocked && (await removeOwnLocks(engine)) > 0 ? publishOnce(engine, what) : published
}

/**
 * Removes locks on the refs of runs that are too old to be held by a git at work: nobody but Espalier moves these refs,
 * so a killed git of ours left them. Returns their number.
 */
export async function removeOwnLocks({ user }: EngineRepository, oldMs = OLD_LOCK_MS): Promise<number> {
  let removed = 0
  for (const folder of ['refs/espalier', 'refs/heads/espalier'].map((name) => join(user.commonDir, name)))
    for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
      const path = join(folder, name)
      if (!name.endsWith('.lock') || Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < oldMs)
        continue
      await rm(path, { force: true })
      removed++
    }
  return removed
}

/** A ref is locked for some ms. */
const OLD_LOCK_MS = 10_000

async function publishOnce(
  engine: EngineRepository,
  { run, base, to, isNew = false }: Parameters<typeof publish>[1],
): Promise<Publication> {
  const ref = runBranch(run)
  const branch = ref.replace('refs/heads/', '')
  const user = inUser(engine)
  try {
    const { commit: from, checkout } = isNew ? NOWHERE : await lookAt(user, ref)
    if (from === to) return { ok: true, branch, from, to }
    if (checkout !== null) {
      const message = `The branch ${branch} is checked out in ${checkout}, so it was not moved: that would change your checkout. Switch to another branch there, then \`espalier land ${run}\` brings the result onto it.`
      return { ok: false, reason: 'checked-out', message }
    }
    const news = to === base && from === null ? null : await objectsSince(engine, to, from ?? base)
    if (from !== null && from !== base && !news?.descends) {
      const message = `The branch ${branch} was moved to ${from.slice(0, 12)} by somebody else, so it was left there. Rename or delete it: git branch -m ${branch} my-${run}`
      return { ok: false, reason: 'moved', message }
    }
    if (news) await carry(engine, user, news)
    const zero = '0'.repeat(to.length)
    const input = `update ${ref}\0${to}\0${from ?? zero}\0update ${basePin(run)}\0${base}\0\0`
    await git(['update-ref', '-z', '-m', `espalier: run ${run}`, '--stdin'], { ...user, input })
    return { ok: true, branch, from, to }
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    const [said = ''] = error.stderr.trim().split('\n')
    const isGone = said.includes(`object ${base}`)
    const why = isGone ? baseGone(run, base) : said
    const unlock = why.includes(".lock'") ? ' If no other git is at work there, remove that file.' : ''
    const advice = isDiskTrouble(error) ? ': free some disk there.' : unlock
    const safe =
      to === base || isGone || engineTrouble(engine) !== null
        ? ''
        : ` The result is safe in ${engine.gitDir}: \`espalier land ${run}\` brings it onto your branch.`
    const message = `The branch ${branch} could not be moved in ${engine.user.top}: ${why}${advice}${safe}`
    return { ok: false, reason: 'unwritable', message }
  }
}

/** For a base whose pin somebody has removed: without it neither merges nor commits on it can be read. */
export function baseGone(run: string, base: string): string {
  return `the commit that it began from is gone, and so is the ref that kept it, ${basePin(run)}. Bring it back from a clone that has it (\`git fetch CLONE ${base}\`), then \`espalier land ${run}\``
}

/** Takes the name of a run, and pins its base. False: an engine with another state folder has taken it. */
export async function reserveRun(engine: EngineRepository, run: string, base: string): Promise<boolean> {
  const args = ['update-ref', '-m', `espalier: run ${run}`, basePin(run), base, '0'.repeat(base.length)]
  const { code, stderr } = await git(args, { ...inUser(engine), okCodes: [0, 1, 128] })
  if (code === 0) return true
  if ((await lookAt(inUser(engine), basePin(run))).commit !== null) return false
  throw new GitFailure(args, code, stderr, engine.user.commonDir)
}

/** Removes the pin of a run's base. Its branch and the refs of its work stay. */
export async function unpin(engine: EngineRepository, run: string): Promise<void> {
  await git(['update-ref', '-d', basePin(run)], inUser(engine))
}

/** Removes a run's branch and all its refs, or none of them if the branch is not at `tip` any more. `tip` null: it has no branch. */
export async function unpublish(engine: EngineRepository, run: string, tip: string | null): Promise<void> {
  const user = inUser(engine)
  const refs = await gitLines(['for-each-ref', '--format=delete %(refname) %(objectname)', userRefs(run)], user)
  const branch = tip === null ? [] : [`delete ${runBranch(run)} ${tip}`]
  await git(['update-ref', '--stdin'], { ...user, input: [...branch, ...refs].map((line) => `${line}\n`).join('') })
}

/** The user's repository without their hooks; of their configuration only that of the repository itself. */
export function inUser({ user }: Pick<EngineRepository, 'user'>): GitOptions {
  const { name, email } = user.identity
  return {
    gitDir: user.commonDir,
    cwd: user.commonDir,
    env: { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email, ...PATIENCE },
  }
}

/** Git itself waits 100 ms for a locked ref; the user's own git may need longer than that. */
const PATIENCE = {
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'core.filesRefLockTimeout',
  GIT_CONFIG_VALUE_0: '3000',
  GIT_CONFIG_KEY_1: 'core.packedRefsTimeout',
  GIT_CONFIG_VALUE_1: '3000',
}

export type Place = { commit: string | null; checkout: string | null }

const PLACE = '%(refname)%00%(objectname)%00%(worktreepath)'
const NOWHERE: Place = { commit: null, checkout: null }

export async function lookAt(user: GitOptions, ref: string): Promise<Place> {
  for (const line of await gitLines(['for-each-ref', `--format=${PLACE}`, ref], user)) {
    const [name, commit, checkout] = line.split('\0')
    if (name === ref && commit) return { commit, checkout: checkout || null }
  }
  return NOWHERE
}

// Keeps work that is not on the run's branch where its owner can see it: `refs/espalier/<run>/failed/<task>/<attempt>`,
// or `…/kept/…` if it was never meant to land.

export async function publishWork(engine: EngineRepository, run: string, work: KeptWork): Promise<string | null> {
  const { task, attempt, commit } = work
  const user = inUser(engine)
  try {
    if ((await objectInfo(engine, commit)) === null)
      return `the work of ${task} (attempt ${attempt}), ${commit.slice(0, 12)}, is not kept: ${engine.gitDir} was removed since, or the work is on another machine`
    await carry(engine, user, await objectsSince(engine, commit, engine.user.head))
    const ref = workRef(run, work)
    const { commit: there } = await lookAt(user, ref)
    if (there !== null && there !== commit)
      return `${ref} holds something else, so the work of ${task} (attempt ${attempt}) is kept only in ${engine.gitDir}`
    await git(['update-ref', '-m', `espalier: run ${run}`, ref, commit, there ?? '0'.repeat(commit.length)], user)
    return await publishSubmodules(engine, run)
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    return `the work of ${task} (attempt ${attempt}) is kept only in ${engine.gitDir}: ${error.stderr.trim()}`
  }
}

/**
 * Commits made inside of submodules, as `refs/espalier/<run>/submodules/<commit>`: the repository of the submodule lacks them.
 * Returns why one of them is not there; the others are.
 */
export async function publishSubmodules(engine: EngineRepository, run: string): Promise<string | null> {
  const kept = await submoduleCommits(engine, run)
  if (kept.length === 0) return null
  const user = inUser(engine)
  const folder = `${userRefs(run)}submodules/`
  const published = new Set(await gitLines(['for-each-ref', '--format=%(objectname)', folder], user))
  const there = kept.filter((commit) => published.has(commit))
  let trouble: string | null = null
  for (const commit of kept.filter((one) => !published.has(one)))
    try {
      await carry(engine, user, await objectsSince(engine, commit, ...there))
      await git(['update-ref', '-m', `espalier: run ${run}`, `${folder}${commit}`, commit], user)
      there.push(commit)
    } catch (error) {
      if (!(error instanceof GitFailure) || isDiskTrouble(error)) throw error
      trouble = `the commit ${commit.slice(0, 12)}, made in a submodule, is kept only in ${engine.gitDir}: ${error.stderr.trim()}`
    }
  return trouble
}

/** Runs in the user's repository, whether the state folder still knows them or not. */
export async function runsInUser(engine: Pick<EngineRepository, 'user'>): Promise<string[]> {
  const args = ['for-each-ref', '--format=%(refname)', 'refs/heads/espalier', 'refs/espalier']
  const refs = await gitLines(args, inUser(engine))
  return [...new Set(refs.flatMap((ref) => /^refs\/(?:heads\/)?espalier\/([^/]+)/.exec(ref)?.[1] ?? []))]
}

/** Number of commits, with those they build on, that no ref of the user's repository holds. */
export async function unsafeCommits(engine: EngineRepository, commits: readonly string[]): Promise<number> {
  if (commits.length === 0) return 0
  const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: quotedAlways(join(engine.gitDir, 'objects')) }
  const options = inUser(engine)
  const args = ['rev-list', '--count', '--stdin', '--not', '--all']
  return Number(await gitText(args, { ...options, env: { ...options.env, ...env }, input: inLines(commits) }))
}
