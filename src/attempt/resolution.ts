// An attempt that is to resolve a conflict: it begins with both sides in its worktree, and what it leaves has to be a
// resolution, or the attempt has failed.

import { attemptRef } from '../git/engine/refs.ts'
import { readConflict, resolveConflict } from '../git/landing/conflict.ts'
import { readable } from '../git/run/path-bytes.ts'
import type { Snapshot } from '../git/slots/snapshot.ts'
import type { AttemptSpec } from './order.ts'

/** Files in conflict, for its prompt; null where it resolves nothing. */
export async function conflictFiles({ engine, resolves }: AttemptSpec): Promise<string[] | null> {
  return resolves && (await readConflict(engine, resolves.commit)).paths.map(readable)
}

/** The snapshot as it would land: a change to what the conflict was found on. Other attempts' are left as they are. */
export async function resolutionOf(spec: AttemptSpec, snapshot: Snapshot, summary: string | null): Promise<Snapshot> {
  const { resolves, engine, run, task, attempt } = spec
  if (resolves === null || !snapshot.ok) return snapshot
  const resolution = await resolveConflict(engine, {
    conflict: resolves.commit,
    tree: snapshot.tree,
    words: {
      title: `${task.title} (conflict resolved)`,
      body: summary ?? undefined,
      run,
      tasks: [{ task: task.id, attempt }],
    },
    ref: attemptRef(run, task.id, attempt),
  })
  if (resolution.ok) return { ...resolution, agentCommits: snapshot.agentCommits }
  const { commit, diff, paths } = snapshot
  return { ok: false, commit, diff, paths, failure: resolution.failure }
}
