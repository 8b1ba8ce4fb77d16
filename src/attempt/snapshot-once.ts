// The snapshot of an attempt's work, taken once: verify commands that ran before a restart may have changed the files
// since. It is noted beside the attempt's logs; with a broken note it is taken again, and where its commit went with a removed
// engine.git: then what checks wrote since is part of it, because the worktree is all there is. A worktree whose work git could
// not keep is set aside as it is (I10).
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import * as z from 'zod'
import { commit, diff, failure } from '../event.ts'
import { readSealed, type Seal, writeSealed } from '../files/sealed.ts'
import { attemptRef } from '../git/engine/ref-names.ts'
import { resolveConflict } from '../git/landing/conflict-commit.ts'
import { isMachineTrouble } from '../git/run/machine-trouble.ts'
import { objectInfo } from '../git/run/read-objects.ts'
import { bringBack, removeWorkNote, setAside } from '../git/slots/folders-set-aside.ts'
import { readAgentHead } from '../git/slots/import-agent-commits.ts'
import { type Snapshot, snapshot } from '../git/slots/snapshot.ts'
import type { AttemptContext } from './attempt-context.ts'

/** `head`: of the agent's own repository; null: unreadable. */
export type NotedSnapshot = Snapshot & { head: string | null }

/** `file`: for the note. */
export async function snapshotOnce(
  context: AttemptContext,
  file: string,
  summary: string | null,
): Promise<NotedSnapshot> {
  const { order, slot } = context
  const { run, task, attempt, base, signOff } = order
  const seal = { key: slot.engine.key, about: `snapshot ${order.token} ${basename(file)}` }
  const before = await readSnapshot(file, seal)
  if (before && (before.commit === null || (await objectInfo(slot.engine, before.commit)) !== null)) {
    removeWorkNote(slot.path)
    return before
  }
  await bringBack(slot, { run, task: task.id, attempt })
  const words = { run, task: task.id, attempt, title: task.title, body: summary ?? undefined, signOff }
  const taken = await snapshot(slot, { base, ...words, submodules: order.settings.submodules })
  const head = readAgentHead(slot)
  // Also if a part of it is in a ref.
  if (!taken.ok && taken.failure.reason === 'worktree-broken') {
    const aside = await setAside(slot)
    if (aside !== null) taken.failure.message += ` Its files are in ${aside.path}.`
  }
  const noted = { ...taken, head: head.ok ? head.commit : null }
  await writeSealed(file, JSON.stringify(noted), seal)
  removeWorkNote(slot.path)
  return noted
}

/**
 * The snapshot as it would land. An attempt that resolves a conflict has failed if its work is no resolution: a change
 * to what the conflict was found on. Other snapshots stay as they are.
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

const work = { commit: commit.nullable(), diff, paths: z.array(z.string()), head: commit.nullable() }
const snapshotSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), ...work, tree: z.string(), agentCommits: z.number() }),
  z.object({ ok: z.literal(false), ...work, failure }),
])

/** Null: none was taken yet, or somebody else wrote the note. */
async function readSnapshot(file: string, seal: Seal): Promise<NotedSnapshot | null> {
  try {
    const text = readSealed(file, seal)
    return text === null ? null : snapshotSchema.parse(JSON.parse(text))
  } catch (error) {
    if (isMachineTrouble(error) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return null
  }
}

/** Number of the agent's own commits, for people: nothing is decided by it, so its seal is not checked. */
export function notedCommits(file: string): number {
  try {
    const text = readFileSync(file, 'utf8')
    const noted = snapshotSchema.parse(JSON.parse(text.slice(text.indexOf('\n') + 1)))
    return noted.ok ? noted.agentCommits : 0
  } catch {
    return 0
  }
}
