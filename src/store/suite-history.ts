// Results of suite entries over time, and durations of test files. They outlive runs.
import * as z from 'zod'
import { type Database, insert, type Row } from './database.ts'
import { checkedRow } from './read-row.ts'
import { sql } from './sql.ts'

/** One entry in one run. `key`: identifies the entry over time (src/suite-definition.ts). */
export type EntryRecord = z.infer<typeof entryRecord>

const entryRecord = z.object({
  run: z.string(),
  id: z.string(),
  suite: z.string(),
  key: z.string(),
  at: z.number(),
  /** The machine it ran on: a duration from another machine is only a guess. */
  machine: z.string(),
  /** The tested tree: an entry that both failed and passed on the same tree is flaky. */
  tree: z.string(),
  verdict: z.string(),
  /** True for each try that passed. */
  tries: z.array(z.boolean()),
  /** Duration of the last try. */
  durationMs: z.number().nonnegative(),
})

export function suites(db: Database) {
  const { order, isOneOf } = db.words
  return {
    /** Records entries; of the same run and entry only the newest counts. */
    async recordEntries(records: readonly EntryRecord[]) {
      const rows = records.map((one) => {
        const { run, id, key, at, machine, durationMs: duration_ms } = one
        const passed = one.tries.at(-1) === true
        return { run, id, key, at, machine, passed, duration_ms, data: JSON.stringify(entryRecord.parse(one)) }
      })
      await db.write(function* () {
        // Removed first: an entry that is recorded again is the newest.
        for (const [run, some] of Map.groupBy(rows, (row) => row.run))
          yield sql`delete from suite_entry where run = ${run} and id ${isOneOf(some.map(({ id }) => id))}`
        yield insert('suite_entry', [...new Map(rows.map((row) => [`${row.run}\n${row.id}`, row])).values()])
        for (const key of new Set(rows.map((row) => row.key)))
          yield sql`delete from suite_entry where key = ${key} and at <
            (select at from suite_entry where key = ${key} order by at desc limit 1 offset ${KEPT_OF_EACH})`
      })
    },

    /** Records, the oldest first, at most `atMost` of the newest. Default: of all keys. */
    async entryRecords({ key, atMost }: { key?: string | undefined; atMost: number }) {
      const which = key === undefined ? sql`` : sql`where key = ${key}`
      const newest = await db.all(
        sql`select data from suite_entry ${which} order by at desc, ${order} desc limit ${atMost}`,
        ({ data }) => checkedRow(entryRecord, data, 'a result of a suite'),
      )
      return newest.reverse()
    },

    /** Recent durations of passed entries, by key: on this machine if known, else on others. */
    async entryDurations(machine: string) {
      const query = sql`select key, machine, duration_ms from suite_entry where passed order by at desc, ${order} desc`
      return durationsOf(await db.all(query), machine)
    },

    async recordFileTimes(machine: string, times: ReadonlyMap<string, number>, at: number) {
      const rows = [...times].map(([file, duration_ms]) => ({ file, machine, duration_ms, at }))
      await db.write(function* () {
        // Old and new duration count the same: one slow time is no reason to split files anew.
        const mean = '(test_file.duration_ms + excluded.duration_ms) / 2'
        const conflict = `on conflict (file, machine) do update set duration_ms = ${mean}, at = excluded.at`
        yield insert('test_file', rows, conflict)
        yield sql`delete from test_file where at <
          (select at from test_file order by at desc limit 1 offset ${KEPT_FILES})`
      })
    },

    async fileTimes(machine: string) {
      const rows = await db.all(sql`select file, duration_ms from test_file where machine = ${machine}`)
      return new Map(rows.map((row) => [String(row.file), Number(row.duration_ms)]))
    },
  }
}

/** Recent durations by key, on this machine if it ran here. The newest rows come first. */
function durationsOf(rows: readonly Row[], machine: string): Map<string, number> {
  const byKey = Map.groupBy(rows, ({ key }) => String(key))
  const durations = [...byKey].map(([key, all]): [string, number] => {
    const here = all.filter((row) => row.machine === machine)
    const measured = (here.length > 0 ? here : all).slice(0, MEASURED)
    return [key, median(measured.map((row) => Number(row.duration_ms)))]
  })
  return new Map(durations)
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}

const MEASURED = 9
const KEPT_OF_EACH = 1_000
const KEPT_FILES = 50_000
