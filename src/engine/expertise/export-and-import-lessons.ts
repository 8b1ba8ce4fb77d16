// What agents know, shared by a file in the team's repository. Read only when a person asks: anybody may change it.
import type { Settings } from '../../config.ts'
import { type Audited, EVIDENCE, type Evidence, type Known, type Lesson } from '../../lesson.ts'
import { ok, problem, type Result, refuse } from '../../problem.ts'
import { secretValues } from '../../process/secrets.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { BY_HAND, changingLessons, withinBounds } from './edit-lessons.ts'
import { lessonsText, readLessonsText } from './shared-lessons-format.ts'

/** `environment`: its secrets are not told. `replaces`: the file that is there, in which nothing of others is to be lost. */
export async function exportLessons(
  workspace: Workspace,
  options: {
    environment?: Readonly<Record<string, string | undefined>> | undefined
    replaces?: { text: string; file: string } | undefined
  } = {},
): Promise<Result<{ text: string; lessons: number }>> {
  const { environment = {}, replaces } = options
  const read = await workspace.read<Heard>({ lessons: [], audit: [] }, async (store) =>
    ok({ lessons: await store.lessons(), audit: replaces ? await store.audit(null) : [] }),
  )
  if (!read.ok) return read
  const { lessons } = read.value
  const lost = replaces ? unheardOf(replaces, read.value) : ok(0)
  if (!lost.ok) return lost
  if (lost.value > 0) {
    const message = `has lessons that were never known here (${lost.value}): import it first, or write to another file`
    return refuse(problem(message, { file: replaces?.file ?? null }))
  }
  return ok({ text: lessonsText(lessons, secretValues(environment)), lessons: lessons.length })
}

/** What is known, and what was: of a lesson that was dropped the audit is left. */
type Heard = { lessons: Lesson[]; audit: Audited[] }

function unheardOf({ text, file }: { text: string; file: string }, { lessons, audit }: Heard): Result<number> {
  const theirs = readLessonsText(text, file, Date.now())
  if (!theirs.ok) return theirs
  const heard = new Set([...lessons.map(({ id }) => id), ...audit.map(({ lesson }) => lesson)])
  return ok(theirs.value.filter(({ id }) => !heard.has(id)).length)
}

/** `dropped`: for which there was no room, or that nobody trusts; they are not among those that were taken. */
export type Imported = Omit<Merged, 'audit'> & { dropped: number }

export async function importLessons(
  workspace: Workspace,
  options: {
    text: string
    file: string
    learning: Pick<Settings['learning'], 'linesPerDomain'>
    dryRun?: boolean | undefined
  },
): Promise<Result<Imported>> {
  const given = readLessonsText(options.text, options.file, Date.now())
  if (!given.ok) return given
  return changingLessons(workspace, options, (known) => {
    const { audit, taken, ...counts } = mergeLessons(known, given.value, Date.now(), `${BY_HAND}: from ${options.file}`)
    const room = withinBounds(known, options.learning)
    const kept = taken.filter(({ id }) => known.has(id))
    return ok({ value: { ...counts, taken: kept, dropped: room.length }, audit: [...audit, ...room] })
  })
}

// Lessons of others, taken into what is known here. The same file again changes nothing. Anybody may have written it, so
// words that nobody here has tried are not trusted more than `UNTRIED`.

export type Merged = { added: number; changed: number; unchanged: number; taken: Lesson[]; audit: Audited[] }

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
const MOST_COUNTED = 10_000

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
