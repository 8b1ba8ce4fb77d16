// The state of a suite's run: remaining entries, and the activity of each worktree of its pool.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { ok, type Result } from '../../problem.ts'
import { progressOf, type SuiteReport } from '../../workloads/suite/report.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { readSuiteReport } from './report-of-suite-run.ts'

export type WorkerView = {
  worker: number
  /** `error`: its last worktree was broken; it is built anew before it is used again. */
  state: 'free' | 'busy' | 'error'
  entry: string | null
  worktree: string
  /** `createdAt`: of the worktree. `lastUsedAt`: when it was last made ready for an entry. */
  createdAt: number | null
  lastUsedAt: number | null
}

export type SuiteStatus = {
  report: SuiteReport
  progress: ReturnType<typeof progressOf>
  workers: WorkerView[]
  leftMs: number | null
}

export async function readSuiteStatus(
  workspace: Workspace,
  options: { run?: string | undefined } = {},
): Promise<Result<SuiteStatus>> {
  const read = await readSuiteReport(workspace, options)
  if (!read.ok) return read
  const report = read.value
  const workers = report.workers.map(({ slot, entries }): WorkerView => {
    const worktree = join(workspace.folder.root, 'slots', String(slot))
    const last = entries.at(-1)
    const isBusy = report.status === 'running' && last?.passed === null
    const broken = report.entries.find(({ id }) => id === last?.id)?.tries.at(-1)?.failure?.reason === 'worktree-broken'
    return {
      worker: slot,
      state: isBusy ? 'busy' : broken ? 'error' : 'free',
      entry: isBusy ? (last?.id ?? null) : null,
      worktree,
      createdAt: timeOf(worktree, 'birthtimeMs'),
      lastUsedAt: timeOf(`${worktree}.json`, 'mtimeMs'),
    }
  })
  return ok({ report, progress: progressOf(report.entries), workers, leftMs: leftMs(report) })
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
