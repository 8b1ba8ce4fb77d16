// Lessons, and the outcomes of attempts. They outlive runs.
//
// Properties
// - `learn` reads, decides and writes in one transaction, so a person who edits a lesson and an engine that sees it
//   again do not undo each other's change.
// - Events of a run are learned from once: `upTo` is written in the same transaction.
// - Only the newest attempts are kept; `update` bounds the lessons.
import type { z } from 'zod'
import { type Experience, experience, type Known, lesson } from '../learning-records.ts'
import { type Database, insert, put, type Statements } from './database.ts'
import { checkedRow } from './read-row.ts'
import { sql } from './sql.ts'

export type LearningStore = ReturnType<typeof learning>

/** `touched`: ids of lessons that were changed, added or dropped. */
type Learned = {
  touched: Iterable<string>
  experiences?: Experience[]
  upTo?: { run: string; seq: number }
}

export function learning(db: Database) {
  const experiences = async () => wholeRows(experience, await db.all(sql`select data from experience order by id`))
  let cached: { version: unknown; known: Known } | null = null
  const version = function* (): Statements<unknown> {
    return (yield db.words.lessonVersion)[0]?.version
  }
  /** The lessons, read again only after a change. */
  const readKnown = function* (): Statements<Known> {
    const now = yield* version()
    if (cached !== null && cached.version === now) return cached.known
    const rows = yield sql`select data from lesson order by id ${db.words.byBytes}`
    const known = new Map(wholeRows(lesson, rows).map((one) => [one.id, one]))
    cached = { version: now, known }
    return known
  }

  return {
    lessons: async () => [...(await db.read(readKnown)).values()],

    experiences,

    /** The number of invalid lessons and attempts, which are left out: a file can be damaged. */
    async damaged() {
      const [rows] = await db.all(
        sql`select (select count(*) from experience) + (select count(*) from lesson) as number`,
      )
      return Number(rows?.number) - (await experiences()).length - (await db.read(readKnown)).size
    },

    /** The last event of a run's journal that was learned from; 0: none. */
    async learnedUpTo(run: string) {
      return Number((await db.all(sql`select seq from learned where run = ${run}`))[0]?.seq ?? 0)
    },

    /** Changes lessons in a transaction. `update` changes them in place, and may be called again. */
    async learn(update: (known: Known) => Learned) {
      cached = await db.write(function* () {
        // Locks out other learners.
        yield* db.take('experience', 0)
        const known = yield* readKnown()
        // Changes of `update` in memory count only once they are written.
        cached = null
        const { touched, experiences: seen = [], upTo } = update(known)
        const ids = [...new Set(touched)]
        const saved = ids.flatMap((id) => known.get(id) ?? [])
        const rows = saved.map((one) => ({ id: one.id, domain: one.domain, data: JSON.stringify(lesson.parse(one)) }))
        yield put('lesson', ['id'], rows)
        const dropped = ids.filter((id) => !known.has(id))
        if (dropped.length > 0) yield sql`delete from lesson where id ${db.words.isOneOf(dropped)}`
        let id = yield* db.take('experience', seen.length)
        const attempts = seen.map((one) => {
          const { run, task, attempt } = one
          return { id: id++, run, task, attempt, data: JSON.stringify(experience.parse(one)) }
        })
        yield insert('experience', attempts, 'on conflict (run, task, attempt) do nothing')
        // Numbers only grow, so the newest are those above a number.
        yield sql`delete from experience where id <= (select max(id) from experience) - ${KEPT_EXPERIENCES}`
        if (upTo) yield put('learned', ['run'], [{ run: upTo.run, seq: upTo.seq }])
        return { version: yield* version(), known }
      })
    },
  }
}

const KEPT_EXPERIENCES = 5_000

/** Leaves out invalid rows: learning is only a help, and needs none of them. */
function wholeRows<T>(schema: z.ZodType<T>, rows: readonly { data?: unknown }[]): T[] {
  return rows.flatMap(({ data }) => {
    try {
      return [checkedRow(schema, data, 'what was learned')]
    } catch {
      return []
    }
  })
}
