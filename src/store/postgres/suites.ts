// How entries of suites fared, and what test files take, on Postgres.
import { checkedRow } from '../row.ts'
import { durationsOf, entryRecord, KEPT_FILES, KEPT_OF_EACH } from '../suite-rows.ts'
import type { SuiteStore } from '../suite-store.ts'
import type { Database } from './database.ts'

export function suites(db: Database): SuiteStore {
  return {
    async recordEntries(records) {
      await db.write(async (sql) => {
        for (const one of records) {
          const passed = one.tries.at(-1) === true
          const data = JSON.stringify(entryRecord.parse(one))
          await sql(PUT, [one.run, one.id, one.key, one.at, one.machine, passed, one.durationMs, data])
        }
        for (const key of new Set(records.map((one) => one.key))) await sql(TRIM, [key, KEPT_OF_EACH])
      })
    },

    async entryRecords({ key, atMost }) {
      const text =
        'select data from suite_entry where $1::text is null or key = $1 order by at desc, number desc limit $2'
      const rows = await db.sql(text, [key ?? null, atMost])
      return rows.map(({ data }) => checkedRow(entryRecord, data, 'a result of a suite')).reverse()
    },

    async entryDurations(machine) {
      const text = 'select key, machine, duration_ms from suite_entry where passed order by at desc, number desc'
      return durationsOf(await db.sql(text), machine)
    },

    async recordFileTimes(machine, times, at) {
      await db.write(async (sql) => {
        // What was measured before counts for as much as now: one slow time is no reason to split anew.
        await sql(PUT_TIMES, [[...times.keys()], machine, [...times.values()], at])
        await sql('delete from test_file where at < (select at from test_file order by at desc limit 1 offset $1)', [
          KEPT_FILES,
        ])
      })
    },

    async fileTimes(machine) {
      const rows = await db.sql('select file, duration_ms from test_file where machine = $1', [machine])
      return new Map(rows.map((row) => [String(row.file), Number(row.duration_ms)]))
    },
  }
}

const PUT = `
  insert into suite_entry (run, id, key, at, machine, passed, duration_ms, data) values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (run, id) do update set number = default, key = excluded.key, at = excluded.at, machine = excluded.machine,
    passed = excluded.passed, duration_ms = excluded.duration_ms, data = excluded.data`

const TRIM = `
  delete from suite_entry where key = $1 and at <
    (select at from suite_entry where key = $1 order by at desc limit 1 offset $2)`

const PUT_TIMES = `
  insert into test_file (file, machine, duration_ms, at)
    select file, $2, duration_ms, $4 from unnest($1::text[], $3::double precision[]) as given(file, duration_ms)
  on conflict (file, machine) do update set duration_ms = (test_file.duration_ms + excluded.duration_ms) / 2, at = excluded.at`
