// Puts a slot back to a snapshot: for an agent that continues after its checks, and for checks that are run again. The
// files of checks would otherwise become work with the next snapshot.
//
// Properties
// - Exactly what a snapshot would take is put back. Ignored files, caches, files of setup and included files stay as
//   the checks left them: a build need not be made again.
// - The agent's repository stays as it is, with what it had staged or stashed, unless its HEAD has moved since: then it
//   is written anew at the commit of the snapshot, so that no commit of a check becomes a part of the work.
// Tolerated: being killed at any point, and a missing or broken index. It can be done again.
import { rm } from 'node:fs/promises'
import type { Failure } from '../../event.ts'
import { isRealFolder, kindOf } from '../../files/refuse-symlinks.ts'
import { throwEngineTrouble } from '../engine/engine-trouble.ts'
import { keepRef } from '../engine/ref-file.ts'
import { workCommits } from '../landing/landing-commit.ts'
import { git } from '../run/git.ts'
import { isLocalTrouble } from '../run/machine-trouble.ts'
import { objectInfo } from '../run/read-objects.ts'
import { treeOf } from '../trees/tree-of.ts'
import { writeAgentRepository } from './agent-repository.ts'
import { readAgentHead } from './import-agent-commits.ts'
import { readIndexFile, readOwnIndex } from './index-file.ts'
import { cleanSlot, inSlot, readSlotNote, type Slot, writeIgnoreFile, writeSlotNote } from './slot.ts'

type RestorePoint = {
  tree: string
  commit: string
  /** HEAD at the time of the snapshot; null: not known. */
  head: string | null
}

export async function restore(slot: Slot, point: RestorePoint): Promise<Failure | null> {
  try {
    return (await put(slot, point)) ? null : broken(slot, 'it is gone')
  } catch (error) {
    if (!isLocalTrouble(error)) throw error
    throwEngineTrouble(slot.engine)
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
  // Before: a folder replaced by a link looks unchanged until then. After: a check may have changed the ignored paths.
  await clean()
  await git(['read-tree', '-u', '--reset', tree], inSlot(slot))
  await writeSlotNote(slot, { ...note, indexHash: readIndexFile(slot)?.hash ?? null })
  await clean()
  const now = readAgentHead(slot)
  if (!now.ok || now.commit !== head)
    await writeAgentRepository(slot, { commit, branch: note.branch, excludes, isSameAttempt: true })
  return true
}

function broken(slot: Slot, why: string): Failure {
  const message = `The worktree ${slot.path} could not be put back to what the agent had left before its checks ran: ${why}. Find out what the verify commands do to it.`
  return { reason: 'worktree-broken', message }
}

// Puts the work of an interrupted attempt back into a slot that was prepared at the same base: the files as they were,
// HEAD at the agent's own last commit, and its uncommitted work as changes.
//
// The work becomes that of the new attempt at once, under its ref: so it stays the agent's own commits, and is kept
// whatever happens next (I10).
// Tolerated: being killed at any point, and a commit that is gone. Then the slot is at its base.

type InterruptedWork = {
  base: string
  commit: string
  task: string
  attempt: number
  /** Ref of the attempt that continues. */
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

/** The agent's last commit: its uncommitted work is one more, by the engine, on top. */
async function ownHead({ engine }: Slot, { base, commit, task, attempt }: InterruptedWork): Promise<string> {
  const commits = await workCommits(engine, { base, work: commit })
  const last = commits?.at(-1)
  if (!last || last.commit !== commit) return base
  const lines = last.message.split('\n')
  const isEngines = lines.includes(`Espalier-Task: ${task}`) && lines.includes(`Espalier-Attempt: ${attempt}`)
  return isEngines ? (last.parents[0] ?? base) : commit
}
