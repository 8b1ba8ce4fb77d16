// What outlives runs, on Postgres.
import { experience } from '../../experience.ts'
import { type Known, lesson } from '../../lesson.ts'
import { KEPT_EXPERIENCES, knownOf, wholeRows } from '../learned-rows.ts'
import type { LearningStore } from '../store.ts'
import type { Sql } from './connection.ts'
import { type Database, takeNumbers } from './database.ts'

export function learning(db: Database): LearningStore {
  let cached: { version: string; known: Known } | null = null
  /** Read again only after a lesson has changed. */
  const known = async (sql: Sql): Promise<Known> => {
    const version = await versionOf(sql)
    if (cached?.version !== version)
      cached = { version, known: knownOf(await sql('select data from lesson order by id collate "C"')) }
    return cached.known
  }
  const experiences = async () => wholeRows(experience, await db.sql('select data from experience order by id'))

  return {
    async lessons() {
      return [...(await known(db.sql)).values()]
    },

    experiences,

    async damaged() {
      const count = async (table: string) => Number((await db.sql(`select count(*) as rows from ${table}`))[0]?.rows)
      const whole = (await experiences()).length + (await known(db.sql)).size
      return (await count('experience')) + (await count('lesson')) - whole
    },

    async learnedUpTo(run) {
      return Number((await db.sql('select seq from learned where run = $1', [run]))[0]?.seq ?? 0)
    },

    async learn(update) {
      const after = await db.write(async (sql) => {
        // The row of the counter is held from here on: nobody else learns meanwhile.
        await takeNumbers(sql, 'experience', 0)
        const lessons = await known(sql)
        // What `update` changes in memory counts only once it is written.
        cached = null
        const { touched, experiences: seen = [], upTo } = update(lessons)
        for (const id of new Set(touched)) {
          const one = lessons.get(id)
          if (one) await sql(SAVE, [id, one.domain, JSON.stringify(lesson.parse(one))])
          else await sql('delete from lesson where id = $1', [id])
        }
        let number = await takeNumbers(sql, 'experience', seen.length)
        for (const one of seen)
          await sql(KEEP, [number++, one.run, one.task, one.attempt, JSON.stringify(experience.parse(one))])
        if (upTo) await sql(LEARNED, [upTo.run, upTo.seq])
        // Numbers only grow, so the newest are those above a number.
        if (seen.length > 0)
          await sql('delete from experience where id <= (select max(id) from experience) - $1::bigint', [
            KEPT_EXPERIENCES,
          ])
        return { version: await versionOf(sql), known: lessons }
      })
      cached = after
    },
  }
}

/** Different after every change of a lesson: a row that was saved has the number of its transaction. */
async function versionOf(sql: Sql): Promise<string> {
  const [row] = await sql('select count(*) as lessons, max(xmin::text::bigint) as newest from lesson')
  return `${row?.lessons}/${row?.newest}`
}

const SAVE = `insert into lesson (id, domain, data) values ($1, $2, $3)
  on conflict (id) do update set domain = excluded.domain, data = excluded.data`

const KEEP = `insert into experience (id, run, task, attempt, data) values ($1, $2, $3, $4, $5)
  on conflict (run, task, attempt) do nothing`

const LEARNED = `insert into learned (run, seq) values ($1, $2) on conflict (run) do update set seq = excluded.seq`
