// The part of the seam that knows how the entries of suites fared over time, and what test files take. It outlives runs.

/** One entry in one run. `key`: what it is compared by over time (src/suite.ts). */
export type EntryRecord = {
  run: string
  id: string
  suite: string
  key: string
  at: number
  /** What it ran on: a duration of another machine is only a guess. */
  machine: string
  /** The tree that was tested: what both failed and passed on one is flaky. */
  tree: string
  verdict: string
  /** How each of its tries ended. */
  tries: boolean[]
  /** Of the last try. */
  durationMs: number
}

export interface SuiteStore {
  /** Each once: of the same run and entry the newest counts. */
  recordEntries(records: readonly EntryRecord[]): Promise<void>
  /** The oldest first, at most so many of the newest; of all keys where none is named. */
  entryRecords(query: { key?: string | undefined; atMost: number }): Promise<EntryRecord[]>
  /** What each entry of these suites took of late when it passed, by its key: on this machine, else on others. */
  entryDurations(machine: string): Promise<Map<string, number>>
  recordFileTimes(machine: string, times: ReadonlyMap<string, number>, at: number): Promise<void>
  fileTimes(machine: string): Promise<Map<string, number>>
}
