// The snapshot of an attempt's work, taken once: verify commands that ran before a restart may have changed the files
// since. It is noted beside the attempt's logs; a note that makes no sense counts for nothing, and it is taken again.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { FAILURE_REASONS } from '../failure.ts'
import { slotOf } from '../git/slot.ts'
import { type Snapshot, snapshot } from '../git/snapshot.ts'
import { writeAtomically } from '../git/write-atomically.ts'
import type { AttemptSpec } from './attempt-spec.ts'
import { bringBack, setAside } from './set-aside.ts'

export async function snapshotOnce(spec: AttemptSpec, summary: string | null): Promise<Snapshot> {
  const { engine, slot, run, task, attempt, base, folder } = spec
  const before = await readSnapshot(folder.snapshot)
  if (before) return before
  await bringBack(spec)
  const signOff = spec.settings.landing.signoff ?? engine.user.signsOff
  const words = { run, task: task.id, attempt, title: task.title, body: summary ?? undefined, signOff }
  const taken = await snapshot(slotOf(engine, slot), { base, ...words })
  if (!taken.ok && taken.commit === null && taken.failure.reason === 'worktree-broken') {
    const aside = await setAside(spec)
    if (aside !== null) taken.failure.message += ` Its files are in ${aside}.`
  }
  await writeAtomically(folder.snapshot, JSON.stringify(taken))
  return taken
}

const commit = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/)
const work = {
  commit: commit.nullable(),
  diff: z.object({ files: z.number(), insertions: z.number(), deletions: z.number() }),
  paths: z.array(z.string()),
}
const failure = z.object({
  reason: z.enum(FAILURE_REASONS),
  message: z.string(),
  paths: z.array(z.string()).optional(),
})
const snapshotSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), ...work, tree: z.string(), agentCommits: z.number() }),
  z.object({ ok: z.literal(false), ...work, failure }),
])

async function readSnapshot(path: string): Promise<Snapshot | null> {
  try {
    return snapshotSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return null
  }
}
