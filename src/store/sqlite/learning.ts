// What outlives runs, on SQLite.
import type { z } from 'zod'
import { type Experience, experience } from '../../experience.ts'
import { type Audited, audited, type Known, type Lesson, type LessonChanges, lesson } from '../../lesson.ts'
import type { Learned, LearningStore, Memory } from '../learning-store.ts'
import { checkedRow } from './row.ts'
import { SqliteViews } from './views.ts'

export class SqliteLearning extends SqliteViews implements LearningStore {
  async lessons(): Promise<Lesson[]> {
    return this.#lessons()
  }

  async lessonsVersion(): Promise<number> {
    return this.#version()
  }

  async experiences(): Promise<Experience[]> {
    return this.#whole(experience, 'select data from experience order by id')
  }

  async damaged(): Promise<number> {
    const count = (table: string) => Number(this.sql(`select count(*) as all_of_them from ${table}`).get()?.all_of_them)
    const whole = (await this.experiences()).length + this.#lessons().length
    return count('experience') + count('lesson') - whole
  }

  async learnedUpTo(run: string): Promise<number> {
    return Number(this.sql('select seq from learned where run = ?').get(run)?.seq ?? 0)
  }

  async audit(of: string | null): Promise<Audited[]> {
    const rows = this.sql('select id, data from lesson_audit where ?1 is null or lesson = ?1 order by id').all(of)
    return rows.map((row) => checkedRow(audited, row.data, `audit entry ${row.id}`))
  }

  async learn(update: (known: Known) => Learned, memory: Memory | null = null): Promise<Memory> {
    let known: Known = new Map()
    this.transaction(() => {
      known = memory?.version === this.#version() ? memory.known : new Map(this.#lessons().map((one) => [one.id, one]))
      const { lessons, experiences = [], upTo } = update(known)
      checkAudited(lessons)
      const save = this.sql('insert or replace into lesson (id, domain, data) values (?, ?, ?)')
      for (const one of lessons.saved) save.run(one.id, one.domain, JSON.stringify(lesson.parse(one)))
      for (const id of lessons.dropped) this.sql('delete from lesson where id = ?').run(id)
      const note = this.sql('insert into lesson_audit (lesson, data) values (?, ?)')
      for (const one of lessons.audit) note.run(one.lesson, JSON.stringify(audited.parse(one)))
      const keep = this.sql('insert or ignore into experience (run, task, attempt, data) values (?, ?, ?, ?)')
      for (const one of experiences) keep.run(one.run, one.task, one.attempt, JSON.stringify(experience.parse(one)))
      if (upTo) this.sql('insert or replace into learned (run, seq) values (?, ?)').run(upTo.run, upTo.seq)
      if (experiences.length > 0) this.#trim('experience', KEPT_EXPERIENCES)
      if (lessons.audit.length > 0) this.#trim('lesson_audit', KEPT_AUDIT)
    })
    return { version: this.#version(), known }
  }

  protected transaction(work: () => void): void {
    this.db.exec('begin immediate')
    try {
      work()
      this.db.exec('commit')
    } catch (error) {
      if (this.db.isTransaction) this.db.exec('rollback')
      throw error
    }
  }

  /** Every change has an entry in the audit, and their numbers only grow. */
  #version(): number {
    return Number(this.sql('select max(id) as newest from lesson_audit').get()?.newest ?? 0)
  }

  #lessons(): Lesson[] {
    return this.#whole(lesson, 'select data from lesson order by id')
  }

  /** A row that makes no sense is left out: what was learned is a help, and nothing stands or falls with one of them. */
  #whole<T>(schema: z.ZodType<T>, sql: string): T[] {
    return this.sql(sql)
      .all()
      .flatMap((row) => {
        const read = schema.safeParse(jsonOf(row.data))
        return read.success ? [read.data] : []
      })
  }

  /** Numbers only grow, so the newest are those above a number. */
  #trim(table: 'experience' | 'lesson_audit', kept: number): void {
    this.sql(`delete from ${table} where id <= (select max(id) from ${table}) - ?`).run(kept)
  }
}

function jsonOf(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

function checkAudited({ saved, dropped, audit }: LessonChanges): void {
  const told = new Set(audit.map((entry) => entry.lesson))
  const untold = [...saved.map(({ id }) => id), ...dropped].find((id) => !told.has(id))
  if (untold !== undefined) throw new Error(`lesson ${untold} was changed without an entry in the audit`)
}

const KEPT_EXPERIENCES = 5_000
const KEPT_AUDIT = 10_000
