// Report of a suite's run as one object: printed by `--json`, and the source of every other form. Pure.
import type { RunStatus } from '../../status.ts'
import type { Suite } from '../../suite.ts'
import type { Plan } from '../../task.ts'
import { shellWord } from '../../text/shell-word.ts'
import { type Comparison, comparisonOf } from './comparison.ts'
import { type MatrixTable, matrixOf } from './matrix.ts'
import { type EntryResult, OVER, type SuiteSummary, suiteSummary } from './results.ts'
import { type Look, type Stability, stabilityOf } from './statistics.ts'

export type ReportedEntry = EntryResult & {
  stability: Stability
  /** True if it passed in the run before. */
  newlyFailing: boolean
  /** Names of the variables that were set for it. */
  environment: string[]
  /** Its kept worktree, if any. */
  kept: string | null
  /** Command that runs it again by hand. */
  repeat: string | null
  /** The end of what it printed, where it failed. */
  output: string
}

export type WorkerTime = {
  slot: number
  busyMs: number
  entries: { id: string; from: number; to: number; passed: boolean | null }[]
}

export type SuiteReport = {
  version: 1
  run: string
  name: string
  status: RunStatus
  ok: boolean
  base: string
  compared: string | null
  summary: SuiteSummary
  entries: ReportedEntry[]
  matrix: MatrixTable | null
  comparison: Comparison | null
  workers: WorkerTime[]
}

type ReportFacts = {
  run: {
    run: string
    name: string
    status: RunStatus
    base: string
    startedAt: number
    finishedAt: number | null
    slots: number
    idleMs?: number | undefined
  }
  suite: Suite
  plan: Plan
  results: readonly EntryResult[]
  /** Earlier results of each entry by its key, the oldest first. */
  history: ReadonlyMap<string, readonly { look: Look; verdict: string }[]>
  /** The tree that was tested. */
  tree: string
  /** Kept worktrees on this machine, by entry. */
  kept: ReadonlyMap<string, string>
  outputs: ReadonlyMap<string, string>
  now: number
}

export function suiteReport(facts: ReportFacts): SuiteReport {
  const { run, suite, results, now } = facts
  const summary = suiteSummary(results, run, now)
  const entries = results.map((result) => reported(result, facts))
  return {
    version: 1,
    run: run.run,
    name: run.name,
    status: run.status,
    ok: summary.ok && run.status !== 'running' && run.status !== 'cancelled',
    base: run.base,
    compared: suite.compared,
    summary,
    entries,
    matrix: matrixOf(results),
    comparison: suite.compared === null ? null : comparisonOf(results),
    workers: workersOf(results, run.slots, now),
  }
}

function reported(result: EntryResult, { plan, history, tree, kept, outputs }: ReportFacts): ReportedEntry {
  const past = history.get(result.key) ?? []
  const tries = result.tries.flatMap(({ passed }) => (passed === null ? [] : [passed]))
  const looks = [...past.map(({ look }) => look), ...(tries.length > 0 ? [{ tree, tries }] : [])]
  const last = past.at(-1)?.verdict
  const task = plan.tasks.find(({ id }) => id === result.tasks[0])
  const folder = kept.get(result.id) ?? null
  return {
    ...result,
    stability: stabilityOf(looks),
    newlyFailing: result.verdict === 'failed' && (last === 'passed' || last === 'flaky'),
    environment: Object.keys(task?.env ?? {}).sort(),
    kept: folder,
    repeat: repeatOf(result, task?.env ?? {}, folder),
    output: outputs.get(result.id) ?? '',
  }
}

function repeatOf({ runs }: EntryResult, env: Record<string, string>, folder: string | null): string | null {
  if (runs.kind !== 'command') return null
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)} `)
  const place = folder === null ? '' : `cd ${shellWord(folder)} && `
  return `${place}${variables.join('')}sh -c ${shellWord(runs.command)}`
}

function workersOf(results: readonly EntryResult[], slots: number, now: number): WorkerTime[] {
  const workers = Array.from({ length: slots }, (_, n): WorkerTime => ({ slot: n + 1, busyMs: 0, entries: [] }))
  const tries = results.flatMap(({ id, tries: all }) => all.map((one) => ({ id, ...one })))
  for (const { id, slot, startedAt: from, finishedAt, passed } of tries.sort((a, b) => a.startedAt - b.startedAt)) {
    while (workers.length < slot) workers.push({ slot: workers.length + 1, busyMs: 0, entries: [] })
    const worker = workers[slot - 1] as WorkerTime
    const to = finishedAt ?? now
    worker.entries.push({ id, from, to, passed })
    worker.busyMs += to - from
  }
  return workers
}

/** Progress for a live view. */
export function progressOf(results: readonly EntryResult[]) {
  const count = (...verdicts: EntryResult['verdict'][]) =>
    results.filter(({ verdict }) => verdicts.includes(verdict)).length
  return {
    total: results.length,
    completed: results.filter(({ verdict }) => OVER.has(verdict)).length,
    running: count('running'),
    pending: count('pending'),
    failed: count('failed', 'blocked', 'cancelled'),
  }
}
