// Work that is not on the run's branch is kept where its owner can see it: `refs/espalier/<run>/failed/<task>/<attempt>`,
// or `…/kept/…` if it was never meant to land.
import { join } from 'node:path'
import type { KeptWork } from '../../facts/kept-refs.ts'
import { quotedAlways } from '../engine/alternates.ts'
import { workRef } from '../engine/refs.ts'
import type { EngineRepository } from '../engine/repository.ts'
import { GitFailure, git, gitText } from '../run/git.ts'
import { carry, objectsSince } from './carry.ts'
import { inUser, lookAt } from './publish.ts'

export async function publishWork(engine: EngineRepository, run: string, work: KeptWork): Promise<string | null> {
  const { task, attempt, commit } = work
  const user = inUser(engine)
  try {
    await carry(engine, user, await objectsSince(engine, commit, engine.user.head))
    const ref = workRef(run, work)
    const { commit: there } = await lookAt(user, ref)
    if (there !== null && there !== commit)
      return `${ref} holds something else, so the work of ${task} (attempt ${attempt}) is kept only in ${engine.gitDir}`
    await git(['update-ref', '-m', `espalier: run ${run}`, ref, commit, there ?? '0'.repeat(commit.length)], user)
    return null
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    return `the work of ${task} (attempt ${attempt}) is kept only in ${engine.gitDir}: ${error.stderr.trim()}`
  }
}

/** The runs that the user's repository holds anything of, whether the state folder still knows them or not. */
export async function runsInUser(engine: Pick<EngineRepository, 'user'>): Promise<string[]> {
  const args = ['for-each-ref', '--format=%(refname)', 'refs/heads/espalier', 'refs/espalier']
  const refs = (await gitText(args, inUser(engine))).split('\n')
  return [...new Set(refs.flatMap((ref) => /^refs\/(?:heads\/)?espalier\/([^/]+)/.exec(ref)?.[1] ?? []))]
}

/** How many commits of these, or that these build on, no ref of the user's repository holds. */
export async function unsafeCommits(engine: EngineRepository, commits: readonly string[]): Promise<number> {
  if (commits.length === 0) return 0
  const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: quotedAlways(join(engine.gitDir, 'objects')) }
  const options = inUser(engine)
  const input = commits.map((commit) => `${commit}\n`).join('')
  const args = ['rev-list', '--count', '--stdin', '--not', '--all']
  return Number(await gitText(args, { ...options, env: { ...options.env, ...env }, input }))
}
