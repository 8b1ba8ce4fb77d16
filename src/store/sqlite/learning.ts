// What outlives runs, on SQLite.
import { experience } from '../../experience.ts'
import { audited, type Known, type Lesson, lesson } from '../../lesson.ts'
import { checkAudited, KEPT_AUDIT, KEPT_EXPERIENCES, wholeRows } from '../learned-rows.ts'
import { checkedRow } from '../row.ts'
import type { LearningStore } from '../store.ts'
import type { Database } from './database.ts'

export function learning(db: Database): LearningStore {
  /** Every change has an entry in the audit, and their numbers only grow. */
  const version = () => Number(db.sql('select max(id) as newest from lesson_audit').get()?.newest ?? 0)
  const lessons = (): Lesson[] => wholeRows(lesson, db.sql('select data from lesson order by id').all())
  const experiences = () => wholeRows(experience, db.sql('select data from experience order by id').all())
  /** Numbers only grow, so the newest are those above a number. */
  const trim = (table: 'experience' | 'lesson_audit', kept: number) =>
    db.sql(`delete from ${table} where id <= (select max(id) from ${table}) - ?`).run(kept)

  return {
    async lessons() {
      return lessons()
    },

    async lessonsVersion() {
      return version()
    },

    async experiences() {
      return experiences()
    },

    async damaged() {
      const count = (table: string) => Number(db.sql(`select count(*) as rows from ${table}`).get()?.rows)
      return count('experience') + count('lesson') - experiences().length - lessons().length
    },

    async learnedUpTo(run) {
      return Number(db.sql('select seq from learned where run = ?').get(run)?.seq ?? 0)
    },

    async audit(of) {
      const rows = db.sql('select id, data from lesson_audit where ?1 is null or lesson = ?1 order by id').all(of)
      return rows.map((row) => checkedRow(audited, row.data, `audit entry ${row.id}`))
    },

    async learn(update, memory = null) {
      return db.transaction(() => {
        const known: Known =
          memory?.version === version() ? memory.known : new Map(lessons().map((one) => [one.id, one]))
        const { lessons: changes, experiences: seen = [], upTo } = update(known)
        checkAudited(changes)
        const save = db.sql('insert or replace into lesson (id, domain, data) values (?, ?, ?)')
        for (const one of changes.saved) save.run(one.id, one.domain, JSON.stringify(lesson.parse(one)))
        for (const id of changes.dropped) db.sql('delete from lesson where id = ?').run(id)
        const note = db.sql('insert into lesson_audit (lesson, data) values (?, ?)')
        for (const one of changes.audit) note.run(one.lesson, JSON.stringify(audited.parse(one)))
        const keep = db.sql('insert or ignore into experience (run, task, attempt, data) values (?, ?, ?, ?)')
        for (const one of seen) keep.run(one.run, one.task, one.attempt, JSON.stringify(experience.parse(one)))
        if (upTo) db.sql('insert or replace into learned (run, seq) values (?, ?)').run(upTo.run, upTo.seq)
        if (seen.length > 0) trim('experience', KEPT_EXPERIENCES)
        if (changes.audit.length > 0) trim('lesson_audit', KEPT_AUDIT)
        return { version: version(), known }
      })
    },
  }
}
