// Puts the work of an attempt that was interrupted back into a slot that was prepared at the same base: the files as they
// were, HEAD at the agent's own last commit, and what it had not committed as changes.
//
// The work becomes that of the new attempt at once, under its ref: so it stays the agent's own commits, one by one, and is
// kept whatever happens next (I10).
// Tolerated: being killed at any point, and a commit that is gone. Then the slot is at its base.
import type { Failure } from '../../event.ts'
import { keepRef } from '../engine/ref-file.ts'
import { workCommits } from '../landing/commit.ts'
import { objectInfo } from '../run/read-objects.ts'
import { treeOf } from '../trees/tree-of.ts'
import { restore } from './restore.ts'
import type { Slot } from './slot.ts'

type InterruptedWork = {
  base: string
  commit: string
  task: string
  attempt: number
  /** Of the attempt that continues. */
  ref: string
}

export async function restoreWork(slot: Slot, work: InterruptedWork): Promise<Failure | null> {
  const { engine } = slot
  if ((await objectInfo(engine, work.commit))?.type !== 'commit') return null
  const message = `work of ${work.task}, attempt ${work.attempt}, which was interrupted`
  await keepRef(engine, { ref: work.ref, to: work.commit, message })
  const head = await ownHead(slot, work)
  return restore(slot, { tree: await treeOf(engine, work.commit), commit: head, head })
}

/** What the agent had not committed is a last commit of the engine's, on top of its own. */
async function ownHead({ engine }: Slot, { base, commit, task, attempt }: InterruptedWork): Promise<string> {
  const commits = await workCommits(engine, { base, work: commit })
  const last = commits?.at(-1)
  if (!last || last.commit !== commit) return base
  const lines = last.message.split('\n')
  const isEngines = lines.includes(`Espalier-Task: ${task}`) && lines.includes(`Espalier-Attempt: ${attempt}`)
  return isEngines ? (last.parents[0] ?? base) : commit
}
