// Results of suite entries over time, from the records of their runs.
import { ok, type Result } from '../../problem.ts'
import type { EntryRecord } from '../../store/suites.ts'
import { stabilityOf } from '../../workloads/suite/statistics.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export type EntryHistory = ReturnType<typeof historyOf>

/** `entry`: its id, or its key; default: all. The newest `limit` of each, the oldest first. */
export async function readEntryHistory(
  workspace: Workspace,
  { entry, limit }: { entry?: string | undefined; limit: number },
): Promise<Result<EntryHistory[]>> {
  return workspace.read<EntryHistory[]>([], async (store) => {
    const records = await store.entryRecords({ atMost: MOST_RECORDS })
    const wanted = records.filter(
      ({ key, id }) => entry === undefined || key === entry || id === entry || key.startsWith(`${entry} `),
    )
    return ok([...Map.groupBy(wanted, ({ key }) => key)].map(([key, all]) => historyOf(key, all, limit)))
  })
}

function historyOf(key: string, all: EntryRecord[], limit: number) {
  const times = all.filter(({ verdict }) => verdict !== 'failed').map(({ durationMs }) => durationMs)
  const sorted = times.sort((a, b) => a - b)
  return { key, stability: stabilityOf(all), medianMs: sorted[sorted.length >> 1] ?? null, records: all.slice(-limit) }
}

const MOST_RECORDS = 50_000
