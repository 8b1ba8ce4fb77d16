// Replays an agent's commits one by one onto the branch, without a checkout: what `git rebase` would do.
//
// Properties
// - What comes out is the tree that a merge of the whole work gives. Where the commits one by one lead elsewhere, or
//   one of them conflicts although their sum does not, nothing is replayed.
// - G3 holds for every commit: it changes no path that the commit it is made of did not change.
// - A commit that changes nothing, there or here, is left out.
// - Work that has a merge in it is not replayed: what was merged may make no sense without it.

import { type EngineRepository, inEngine } from '../engine/repository.ts'
import { writeCommit } from '../engine/write-commit.ts'
import { git } from '../run/git.ts'
import { records } from '../run/path-bytes.ts'
import { type WorkCommit, workCommits } from '../slots/work-commits.ts'
import { treeOf } from '../trees/tree-of.ts'
import { checkDelta } from './delta.ts'

/** `of.tree` against `before` is what the agent did; `tree` against `onto` what comes of it. */
export type Step = { of: WorkCommit; before: string; onto: string; tree: string }

/** Null where it cannot be done; `tree` is what must come out. */
export async function replayCommits(
  engine: EngineRepository,
  { head, base, work, tree }: { head: string; base: string; work: string; tree: string },
): Promise<Step[] | null> {
  const chain = await workCommits(engine, { base, work })
  if (!chain?.every(({ parents }, n) => parents.length === 1 && parents[0] === (chain[n - 1]?.commit ?? base)))
    return null
  const steps: Step[] = []
  let [onto, from] = await Promise.all([treeOf(engine, head), treeOf(engine, base)])
  for (const of of chain) {
    const next = of.tree === from ? onto : onto === from ? of.tree : await picked(engine, of, onto)
    if (next === null) return null
    if (next !== onto) steps.push({ of, before: from, onto, tree: next })
    onto = next
    from = of.tree
  }
  if (onto !== tree || steps.length === 0) return null
  return (await keepsDelta(engine, steps)) ? steps : null
}

/**
 * The tree of one commit on top of another. merge-tree takes commits and finds their base itself (naming it needs git
 * 2.40), so it is given one that has the tree and comes right after the base. Null: they conflict.
 */
async function picked(engine: EngineRepository, of: WorkCommit, onto: string): Promise<string | null> {
  const parents = of.parents.slice(0, 1)
  const ours = writeCommit(engine, { tree: onto, parents, message: 'the branch\n' })
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, of.commit]
  const { code, stdout } = await git(args, { ...inEngine(engine), okCodes: [0, 1] })
  return code === 1 ? null : (records(stdout)[0] ?? null)
}

async function keepsDelta(engine: EngineRepository, steps: readonly Step[]): Promise<boolean> {
  for (const { of, before, onto, tree } of steps) {
    const { strange } = await checkDelta(engine, { landing: tree, head: onto, work: of.tree, base: before })
    if (strange.length > 0) return false
  }
  return true
}
