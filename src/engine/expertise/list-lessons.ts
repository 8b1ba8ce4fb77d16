// What agents know, to look at: the lessons by domain, and one of them with all that was done to it.
import type { Settings } from '../../config.ts'
import { type Audited, type Lesson, linesOf } from '../../lesson.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** `maxLines`: as many are kept of a domain. The lessons: the most trusted first. */
export type DomainLessons = { domain: string; lines: number; maxLines: number; lessons: Lesson[] }

export async function listLessons(
  workspace: Workspace,
  options: { domain?: string | undefined; learning: Pick<Settings['learning'], 'linesPerDomain'> },
): Promise<Result<DomainLessons[]>> {
  const { domain, learning } = options
  const lessons = await workspace.read<Lesson[]>([], async (store) => ok(await store.lessons()))
  if (!lessons.ok) return lessons
  const all = inDomains(lessons.value, learning.linesPerDomain)
  if (domain === undefined) return ok(all)
  const found = all.filter((one) => one.domain === domain)
  const known = all.length === 0 ? 'of none yet' : `of ${all.map((one) => one.domain).join(', ')}`
  return found.length > 0 ? ok(found) : refuse(`nothing is known of the domain ${domain}, only ${known}`)
}

/** Lessons and figures of attempts that make no sense any more: they are left out everywhere. */
export async function countDamaged(workspace: Workspace): Promise<Result<number>> {
  return workspace.read(0, async (store) => ok(await store.damaged()))
}

/** `lesson` is null where it was dropped: then only what was done to it is left. */
export type LessonHistory = { lesson: Lesson | null; audit: Audited[] }

export async function readLesson(workspace: Workspace, options: { id: string }): Promise<Result<LessonHistory>> {
  const { id } = options
  const nothing: LessonHistory = { lesson: null, audit: [] }
  const read = await workspace.read<LessonHistory>(nothing, async (store) => {
    const found = lessonNamed(await store.lessons(), id)
    if (found.ok) return ok({ lesson: found.value, audit: await store.audit(found.value.id) })
    const audit = await store.audit(id)
    return audit.length > 0 ? ok({ lesson: null, audit }) : found
  })
  return read.ok && read.value === nothing ? refuse(noSuch(id)) : read
}

export function lessonNamed(lessons: Iterable<Lesson>, id: string): Result<Lesson> {
  const found = id.length < SHORTEST ? [] : [...lessons].filter((one) => one.id.startsWith(id.toLowerCase()))
  const [first, second] = found
  if (!first) return refuse(noSuch(id))
  if (second) return refuse(`${found.length} lessons begin with ${id}: name more of it`)
  return ok(first)
}

const SHORTEST = 4

function noSuch(id: string): string {
  return `there is no lesson ${id}: \`espalier expertise list\` shows those there are`
}

function inDomains(lessons: readonly Lesson[], maxLines: number): DomainLessons[] {
  const byDomain = Map.groupBy(lessons, (one) => one.domain)
  return [...byDomain]
    .map(([domain, some]) => ({
      domain,
      lines: some.reduce((sum, one) => sum + linesOf(one), 0),
      maxLines,
      lessons: some.toSorted((a, b) => b.confidence - a.confidence || (a.id < b.id ? -1 : 1)),
    }))
    .sort((a, b) => (a.domain < b.domain ? -1 : 1))
}
