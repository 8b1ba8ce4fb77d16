// A conflict as a commit, and what counts as its resolution.
//
//   base ──▶ … ──▶ onto ──┐               the branch
//     └────▶ … ──▶ work ──┴──▶ conflict   as far as git could merge them, with markers in the files it could not
//
// A resolution is one commit with the same two parents and a tree that somebody has put right: the commit with the
// markers never becomes part of the history.
import { LIMITS } from '../config.ts'
import type { Failure } from '../failure.ts'
import type { DiffStat } from '../status.ts'
import { type CommitWords, commitMessage } from './commit-message.ts'
import { authorship, type EngineRepository, inEngine } from './engine-repository.ts'
import { escapingLinks } from './escaping-links.ts'
import { git, gitText } from './git.ts'
import { checkDelta } from './landing.ts'
import { readable, records } from './path-bytes.ts'
import { treeDiff } from './tree-diff.ts'
import { treeOf } from './tree-of.ts'

/** Makes the commit and keeps it under `ref`. Null: git merges the two by itself, so there is nothing to show. */
export async function keepConflict(
  engine: EngineRepository,
  { onto, work, ref, words }: { onto: string; work: string; ref: string; words: CommitWords },
): Promise<string | null> {
  const { tree, paths } = await mergeSides(engine, onto, work)
  if (paths.length === 0) return null
  const commit = await commitTree(engine, tree, [onto, work], words)
  await git(['update-ref', '-m', 'espalier: conflict', ref, commit], inEngine(engine))
  return commit
}

export type Conflict = { onto: string; work: string; paths: string[] }

export async function readConflict(engine: EngineRepository, commit: string): Promise<Conflict> {
  const [onto, work] = (await gitText(['rev-parse', `${commit}^1`, `${commit}^2`], inEngine(engine))).split('\n')
  if (!onto || !work) throw new Error(`${commit} has no two parents`)
  const { paths } = await mergeSides(engine, onto, work)
  return { onto, work, paths }
}

export type Resolution =
  | { ok: true; commit: string; tree: string; diff: DiffStat; paths: string[] }
  | { ok: false; failure: Failure }

/** The commit to land, kept under `ref`, if `tree` resolves the conflict. Only the work's own paths may differ (G3). */
export async function resolveConflict(
  engine: EngineRepository,
  { conflict, tree, words, ref }: { conflict: string; tree: string; words: CommitWords; ref: string },
): Promise<Resolution> {
  const { onto, work, paths } = await readConflict(engine, conflict)
  const marked = await withMarkers(engine, { tree, onto, work, paths })
  if (marked.length > 0) return refused('conflict', `conflict markers are left in ${named(marked)}`, marked)
  if (tree === (await treeOf(engine, onto)))
    return refused('conflict', 'it leaves nothing of the work: all that differs from the branch is gone', paths)
  const commit = await commitTree(engine, tree, [onto, work], words)
  const base = await gitText(['merge-base', onto, work], inEngine(engine))
  const { strange } = await checkDelta(engine, { landing: commit, head: onto, work, base })
  if (strange.length > 0) {
    const others = strange.map(readable)
    return refused('landing-refused', `it changes paths that the work had not changed: ${named(others)}`, others)
  }
  const changes = await treeDiff(engine, onto, commit)
  if (changes.submodules.length > 0)
    return refused('submodule-changed', `it changes a submodule: ${named(changes.submodules)}`, changes.submodules)
  const links = changes.links ? (await escapingLinks(engine, { base: onto, work: commit })).map(readable) : []
  if (links.length > 0)
    return refused('symlink-escapes', `a symbolic link leads out of the repository: ${named(links)}`, links)
  await git(['update-ref', '-m', 'espalier: conflict resolved', ref, commit], inEngine(engine))
  return { ok: true, commit, tree, diff: changes.diff, paths: changes.paths }
}

/** `paths` in conflict; `tree` has markers in them, or one of the sides where git knows none (a binary file). */
async function mergeSides(engine: EngineRepository, onto: string, work: string) {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', onto, work]
  const { code, stdout } = await git(args, { ...inEngine(engine), okCodes: [0, 1] })
  const [tree, ...conflicts] = records(stdout)
  if (!tree) throw new Error('merge-tree answered in an unknown form')
  return { tree, paths: code === 0 ? [] : [...new Set(conflicts)].map(readable) }
}

/** Markers name the two sides, so a file that is about markers is not taken for one that has them. */
async function withMarkers(
  engine: EngineRepository,
  { tree, onto, work, paths }: Conflict & { tree: string },
): Promise<string[]> {
  if (paths.length === 0) return []
  const marker = `^(<{7,} (HEAD|${onto})|>{7,} ${work})`
  const env = { GIT_LITERAL_PATHSPECS: '1' }
  const found: string[] = []
  for (let i = 0; i < paths.length; i += MAX_PATHSPECS) {
    const some = paths.slice(i, i + MAX_PATHSPECS)
    const args = ['grep', '-z', '-l', '-E', '-e', marker, tree, '--', ...some]
    const { stdout } = await git(args, { ...inEngine(engine), env, okCodes: [0, 1] })
    found.push(...records(stdout).map((name) => readable(name.slice(tree.length + 1))))
  }
  return found
}

const MAX_PATHSPECS = 500

async function commitTree(engine: EngineRepository, tree: string, parents: string[], words: CommitWords) {
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])]
  const env = authorship(engine.user.identity)
  return gitText(args, { ...inEngine(engine), input: commitMessage(words), env })
}

function refused(reason: Failure['reason'], message: string, paths: string[]): Resolution {
  return {
    ok: false,
    failure: {
      reason,
      message: `the conflict is not resolved: ${message}`,
      paths: paths.slice(0, LIMITS.failurePaths),
    },
  }
}

function named(paths: string[]): string {
  return paths.slice(0, 5).join(', ') + (paths.length > 5 ? `, … (${paths.length} paths)` : '')
}
