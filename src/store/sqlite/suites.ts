// How entries of suites fared, and what test files take, on SQLite.

import { checkedRow } from '../row.ts'
import { durationsOf, KEPT_FILES, KEPT_OF_EACH, entryRecord as record } from '../suite-rows.ts'
import type { SuiteStore } from '../suite-store.ts'
import type { Database } from './database.ts'

export function suites(db: Database): SuiteStore {
  const rowsOf = (rows: Record<string, unknown>[]) =>
    rows.map(({ data }) => checkedRow(record, data, 'a result of a suite')).reverse()

  return {
    async recordEntries(records) {
      db.transaction(() => {
        const put = db.sql(
          'insert or replace into suite_entry (run, id, key, at, machine, passed, duration_ms, data) values (?, ?, ?, ?, ?, ?, ?, ?)',
        )
        const old =
          'delete from suite_entry where key = ?1 and at < (select at from suite_entry where key = ?1 order by at desc limit 1 offset ?2)'
        for (const one of records) {
          const passed = one.tries.at(-1) === true ? 1 : 0
          const data = JSON.stringify(record.parse(one))
          put.run(one.run, one.id, one.key, one.at, one.machine, passed, one.durationMs, data)
        }
        for (const key of new Set(records.map((one) => one.key))) db.sql(old).run(key, KEPT_OF_EACH)
      })
    },

    async entryRecords({ key, atMost }) {
      const wanted = 'select data from suite_entry where ?1 is null or key = ?1 order by at desc, rowid desc limit ?2'
      return rowsOf(db.sql(wanted).all(key ?? null, atMost))
    },

    async entryDurations(machine) {
      const rows = db
        .sql('select key, machine, duration_ms from suite_entry where passed = 1 order by at desc, rowid desc')
        .all()
      return durationsOf(rows, machine)
    },

    async recordFileTimes(machine, times, at) {
      db.transaction(() => {
        // What was measured before counts for as much as now: one slow time is no reason to split anew.
        const put = db.sql(
          `insert into test_file (file, machine, duration_ms, at) values (?1, ?2, ?3, ?4)
           on conflict (file, machine) do update set duration_ms = (duration_ms + ?3) / 2, at = ?4`,
        )
        for (const [file, ms] of times) put.run(file, machine, ms, at)
        db.sql('delete from test_file where at < (select at from test_file order by at desc limit 1 offset ?)').run(
          KEPT_FILES,
        )
      })
    },

    async fileTimes(machine) {
      const rows = db.sql('select file, duration_ms from test_file where machine = ?').all(machine)
      return new Map(rows.map((row) => [String(row.file), Number(row.duration_ms)]))
    },
  }
}
