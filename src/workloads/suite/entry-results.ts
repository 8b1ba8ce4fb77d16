// Results of a suite's entries, from the views of its tasks alone. Pure: a later reader or a resumed run comes to the same.

import { atWorkMs } from '../../facts/durations.ts'
import { isDone } from '../../status.ts'
import { historyKey, type Suite, type SuiteEntry } from '../../suite-definition.ts'
import { usageOf } from '../../usage.ts'
import type { AttemptView, RunSummary, TaskView } from '../../view.ts'

const VERDICTS = [
  'passed',
  'flaky', // failed first, and passed when it was tried again
  'failed',
  'blocked', // an entry it needs did not pass
  'cancelled',
  'running',
  'pending',
] as const
type EntryVerdict = (typeof VERDICTS)[number]

/** Try of an entry: all of its tasks, one after the other. */
export type EntryTry = Pick<AttemptView, 'startedAt' | 'finishedAt' | 'slot' | 'failure'> & {
  number: number
  passed: boolean | null
  /** The attempts it is made of, by task. */
  attempts: { task: string; attempt: number }[]
}

export type EntryResult = ReturnType<typeof entryResult>

export function entryResults(suite: Suite, tasks: ReadonlyMap<string, TaskView>): EntryResult[] {
  return suite.entries.map((entry) =>
    entryResult(
      entry,
      entry.tasks.flatMap((id) => tasks.get(id) ?? []),
    ),
  )
}

function entryResult(entry: SuiteEntry, tasks: TaskView[]) {
  const tries = triesOf(tasks)
  const last = tries.at(-1)
  const verdict = verdictOf(entry, tasks, tries)
  const bad = tasks.find(({ status }) => status === 'failed') ?? tasks.find(({ failure }) => failure !== null)
  const results = (last?.attempts ?? []).flatMap(({ task, attempt }) => {
    const { history = [] } = tasks.find(({ id }) => id === task) ?? {}
    const { result } = history.find((one) => one.attempt === attempt) ?? {}
    return result ? [{ task, attempt, ...result }] : []
  })
  return {
    ...entry,
    key: historyKey(entry),
    verdict,
    tries,
    startedAt: tries[0]?.startedAt ?? null,
    finishedAt: OVER.has(verdict) ? (last?.finishedAt ?? null) : null,
    /** Duration of the last try, as are the counts of its JUnit files and its artifacts. */
    durationMs: last && last.finishedAt !== null ? last.finishedAt - last.startedAt : null,
    failure: verdict === 'passed' || verdict === 'flaky' ? null : (bad?.failure ?? last?.failure ?? null),
    tasksPassed: tasks.filter(({ status }) => isDone(status)).length,
    tasksFailed: tasks.filter(({ status }) => status === 'failed').length,
    counts: addedCounts(results.flatMap(({ counts }) => (counts ? [counts] : []))),
    artifacts: results.flatMap(({ task, attempt, artifacts = [] }) =>
      [artifacts].flat().map((path) => `${task}/${attempt}/${path}`),
    ),
    usage: usageOf(tasks.flatMap(({ history }) => history)),
  }
}

export const OVER: ReadonlySet<EntryVerdict> = new Set(['passed', 'flaky', 'failed', 'blocked', 'cancelled'])

function verdictOf(entry: SuiteEntry, tasks: TaskView[], tries: EntryTry[]): EntryVerdict {
  const has = (...statuses: TaskView['status'][]) => tasks.some(({ status }) => statuses.includes(status))
  if (has('failed')) return 'failed'
  if (has('cancelled')) return 'cancelled'
  if (has('blocked')) return 'blocked'
  if (tasks.length === entry.tasks.length && tasks.length > 0 && !has('pending', 'ready', 'running', 'landing'))
    return tries.some(({ passed }) => passed === false) ? 'flaky' : 'passed'
  return has('running') || has('landing') ? 'running' : 'pending'
}

/** A try is over when one of its tasks failed, or all have succeeded. What nobody is to blame for begins no new one. */
function triesOf(tasks: TaskView[]): EntryTry[] {
  const attempts = tasks
    .flatMap(({ id, history }) => history.map((view) => ({ task: id, view })))
    .sort((a, b) => a.view.startedAt - b.view.startedAt || a.view.attempt - b.view.attempt)
  const tries: EntryTry[] = []
  let done = new Set<string>()
  for (const { task, view } of attempts) {
    const last = tries.at(-1)
    const isNew = !last || last.passed !== null || done.has(task)
    const { startedAt, slot } = view
    const started = { number: tries.length + 1, passed: null, startedAt, finishedAt: null, slot, failure: null }
    const current: EntryTry = isNew ? { ...started, attempts: [] } : last
    if (isNew) {
      tries.push(current)
      done = new Set()
    }
    current.attempts.push({ task, attempt: view.attempt })
    current.finishedAt = view.finishedAt
    if (!view.countsAsTry) continue
    if (view.failure) Object.assign(current, { passed: false, failure: view.failure })
    else {
      done.add(task)
      if (done.size === tasks.length) current.passed = true
    }
  }
  return tries
}

function addedCounts(all: Record<string, number>[]): Record<string, number> | null {
  if (all.length === 0) return null
  const sum: Record<string, number> = {}
  for (const counts of all) for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count
  return sum
}

export function suiteSummary(
  results: readonly EntryResult[],
  run: Pick<RunSummary, 'startedAt' | 'finishedAt' | 'slots' | 'idleMs'>,
  now: number,
) {
  const counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<EntryVerdict, number>
  for (const { verdict } of results) counts[verdict]++
  const tries = results.flatMap((result) => result.tries)
  const durationMs = atWorkMs(run, now)
  /** The time of one worker. */
  const sequentialMs = tries.reduce((sum, one) => sum + (one.finishedAt ?? now) - one.startedAt, 0)
  // Highest slot used: with `-j auto` there were more at times than at the end.
  const workers = tries.reduce((most, { slot }) => Math.max(most, slot), run.slots)
  const isBad = ({ verdict }: EntryResult) => verdict !== 'passed' && verdict !== 'flaky'
  const hasRun = durationMs > 0 && tries.length > 0
  return {
    ...counts,
    total: results.length,
    /** Failed entries in quarantine, which do not count. */
    quarantined: results.filter((result) => result.quarantined && isBad(result)).length,
    ok: results.every((result) => result.quarantined || !isBad(result)),
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    durationMs,
    sequentialMs,
    speedUp: hasRun ? sequentialMs / durationMs : null,
    /** Used share of all workers' time. */
    efficiency: hasRun ? Math.min(1, sequentialMs / (durationMs * workers)) : null,
    workers,
  }
}
