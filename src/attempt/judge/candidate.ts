// What is judged: the tree of a candidate with the evaluator's paths as they are at the root, as one commit on the root. The commit
// follows from the tree alone (its date is the root's), so two ways to the same files lead to the same commit.

import { keepRef } from '../../git/engine/ref-file.ts'
import { attemptRef } from '../../git/engine/refs.ts'
import { type EngineRepository, inEngine } from '../../git/engine/repository.ts'
import { writeCommit } from '../../git/engine/write-object.ts'
import { gitText } from '../../git/run/git.ts'
import { restoredTree } from '../../git/trees/restored-tree.ts'
import { treeDiff } from '../../git/trees/tree-changes.ts'
import { treeOf } from '../../git/trees/tree-of.ts'
import type { DiffStat } from '../../status.ts'
import type { AttemptContext } from '../attempt-context.ts'
import type { SearchOrder } from '../attempt-order.ts'
import { matcher } from '../inspect-work.ts'

export type JudgedCommit = {
  commit: string
  tree: string
  /** Paths of the evaluator that the candidate had changed. */
  restored: string[]
  /** Against the node it comes from. */
  diff: DiffStat | null
}

export async function judgedCommit(
  { order, slot: { engine } }: Pick<AttemptContext, 'order' | 'slot'>,
  judge: Extract<SearchOrder, { role: 'judge' }>,
): Promise<JudgedCommit> {
  const { base: work, runBase: root, run, task, attempt } = order
  const { tree, paths } = await restoredTree(engine, { work, root, isRestored: matcher(judge.protected) })
  if (judge.parent === null || tree === (await treeOf(engine, root)))
    return { commit: root, tree, restored: paths, diff: null }
  const message = `${judge.objective.split('\n', 1)[0]}\n\nA candidate of a search.\n`
  const commit = writeCommit(engine, { tree, parents: [root], message, date: await dateOf(engine, root) })
  await keepRef(engine, { ref: attemptRef(run, task.id, attempt), to: commit, message: `judge ${task.id}` })
  return { commit, tree, restored: paths, diff: (await treeDiff(engine, judge.parent, commit)).diff }
}

/** As git has it in a commit. */
async function dateOf(engine: EngineRepository, commit: string): Promise<string> {
  return (await gitText(['log', '-1', '--format=%cd', '--date=raw', commit], inEngine(engine))).trim()
}
