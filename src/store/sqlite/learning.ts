// What outlives runs, on SQLite.
import { experience } from '../../experience.ts'
import { type Known, lesson } from '../../lesson.ts'
import { KEPT_EXPERIENCES, knownOf, wholeRows } from '../learned-rows.ts'
import type { LearningStore } from '../store.ts'
import type { Database } from './database.ts'

export function learning(db: Database): LearningStore {
  const experiences = () => wholeRows(experience, db.sql('select data from experience order by id').all())
  let cached: { version: number; known: Known } | null = null
  /** Read again only after another connection has written. */
  const known = (): Known => {
    const version = db.pragma('data_version')
    if (cached?.version !== version)
      cached = { version, known: knownOf(db.sql('select data from lesson order by id').all()) }
    return cached.known
  }

  return {
    async lessons() {
      return [...known().values()]
    },

    async experiences() {
      return experiences()
    },

    async damaged() {
      const count = (table: string) => Number(db.sql(`select count(*) as rows from ${table}`).get()?.rows)
      return count('experience') + count('lesson') - experiences().length - known().size
    },

    async learnedUpTo(run) {
      return Number(db.sql('select seq from learned where run = ?').get(run)?.seq ?? 0)
    },

    async learn(update) {
      cached = db.transaction(() => {
        const lessons = known()
        const before = cached
        // What `update` changes in memory counts only once it is written.
        cached = null
        const { touched, experiences: seen = [], upTo } = update(lessons)
        const save = db.sql('insert or replace into lesson (id, domain, data) values (?, ?, ?)')
        for (const id of new Set(touched)) {
          const one = lessons.get(id)
          if (one) save.run(id, one.domain, JSON.stringify(lesson.parse(one)))
          else db.sql('delete from lesson where id = ?').run(id)
        }
        const keep = db.sql('insert or ignore into experience (run, task, attempt, data) values (?, ?, ?, ?)')
        for (const one of seen) keep.run(one.run, one.task, one.attempt, JSON.stringify(experience.parse(one)))
        if (upTo) db.sql('insert or replace into learned (run, seq) values (?, ?)').run(upTo.run, upTo.seq)
        // Numbers only grow, so the newest are those above a number.
        if (seen.length > 0)
          db.sql('delete from experience where id <= (select max(id) from experience) - ?').run(KEPT_EXPERIENCES)
        return before
      })
    },
  }
}
