// Commits that are not there with all that is in them: a lost folder of objects or a lost pack takes trees and files, too.
import { GitFailure, git } from '../run/git.ts'
import { inLines } from '../run/path-bytes.ts'
import { objectInfos } from '../run/read-objects.ts'
import { type EngineRepository, inEngine } from './engine-repository.ts'

/** Commits in the user's repository, which are not looked at: the base of the run, and the newest one published. */
export type Kept = { base: string; published: string | null }

/** Takes one git process where nothing is broken. Without the base only the commits themselves are looked at. */
export async function brokenCommits(
  engine: EngineRepository,
  commits: readonly string[],
  { base, published }: Kept,
): Promise<Set<string>> {
  const kept = published === null ? [base] : [base, published]
  const infos = await objectInfos(engine, [...commits, ...kept])
  const isThere = (commit: string) => infos.get(commit)?.type === 'commit'
  const broken = new Set(commits.filter((commit) => !isThere(commit)))
  const there = [...new Set(commits)].filter((commit) => isThere(commit) && !kept.includes(commit))
  const known = kept.filter(isThere)
  if (there.length === 0 || !isThere(base) || (await areWhole(engine, there, known))) return broken
  for (const commit of there) if (!(await areWhole(engine, [commit], known))) broken.add(commit)
  return broken
}

async function areWhole(engine: EngineRepository, commits: string[], known: string[]): Promise<boolean> {
  const args = ['rev-list', '--objects', '--quiet', '--missing=print', '--stdin']
  const input = inLines([...commits, ...known.map((commit) => `^${commit}`)])
  const { code, stdout, stderr } = await git(args, { ...inEngine(engine), input, okCodes: [0, 128] })
  // A commit that is missing in the history is an error of git, other objects are printed.
  if (code !== 0 && !/^error: Could not read [0-9a-f]+$/m.test(stderr))
    throw new GitFailure(args, code, stderr, engine.gitDir)
  return code === 0 && stdout.length === 0
}
