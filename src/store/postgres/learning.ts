// What outlives runs, on Postgres.
import type { z } from 'zod'
import { experience } from '../../experience.ts'
import { audited, type Known, type Lesson, lesson } from '../../lesson.ts'
import { checkAudited, KEPT_AUDIT, KEPT_EXPERIENCES, wholeRows } from '../learned-rows.ts'
import { checkedRow } from '../row.ts'
import type { LearningStore } from '../store.ts'
import type { Sql } from './connection.ts'
import { type Database, takeNumbers } from './database.ts'

export function learning(db: Database): LearningStore {
  return {
    lessons: () => lessons(db.sql),
    lessonsVersion: () => version(db.sql),
    experiences: () => rowsOf(db.sql, experience, 'experience'),

    async damaged() {
      const count = async (table: string) => Number((await db.sql(`select count(*) as rows from ${table}`))[0]?.rows)
      const whole = (await rowsOf(db.sql, experience, 'experience')).length + (await lessons(db.sql)).length
      return (await count('experience')) + (await count('lesson')) - whole
    },

    async learnedUpTo(run) {
      return Number((await db.sql('select seq from learned where run = $1', [run]))[0]?.seq ?? 0)
    },

    async audit(of) {
      const text = 'select id, data from lesson_audit where $1::text is null or lesson = $1 order by id'
      return (await db.sql(text, [of])).map((row) => checkedRow(audited, row.data, `audit entry ${row.id}`))
    },

    async learn(update, memory = null) {
      // What is in memory was changed by `update`, so a second try reads all of it again.
      let remembered = memory
      return db.write(async (sql) => {
        // The row of the counter is held from here on: nobody else learns meanwhile.
        await takeNumbers(sql, 'audit', 0)
        const isCurrent = remembered !== null && remembered.version === (await version(sql))
        const known: Known =
          isCurrent && remembered ? remembered.known : new Map((await lessons(sql)).map((one) => [one.id, one]))
        remembered = null
        const { lessons: changes, experiences: seen = [], upTo } = update(known)
        checkAudited(changes)
        for (const one of changes.saved) await sql(SAVE, [one.id, one.domain, JSON.stringify(lesson.parse(one))])
        if (changes.dropped.length > 0) await sql('delete from lesson where id = any($1)', [changes.dropped])
        let number = await takeNumbers(sql, 'audit', changes.audit.length)
        for (const one of changes.audit)
          await sql('insert into lesson_audit (id, lesson, data) values ($1, $2, $3)', [
            ...[number++, one.lesson, JSON.stringify(audited.parse(one))],
          ])
        let place = await takeNumbers(sql, 'experience', seen.length)
        for (const one of seen)
          await sql(KEEP, [place++, one.run, one.task, one.attempt, JSON.stringify(experience.parse(one))])
        if (upTo) await sql(LEARNED, [upTo.run, upTo.seq])
        if (seen.length > 0) await trim(sql, 'experience', KEPT_EXPERIENCES)
        if (changes.audit.length > 0) await trim(sql, 'lesson_audit', KEPT_AUDIT)
        return { version: await version(sql), known }
      })
    },
  }
}

/** Every change has an entry in the audit, and their numbers only grow. */
async function version(sql: Sql): Promise<number> {
  return Number((await sql('select max(id) as newest from lesson_audit'))[0]?.newest ?? 0)
}

function lessons(sql: Sql): Promise<Lesson[]> {
  return rowsOf(sql, lesson, 'lesson')
}

async function rowsOf<T>(sql: Sql, schema: z.ZodType<T>, table: 'lesson' | 'experience'): Promise<T[]> {
  const order = table === 'lesson' ? 'id collate "C"' : 'id'
  return wholeRows(schema, await sql(`select data from ${table} order by ${order}`))
}

/** Numbers only grow, so the newest are those above a number. */
async function trim(sql: Sql, table: 'experience' | 'lesson_audit', kept: number): Promise<void> {
  await sql(`delete from ${table} where id <= (select max(id) from ${table}) - $1::bigint`, [kept])
}

const SAVE = `insert into lesson (id, domain, data) values ($1, $2, $3)
  on conflict (id) do update set domain = excluded.domain, data = excluded.data`

const KEEP = `insert into experience (id, run, task, attempt, data) values ($1, $2, $3, $4, $5)
  on conflict (run, task, attempt) do nothing`

const LEARNED = `insert into learned (run, seq) values ($1, $2) on conflict (run) do update set seq = excluded.seq`
