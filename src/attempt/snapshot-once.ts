// The snapshot of an attempt's work, taken once: verify commands that ran before a restart may have changed the files
// since. It is noted beside the attempt's logs; a note that makes no sense counts for nothing, and it is taken again.
import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { FAILURE_REASONS } from '../failure.ts'
import { writeAtomically } from '../files/write-atomically.ts'
import { readAgentHead } from '../git/slots/agent-head.ts'
import { slotOf } from '../git/slots/slot.ts'
import { type Snapshot, snapshot } from '../git/slots/snapshot.ts'
import type { AttemptSpec } from './order.ts'
import { bringBack, setAside } from './set-aside.ts'

/** `head`: of the agent's own repository; null where it could not be read. */
export type NotedSnapshot = Snapshot & { head: string | null }

/** `note`: where it is noted. */
export async function snapshotOnce(spec: AttemptSpec, note: string, summary: string | null): Promise<NotedSnapshot> {
  const { engine, slot, run, task, attempt, base } = spec
  const before = await readSnapshot(note)
  if (before) return before
  await bringBack(spec)
  const signOff = spec.settings.landing.signoff ?? engine.user.signsOff
  const words = { run, task: task.id, attempt, title: task.title, body: summary ?? undefined, signOff }
  const taken = await snapshot(slotOf(engine, slot), { base, ...words })
  if (!taken.ok && taken.commit === null && taken.failure.reason === 'worktree-broken') {
    const aside = await setAside(spec)
    if (aside !== null) taken.failure.message += ` Its files are in ${aside}.`
  }
  const head = await readAgentHead(slotOf(engine, slot))
  const noted = { ...taken, head: head.ok ? head.commit : null }
  await writeAtomically(note, JSON.stringify(noted))
  return noted
}

const commit = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/)
const work = {
  commit: commit.nullable(),
  diff: z.object({ files: z.number(), insertions: z.number(), deletions: z.number() }),
  paths: z.array(z.string()),
  head: commit.nullable().default(null),
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

/** Null where none was taken yet. */
export async function readSnapshot(path: string): Promise<NotedSnapshot | null> {
  try {
    return snapshotSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return null
  }
}
