// One landing: work merged onto the run's branch without a checkout. Callers serialize landings of a run.
//
// Properties
// - A landing is one commit with two parents, what was there and the work, unless another `mode` is asked for
//   (landing-commit.ts). I3 reads the trailers of the first-parent chain.
// - G3: it changes no path that the work did not change since it left the branch. Checked here, not trusted.
// - G4: the branch moves by compare-and-swap.
// Cost: one git process, merge-tree, and none if nothing landed in between; the rest is asked of gits that stay, or
// written as git would.

import { type EngineRepository, inEngine } from '../engine/engine-repository.ts'
import { type Move, moveRef } from '../engine/ref-file.ts'
import { gitRecords, gitText } from '../run/git.ts'
import { readable } from '../run/path-bytes.ts'
import { escapingLinks } from '../trees/escaping-links.ts'
import { checkDelta, type Delta } from '../trees/tree-changes.ts'
import type { CommitWords } from './commit-message.ts'
import { mergeSides } from './conflict-commit.ts'
import { landingCommit, type MergeMode } from './landing-commit.ts'

export type Merge =
  | { kind: 'merged'; commit: string }
  | { kind: 'conflict'; paths: string[] }
  | { kind: 'refused'; paths: string[] }
  /** Symbolic links that, together with links that landed meanwhile, lead out of the repository. */
  | { kind: 'escapes'; paths: string[] }

type MergeRequest = {
  head: string
  work: string
  /** A commit that the work descends from. If that is `head`, the tree of the work lands as it is. */
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
  if (base === head) return { kind: 'merged', commit: await landingOf(null, base) }
  const [{ tree, isClean, paths }, common] = await Promise.all([
    mergeSides(engine, head, work),
    base ?? gitText(['merge-base', head, work], inEngine(engine)),
  ])
  if (!isClean) return { kind: 'conflict', paths: paths.map(readable) }
  const [landing, { strange, worked, links }] = await Promise.all([
    landingOf(tree, common),
    checkDelta(engine, { landing: tree, head, work, base: common }),
  ])
  if (strange.length === 0) {
    const escaping = links ? await escapingLinks(engine, { base: head, work: landing }) : []
    if (escaping.length > 0) return { kind: 'escapes', paths: escaping.map(readable) }
    return { kind: 'merged', commit: landing }
  }
  const followed = await followedRenames(engine, { base: common, head, strange, worked })
  if (followed !== null) return { kind: 'conflict', paths: followed.map(readable) }
  return { kind: 'refused', paths: strange.map(readable) }
}

/**
 * Old names of the paths, if git carried the work's change over to files renamed on the branch. Null: that does not
 * explain all.
 */
async function followedRenames(
  engine: EngineRepository,
  { base, head, strange, worked }: { base: string; head: string } & Pick<Delta, 'strange' | 'worked'>,
): Promise<string[] | null> {
  const args = ['diff-tree', '-r', '-z', '-M', '-l0', '--diff-filter=R', '--name-status', base, head]
  const output = await gitRecords(args, inEngine(engine))
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

/** Moves a branch of the engine's repository if it is still at `from` (null: it does not exist yet). */
export async function moveBranch(
  engine: EngineRepository,
  { ref, to, from, patienceMs }: { ref: string; to: string; from: string | null; patienceMs?: number },
): Promise<Move> {
  return moveRef(engine, { ref, to, from, patienceMs, message: 'espalier: landing' })
}
