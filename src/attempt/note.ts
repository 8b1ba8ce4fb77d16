// The note of a session: who worked on what, how it ended and what came of it, for those who come after. It is made of
// what the journal knows and of what lies in the attempt's folder, whoever asks and whenever: while the agent works it
// says what is known by then. When the attempt is over it is put into that folder too, as `note.json`.
//
// It is written before the journal hears of the end. An engine that is killed in between leaves what the agent's own
// program left (`session-end.json`), and the next engine ends the attempt, and writes the note, once more.
import { readFileSync, statSync } from 'node:fs'
import { type Json, objectAt, textAt } from '../agents/json-line.ts'
import type { Failure } from '../failure.ts'
import { writeAtomically } from '../files/write-atomically.ts'
import { readStatus } from '../process/supervise/exit.ts'
import type { AskedClaims, DiffStat, Note, PathList } from '../status.ts'
import type { Task } from '../task.ts'
import { jsonText } from '../text/json.ts'
import { type AttemptFolder, newestIteration } from '../workspace/folder.ts'
import { stepName } from '../workspace/step-name.ts'
import type { Finished } from './finished-fact.ts'
import type { AttemptSpec } from './order.ts'
import { type FoundSession, type SessionView, sessionView } from './session-view.ts'
import { readSnapshot } from './snapshot-once.ts'

export type SessionNote = SessionView & {
  title: string
  /** The program's own record of the conversation, and why that ended: in its own words, where it tells. */
  ownTranscript: string | null
  endReason: string | null
  failure: Failure | null
  /** What the agent said it did. */
  summary: string | null
  changed: PathList | null
  diff: DiffStat | null
  /** The commit that holds the work, and how many the agent had made by itself. */
  commit: string | null
  ownCommits: number
  /** The `verify` commands of the task, after its last word. `passed` is null for one that was not run to its end. */
  checks: { command: string; passed: boolean | null }[]
  /** What the agent told while it worked, and what it asked to write besides its claims, in order. */
  notes: Note[]
  asked: AskedClaims[]
  decisions: string[]
}

/** Tells nobody of trouble: an attempt is not worth less because there was no room for a note. */
export async function writeSessionNote(spec: AttemptSpec, fact: Finished): Promise<void> {
  const { run, task, folder } = spec
  const known = spec.view()
  if (!known || task.work.kind !== 'prompt') return
  const view = { ...known, ...fact, session: fact.session ?? null, finishedAt: Date.now() }
  const note = await sessionNote({ run, task, view, folder })
  await writeAtomically(folder.note, `${jsonText(note, 2)}\n`).catch(() => {})
}

export async function sessionNote(found: FoundSession): Promise<SessionNote> {
  const { task, view, folder } = found
  const session = await sessionView(found)
  const end = sessionEnd(folder)
  const snapshot = await readSnapshot(newestIteration(folder).snapshot)
  return {
    ...session,
    session: session.session ?? end.id,
    title: task.title,
    ownTranscript: end.transcript,
    endReason: end.reason,
    failure: view.failure,
    summary: view.summary,
    changed: view.touched ?? null,
    diff: view.diff,
    commit: view.commit,
    ownCommits: snapshot?.ok ? snapshot.agentCommits : 0,
    checks: checksOf(task, folder),
    notes: view.notes ?? [],
    asked: view.asked ?? [],
    decisions: task.decisions ?? [],
  }
}

/** What the program said of the conversation when that ended, in the newest of its processes that said something. */
function sessionEnd(folder: AttemptFolder): Record<'id' | 'transcript' | 'reason', string | null> {
  for (let { number } = newestIteration(folder); number > 0; number--) {
    const said = smallJson(folder.iteration(number).sessionEnd)
    if (said === null) continue
    const [id, transcript] = [textAt(said, 'session_id'), textAt(said, 'transcript_path')]
    return { id, transcript, reason: textAt(said, 'reason') }
  }
  return { id: null, transcript: null, reason: null }
}

/**
 * Null where there is none, or something else than the program would leave. The agent can write there too: a pipe would
 * be waited for, and a device has no end.
 */
function smallJson(path: string): Json | null {
  try {
    const file = statSync(path)
    if (!file.isFile() || file.size > MAX_END_BYTES) return null
    return objectAt(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}

function checksOf({ verify }: Task, folder: AttemptFolder): SessionNote['checks'] {
  const { number } = newestIteration(folder)
  return verify.map((command, index) => {
    const status = readStatus(folder.step(stepName('verify', index + 1, number)))
    const { ending } = status ?? {}
    return { command, passed: ending?.kind === 'exited' ? ending.code === 0 : null }
  })
}

const MAX_END_BYTES = 64 << 10
