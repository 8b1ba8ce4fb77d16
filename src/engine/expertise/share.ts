// What agents know, from one machine to the others of the team: by a file that they keep in their repository. It is
// only ever read when a person asks for it: whoever can change that file could otherwise tell the agents what to do.

import type { Settings } from '../../config.ts'
import type { Audited, Lesson } from '../../lesson.ts'
import { ok, problem, type Result, refuse } from '../../problem.ts'
import { secretValues } from '../../process/secrets.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { BY_HAND, withinBounds } from './edit.ts'
import { lessonsText, readLessonsText } from './file.ts'
import { type Merged, mergeLessons } from './merge.ts'
import { changingLessons } from './open.ts'

/**
 * `environment`: the values of its variables that have the name of a secret are not told, wherever they stand.
 * `replaces`: the file that is there already. What others have put into it is not to be lost.
 */
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

/** `text`: of the file. `dryRun`: only says what would change. */
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
