// Merges observations into the lessons, and drops lessons that stop helping or whose files are gone. Pure. Confidence
// moves by a share of the remaining distance, up with each sight and success, down with each failure: it never reaches 0 or 1.
// Each function changes `known` in place and returns the ids of the lessons that it has changed, added or dropped.
import { LIMITS } from '../config.ts'
import { EVIDENCE, type Known, type Lesson } from '../learning-records.ts'
import { lessonId, type Observation } from './observe.ts'

export function absorb(known: Known, observations: readonly Observation[], at: number): string[] {
  const seen = observations.map((one) => {
    const id = lessonId(one)
    const before = known.get(id)
    known.set(id, before ? seenAgain(before, one, at) : learned(id, one, at))
    return id
  })
  const domains = new Set(observations.map(({ domain }) => domain))
  return [...seen, ...[...domains].flatMap((domain) => makeRoom(known, domain))]
}

/** `usual`: the usual success rate of such attempts. Near 1, a success says little and a failure much. */
export function judge(
  known: Known,
  { lessons, succeeded }: { lessons: readonly string[]; succeeded: boolean },
  usual: number,
  at: number,
): string[] {
  return lessons.filter((id) => {
    const before = known.get(id)
    if (!before) return false
    const confidence = succeeded
      ? before.confidence + (1 - before.confidence) * VALIDATED * (1 - usual)
      : before.confidence * (1 - DOUBTED * usual)
    const count = succeeded ? { helped: before.helped + 1 } : { failed: before.failed + 1 }
    trust(known, { ...before, ...count, confidence, updatedAt: at })
    return true
  })
}

type Files = { now(path: string): boolean; before(path: string): boolean }

/** Drops lessons about removed files. A file that was missing before the run, too, may be on another branch: its lesson fades. */
export function prune(known: Known, files: Files, at: number): string[] {
  return [...known.values()].flatMap((lesson) => {
    const gone = goneFrom(lesson, files)
    if (gone === null) return []
    if (files.before(gone)) known.delete(lesson.id)
    else trust(known, { ...lesson, confidence: lesson.confidence * (1 - FADED), updatedAt: at })
    return [lesson.id]
  })
}

/** The removed file that a lesson is about; null if any of its files is left. */
function goneFrom({ paths }: Lesson, { now }: Files): string | null {
  return paths.some(now) ? null : (paths[0] ?? null)
}

/** Keeps the lesson with its new confidence, or drops it if that is too low. */
export function trust(known: Known, lesson: Lesson): void {
  if (lesson.confidence < FORGOTTEN) known.delete(lesson.id)
  else known.set(lesson.id, lesson)
}

function learned(id: string, { domain, kind, text, paths, evidence, trust }: Observation, at: number): Lesson {
  return {
    ...{ id, domain, kind, text, paths, confidence: trust, seen: 1, helped: 0, failed: 0 },
    ...{ evidence: [evidence], learnedAt: at, updatedAt: at },
  }
}

function seenAgain(before: Lesson, { text, evidence, trust }: Observation, at: number): Lesson {
  return {
    ...before,
    // Advice, and lessons that a person has reworded, keep their text.
    text: before.kind === 'advice' ? before.text : text,
    confidence: before.confidence + (1 - before.confidence) * trust,
    seen: before.seen + 1,
    evidence: [...before.evidence, evidence].slice(-EVIDENCE),
    updatedAt: at,
  }
}

/** Drops the least trusted lessons of a full domain; of equals, the oldest. */
export function makeRoom(known: Known, domain: string): string[] {
  const all = [...known.values()].filter((one) => one.domain === domain)
  const excess = all.length - LIMITS.lessonsPerDomain
  if (excess <= 0) return []
  all.sort((a, b) => a.confidence - b.confidence || a.updatedAt - b.updatedAt || (a.id < b.id ? -1 : 1))
  const dropped = all.slice(0, excess).map(({ id }) => id)
  for (const id of dropped) known.delete(id)
  return dropped
}

const VALIDATED = 0.1
const DOUBTED = 0.4
const FADED = 0.3
const FORGOTTEN = 0.08
