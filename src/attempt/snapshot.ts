// The snapshot of an attempt's work, taken once: verify commands that ran before a restart may have changed the files
// since. It is noted beside the attempt's logs; a note that makes no sense counts for nothing, and it is taken again.
// A worktree whose work git could not keep is moved out of the pool as it is, so that the next attempt cannot reset it
// (I10).
import { existsSync } from 'node:fs'
import { readFile, rename } from 'node:fs/promises'
import * as z from 'zod'
import { commit, diff, failure } from '../event.ts'
import { isRealFolder } from '../files/real-folder.ts'
import { writeAtomically } from '../files/write-atomically.ts'
import { attemptRef } from '../git/engine/refs.ts'
import { resolveConflict } from '../git/landing/conflict.ts'
import { readAgentHead } from '../git/slots/agent-head.ts'
import { type Snapshot, snapshot } from '../git/slots/snapshot.ts'
import type { AttemptContext } from './context.ts'

/** `head`: of the agent's own repository; null where it could not be read. */
export type NotedSnapshot = Snapshot & { head: string | null }

/** `file`: where it is noted. */
export async function snapshotOnce(
  context: AttemptContext,
  file: string,
  summary: string | null,
): Promise<NotedSnapshot> {
  const before = await readSnapshot(file)
  if (before) return before
  const { order, slot } = context
  const { run, task, attempt, base, signOff } = order
  await bringBack(context)
  const words = { run, task: task.id, attempt, title: task.title, body: summary ?? undefined, signOff }
  const taken = await snapshot(slot, { base, ...words })
  if (!taken.ok && taken.commit === null && taken.failure.reason === 'worktree-broken') {
    const aside = await setAside(context)
    if (aside !== null) taken.failure.message += ` Its files are in ${aside}.`
  }
  const head = readAgentHead(slot)
  const noted = { ...taken, head: head.ok ? head.commit : null }
  await writeAtomically(file, JSON.stringify(noted))
  return noted
}

/**
 * The snapshot as it would land. What an attempt leaves that is to resolve a conflict has to be a resolution, or it has
 * failed: a change to what the conflict was found on. The snapshots of other attempts are left as they are.
 */
export async function resolutionOf(
  { order, slot }: AttemptContext,
  taken: Snapshot,
  summary: string | null,
): Promise<Snapshot> {
  const { resolves, run, task, attempt } = order
  if (resolves === null || !taken.ok) return taken
  const title = `${task.title} (conflict resolved)`
  const resolved = await resolveConflict(slot.engine, {
    conflict: resolves.commit,
    tree: taken.tree,
    words: { title, body: summary ?? undefined, run, tasks: [{ task: task.id, attempt }] },
    ref: attemptRef(run, task.id, attempt),
  })
  if (resolved.ok) return { ...resolved, agentCommits: taken.agentCommits }
  const { commit, diff, paths } = taken
  return { ok: false, commit, diff, paths, failure: resolved.failure }
}

/** Where its files are now; null if they are gone. */
async function setAside({ slot, folder }: AttemptContext): Promise<string | null> {
  if (existsSync(folder.aside)) return folder.aside // and what stands in its place now is not this attempt's
  if (!isRealFolder(slot.path)) return null
  await rename(slot.path, folder.aside)
  return folder.aside
}

/**
 * Undoes it, for another look at the work: nobody noted that it was set aside, because the engine was killed or the
 * disk was full, and git may be able to keep it now.
 */
async function bringBack({ slot, folder }: AttemptContext): Promise<void> {
  if (existsSync(folder.aside) && !existsSync(slot.path)) await rename(folder.aside, slot.path)
}

const work = { commit: commit.nullable(), diff, paths: z.array(z.string()), head: commit.nullable() }
const snapshotSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), ...work, tree: z.string(), agentCommits: z.number() }),
  z.object({ ok: z.literal(false), ...work, failure }),
])

/** Null where none was taken yet. */
export async function readSnapshot(file: string): Promise<NotedSnapshot | null> {
  try {
    return snapshotSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return null
  }
}
