// Lessons of others, taken into what is known here. The same file again changes nothing, and two people who exchange
// their files in turn come to know the same. Anybody may have written the file, so what it says about itself has bounds:
// words that nobody here has tried are not trusted more than `UNTRIED`, however sure the file is of them.
import { type Audited, EVIDENCE, type Evidence, type Known, type Lesson } from '../../lesson.ts'

/** `taken`: those that were added or changed, as they are now. */
export type Merged = { added: number; changed: number; unchanged: number; taken: Lesson[]; audit: Audited[] }

/** `from`: what the audit says of where they come from. */
export function mergeLessons(known: Known, given: readonly Lesson[], at: number, from: string): Merged {
  const merged: Merged = { added: 0, changed: 0, unchanged: 0, taken: [], audit: [] }
  for (const theirs of given.map(bounded)) {
    const ours = known.get(theirs.id)
    if (ours && !hasNews(ours, theirs)) {
      merged.unchanged++
      continue
    }
    const after = ours ? together(ours, theirs, at) : { ...theirs, confidence: Math.min(theirs.confidence, UNTRIED) }
    merged[ours ? 'changed' : 'added']++
    known.set(after.id, after)
    merged.taken.push(after)
    merged.audit.push({ at, lesson: after.id, action: 'imported', version: after.version, why: from })
  }
  return merged
}

function bounded(lesson: Lesson): Lesson {
  const [seen, helped, failed] = COUNTS.map((count) => Math.min(lesson[count], MOST_COUNTED)) as [
    number,
    number,
    number,
  ]
  return { ...lesson, seen, helped, failed, version: Math.min(lesson.version, MOST_COUNTED) }
}

const UNTRIED = 0.6
/** Attempts, or changes: no lesson that is in use has seen more. */
const MOST_COUNTED = 10_000

/** A later version, or attempts that we have not heard of. */
function hasNews(ours: Lesson, theirs: Lesson): boolean {
  return theirs.version > ours.version || COUNTS.some((count) => theirs[count] > ours[count])
}

/** The words of the later version; confidence by how much each side has seen of it. */
function together(ours: Lesson, theirs: Lesson, at: number): Lesson {
  const { domain, kind, text, paths } = theirs.version > ours.version ? theirs : ours
  const [a, b] = [weight(ours), weight(theirs)]
  const both = (a * ours.confidence + b * theirs.confidence) / (a + b)
  const most = (count: (typeof COUNTS)[number]) => Math.max(ours[count], theirs[count])
  return {
    ...{ id: ours.id, domain, kind, text, paths },
    confidence: text === ours.text ? both : Math.min(both, Math.max(ours.confidence, UNTRIED)),
    // Many of the attempts that both have counted are the same ones.
    ...{ seen: most('seen'), helped: most('helped'), failed: most('failed') },
    evidence: joined(theirs.evidence, ours.evidence),
    learnedAt: Math.min(ours.learnedAt, theirs.learnedAt),
    updatedAt: at,
    version: Math.max(ours.version + 1, theirs.version),
  }
}

const COUNTS = ['seen', 'helped', 'failed'] as const

/** Bounded, so that what was seen here counts against any number in a file. */
function weight(lesson: Lesson): number {
  return Math.min(1 + COUNTS.reduce((sum, count) => sum + lesson[count], 0), MOST_WEIGHT)
}

const MOST_WEIGHT = 50

/** Ours are kept where there is no room for all. */
function joined(theirs: readonly Evidence[], ours: readonly Evidence[]): Evidence[] {
  const name = ({ run, task, attempt, commit }: Evidence) => JSON.stringify([run, task, attempt, commit])
  const mine = new Set(ours.map(name))
  return [...theirs.filter((one) => !mine.has(name(one))), ...ours].slice(-EVIDENCE)
}
