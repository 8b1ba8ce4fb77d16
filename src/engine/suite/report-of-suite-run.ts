// The report of a suite's run, from the store and from files beside the logs; while it works, the activity of each worktree of
// its pool; and the results of entries over time.
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { asPerson, revParse } from '../../git/run/git.ts'
import { mapped, ok, type Result, refuse } from '../../problem.ts'
import { readTail } from '../../process/supervise/read-output.ts'
import type { EntryRecord } from '../../store/suite-history.ts'
import { type EntryResult, entryResults } from '../../workloads/suite/entry-results.ts'
import { progressOf, type SuiteReport, suiteReport } from '../../workloads/suite/report.ts'
import { stabilityOf } from '../../workloads/suite/statistics.ts'
import { readWithPlan } from '../../workspace/read-runs.ts'
import { attemptFolder, newestIteration, type StateFolder } from '../../workspace/state-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** Default: the newest suite. */
export async function readSuiteReport(
  workspace: Workspace,
  options: { run?: string | undefined } = {},
): Promise<Result<SuiteReport>> {
  const newest = await workspace.readViews(options.run ?? null, async (store) => {
    return options.run ?? (await store.runs()).find(({ kind }) => kind === 'suite')?.run ?? null
  })
  if (!newest.ok) return newest
  const id = newest.value
  if (id === null) return refuse('there is no run of a suite: `espalier suite run` makes one')
  const read = await readWithPlan(workspace, { run: id })
  if (!read.ok) return read
  const { view: run, plan, folder } = read.value
  if (!plan?.suite) return refuse(`run ${id} is not a suite`)
  const results = entryResults(plan.suite, new Map(run.tasks.map((task) => [task.id, task])))
  const history = await readHistory(workspace, results, id)
  if (!history.ok) return history
  const user = await workspace.user()
  const tree = (user.ok ? await revParse(`${run.base}^{tree}`, asPerson(user.value.top)) : null) ?? run.base
  const { kept, outputs } = await onMachine(folder, id, results)
  const facts = { run, suite: plan.suite, plan, results, history: history.value, tree, kept, outputs }
  return ok(suiteReport({ ...facts, now: Date.now() }))
}

type Past = Parameters<typeof suiteReport>[0]['history']

async function readHistory(workspace: Workspace, results: readonly EntryResult[], run: string): Promise<Result<Past>> {
  return workspace.read<Past>(new Map(), async (store) => {
    const keys = new Set(results.map(({ key }) => key))
    const past = await Array.fromAsync(keys, async (key) => {
      const records = await store.entryRecords({ key, atMost: LOOKED_AT })
      const begun = records.findIndex((record) => record.run === run)
      const before = begun === -1 ? records : records.slice(0, begun)
      return [key, before.map(({ tree, tries, verdict }) => ({ look: { tree, tries }, verdict }))] as const
    })
    return ok(new Map(past))
  })
}

const LOOKED_AT = 200

async function onMachine(folder: StateFolder, run: string, results: readonly EntryResult[]) {
  const kept = new Map<string, string>()
  const outputs = new Map<string, string>()
  for (const { id, tries, verdict } of results) {
    if (verdict !== 'failed') continue
    const last = tries.at(-1)?.attempts.at(-1)
    if (!last) continue
    const files = attemptFolder(folder, run, last.task, last.attempt)
    if (existsSync(files.kept)) kept.set(id, files.kept)
    const text = await readTail(newestIteration(files).work, OUTPUT_BYTES).catch(() => '')
    if (text.trim() !== '') outputs.set(id, text.trimEnd())
  }
  return { kept, outputs }
}

const OUTPUT_BYTES = 4_000

export type SuiteStatus = ReturnType<typeof suiteStatus>

export async function readSuiteStatus(
  workspace: Workspace,
  options: { run?: string | undefined } = {},
): Promise<Result<SuiteStatus>> {
  return mapped(await readSuiteReport(workspace, options), (report) => suiteStatus(workspace.folder, report))
}

function suiteStatus(folder: StateFolder, report: SuiteReport) {
  const workers = report.workers.map((worker) => workerOf(folder, report, worker))
  return { report, progress: progressOf(report.entries), workers, leftMs: leftMs(report) }
}

function workerOf({ root }: StateFolder, report: SuiteReport, { slot, entries }: SuiteReport['workers'][number]) {
  const worktree = join(root, 'slots', String(slot))
  const last = entries.at(-1)
  const isBusy = report.status === 'running' && last?.passed === null
  const tried = report.entries.find(({ id }) => id === last?.id)?.tries.at(-1)
  const isBroken = tried?.failure?.reason === 'worktree-broken'
  const state: 'free' | 'busy' | 'error' = isBusy ? 'busy' : isBroken ? 'error' : 'free'
  return {
    worker: slot,
    /** `error`: its last worktree was broken; it is built anew before it is used again. */
    state,
    entry: isBusy ? (last?.id ?? null) : null,
    worktree,
    createdAt: timeOf(worktree, 'birthtimeMs'),
    /** When it was last made ready for an entry. */
    lastUsedAt: timeOf(`${worktree}.json`, 'mtimeMs'),
  }
}

function timeOf(path: string, which: 'birthtimeMs' | 'mtimeMs'): number | null {
  const time = statSync(path, { throwIfNoEntry: false })?.[which]
  return time === undefined ? null : Math.round(time)
}

/** Estimated by the mean of finished entries; null: none has finished. */
function leftMs({ entries, summary, status }: SuiteReport): number | null {
  if (status !== 'running') return null
  const known = entries.flatMap(({ verdict, durationMs }) => (verdict === 'pending' ? [] : (durationMs ?? [])))
  const open = entries.filter(({ verdict }) => verdict === 'pending' || verdict === 'running').length
  if (known.length === 0) return null
  const mean = known.reduce((sum, ms) => sum + ms, 0) / known.length
  return Math.round((mean * open) / Math.max(1, summary.workers))
}

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
