// Takes observations into what is known, and drops lessons that stop helping or whose files are gone. Pure. Confidence moves
// by a share of what is left, up with each sight and success, down with each failure: it never reaches 0 or 1.
import { type Audited, EVIDENCE, type Known, type Lesson, type LessonChanges, linesOf } from '../lesson.ts'
import { lessonId, type Observation } from './observe.ts'

export type Bounds = { linesPerDomain: number }

export function absorb(known: Known, observations: readonly Observation[], at: number, bounds: Bounds): LessonChanges {
  const changes: LessonChanges = { saved: [], dropped: [], audit: [] }
  for (const one of observations) {
    const before = known.get(lessonId(one)) ?? null
    const after = before ? seenAgain(before, one, at) : learned(one, at)
    save(known, changes, after, before ? 'seen' : 'learned', `${one.evidence.run}/${one.evidence.task}`)
  }
  for (const domain of new Set(observations.map((one) => one.domain))) makeRoom(known, changes, domain, at, bounds)
  return changes
}

/** `usual`: how many such attempts succeed anyway. Where nearly all do, a success says nothing, and a failure much. */
export function judge(
  known: Known,
  { lessons: ids, succeeded, of }: { lessons: readonly string[]; succeeded: boolean; of: string },
  usual: number,
  at: number,
): LessonChanges {
  const changes: LessonChanges = { saved: [], dropped: [], audit: [] }
  for (const id of ids) {
    const before = known.get(id)
    if (!before) continue
    const confidence = succeeded
      ? before.confidence + (1 - before.confidence) * VALIDATED * (1 - usual)
      : before.confidence * (1 - DOUBTED * usual)
    const count = succeeded ? { helped: before.helped + 1 } : { failed: before.failed + 1 }
    const after = { ...before, ...count, confidence, updatedAt: at, version: before.version + 1 }
    save(known, changes, after, succeeded ? 'validated' : 'doubted', of)
    if (confidence < FORGOTTEN) drop(known, changes, id, at, STALE)
  }
  return changes
}

export type Files = { now(path: string): boolean; before(path: string): boolean }

/** A file that was not there before either may be on a branch that has not landed: such a lesson only fades, unless `all`. */
export function prune(known: Known, files: Files, at: number, bounds: Bounds, all = false): LessonChanges {
  const changes: LessonChanges = { saved: [], dropped: [], audit: [] }
  for (const lesson of [...known.values()]) {
    const gone = goneFrom(lesson, files)
    if (gone !== null && (all || files.before(gone))) drop(known, changes, lesson.id, at, `${gone} is gone`)
    else if (gone !== null) fade(known, changes, lesson, at, `${gone} is not there`)
    else if (lesson.confidence < FORGOTTEN) drop(known, changes, lesson.id, at, STALE)
  }
  for (const domain of new Set([...known.values()].map((one) => one.domain)))
    makeRoom(known, changes, domain, at, bounds)
  return changes
}

/** The file without which it says nothing any more. */
function goneFrom({ kind, paths }: Lesson, { now }: Files): string | null {
  const gone = paths.filter((path) => !now(path))
  const matters = kind === 'together' ? gone.length > 0 : gone.length > 0 && gone.length === paths.length
  return matters ? (gone[0] ?? null) : null
}

function fade(known: Known, changes: LessonChanges, before: Lesson, at: number, why: string): void {
  const confidence = before.confidence * (1 - FADED)
  save(known, changes, { ...before, confidence, updatedAt: at, version: before.version + 1 }, 'doubted', why)
  if (confidence < FORGOTTEN) drop(known, changes, before.id, at, why)
}

function learned({ domain, kind, key, text, paths, evidence, trust }: Observation, at: number): Lesson {
  return {
    ...{ id: lessonId({ domain, kind, key }), domain, kind, text, paths, confidence: trust, seen: 1 },
    ...{ helped: 0, failed: 0, evidence: [evidence], learnedAt: at, updatedAt: at, version: 1 },
  }
}

function seenAgain(before: Lesson, { text, evidence, trust }: Observation, at: number): Lesson {
  return {
    ...before,
    // What was said, or put into other words by a person, stays in these words.
    text: before.kind === 'advice' ? before.text : text,
    confidence: before.confidence + (1 - before.confidence) * trust,
    seen: before.seen + 1,
    evidence: [...before.evidence, evidence].slice(-EVIDENCE),
    updatedAt: at,
    version: before.version + 1,
  }
}

/** The least trusted go first; of equals, the oldest. */
function makeRoom(known: Known, changes: LessonChanges, domain: string, at: number, { linesPerDomain }: Bounds): void {
  const all = [...known.values()].filter((one) => one.domain === domain)
  let lines = all.reduce((sum, one) => sum + linesOf(one), 0)
  if (lines <= linesPerDomain) return
  all.sort((a, b) => a.confidence - b.confidence || a.updatedAt - b.updatedAt || (a.id < b.id ? -1 : 1))
  for (const one of all) {
    if (lines <= linesPerDomain) return
    lines -= linesOf(one)
    drop(known, changes, one.id, at, `${domain} has more than ${linesPerDomain} lines`)
  }
}

function save(known: Known, changes: LessonChanges, after: Lesson, action: Audited['action'], why: string): void {
  known.set(after.id, after)
  changes.saved = [...changes.saved.filter(({ id }) => id !== after.id), after]
  changes.audit.push({ at: after.updatedAt, lesson: after.id, action, version: after.version, why })
}

function drop(known: Known, changes: LessonChanges, id: string, at: number, why: string): void {
  const version = known.get(id)?.version ?? 1
  known.delete(id)
  changes.saved = changes.saved.filter((one) => one.id !== id)
  changes.dropped.push(id)
  changes.audit.push({ at, lesson: id, action: 'pruned', version, why })
}

const VALIDATED = 0.1
const DOUBTED = 0.4
const FADED = 0.3
const FORGOTTEN = 0.08
const STALE = 'it has stopped helping'
