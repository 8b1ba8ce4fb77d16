// Puts a slot back to what a snapshot of it holds: for an agent that goes on after its checks have run, and for checks
// that are run again. What checks wrote would otherwise become work with the next snapshot.
//
// Properties
// - Exactly what a snapshot would take is put back. Ignored files, caches, what setup made and included files stay as
//   the checks left them: a build that is there already need not be made again.
// - The agent's repository stays as it is, with what it had staged or stashed, unless its HEAD has moved since: then it
//   is written anew at the commit of the snapshot, so that no commit of a check becomes a part of the work.
// Tolerated: being killed at any point, and a missing or broken index. It can be done again.
import { rm } from 'node:fs/promises'
import type { Failure } from '../../event.ts'
import { isRealFolder, kindOf } from '../../files/real-folder.ts'
import { keepRef } from '../engine/ref-file.ts'
import { workCommits } from '../landing/commit.ts'
import { isDiskTrouble } from '../run/disk-trouble.ts'
import { git } from '../run/git.ts'
import { isMachineTrouble, isShortage } from '../run/machine-trouble.ts'
import { objectInfo } from '../run/read-objects.ts'
import { treeOf } from '../trees/tree-of.ts'
import { readAgentHead } from './agent-head.ts'
import { writeAgentRepository } from './agent-repository.ts'
import { cleanSlot } from './clean-slot.ts'
import { writeIgnoreFile } from './ignore-patterns.ts'
import { readIndexFile, readOwnIndex } from './index-file.ts'
import { inSlot, readSlotNote, type Slot, writeSlotNote } from './slot.ts'

type RestorePoint = {
  tree: string
  /** What HEAD is written anew at. */
  commit: string
  /** What HEAD was when the snapshot was taken; null: not known. */
  head: string | null
}

export async function restore(slot: Slot, point: RestorePoint): Promise<Failure | null> {
  try {
    return (await put(slot, point)) ? null : broken(slot, 'it is gone')
  } catch (error) {
    if (!isMachineTrouble(error) || isDiskTrouble(error) || isShortage(error)) throw error
    kindOf(slot.path) // throws where not even the folder can be looked at
    return broken(slot, error.message)
  }
}

async function put(slot: Slot, { tree, commit, head }: RestorePoint): Promise<boolean> {
  const note = await readSlotNote(slot)
  if (note === null || !isRealFolder(slot.path)) return false
  await rm(`${slot.index}.lock`, { force: true })
  if (readOwnIndex(slot, note) === null) await rm(slot.index, { force: true })
  const excludes = await writeIgnoreFile(slot, note)
  const clean = () => cleanSlot(slot, ['-ffdq'], ['-c', `core.excludesFile=${slot.exclude}`])
  // Before: a folder replaced by a link looks unchanged until then. After: a check may have changed what is ignored.
  await clean()
  await git(['read-tree', '-u', '--reset', tree], inSlot(slot))
  await writeSlotNote(slot, { ...note, indexHash: readIndexFile(slot)?.hash ?? null })
  await clean()
  const now = readAgentHead(slot)
  if (!now.ok || now.commit !== head) await writeAgentRepository(slot, { commit, branch: note.branch, excludes })
  return true
}

function broken(slot: Slot, why: string): Failure {
  const message = `The worktree ${slot.path} could not be put back to what the agent had left before its checks ran: ${why}. Find out what the verify commands do to it.`
  return { reason: 'worktree-broken', message }
}

// Puts the work of an attempt that was interrupted back into a slot that was prepared at the same base: the files as they
// were, HEAD at the agent's own last commit, and what it had not committed as changes.
//
// The work becomes that of the new attempt at once, under its ref: so it stays the agent's own commits, one by one, and is
// kept whatever happens next (I10).
// Tolerated: being killed at any point, and a commit that is gone. Then the slot is at its base.

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
