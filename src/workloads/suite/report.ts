// Report of a suite's run as one object: printed by `--json`, and the source of every other form. Pure.
import type { Suite } from '../../suite-definition.ts'
import type { Plan } from '../../task.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { RunSummary } from '../../view.ts'
import { type EntryResult, OVER, suiteSummary } from './entry-results.ts'
import { matrixOf } from './results-by-variant.ts'
import { type Look, stabilityOf } from './statistics.ts'

export type SuiteReport = ReturnType<typeof suiteReport>
export type ReportedEntry = SuiteReport['entries'][number]

type ReportFacts = {
  run: RunSummary
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

export function suiteReport(facts: ReportFacts) {
  const { run, suite, results, now } = facts
  const summary = suiteSummary(results, run, now)
  return {
    version: 1 as const,
    run: run.run,
    name: run.name,
    status: run.status,
    ok: summary.ok && run.status !== 'running' && run.status !== 'cancelled',
    base: run.base,
    compared: suite.compared,
    summary,
    entries: results.map((result) => reported(result, facts)),
    matrix: matrixOf(results),
    comparison: suite.compared === null ? null : comparisonOf(results),
    workers: workersOf(results, run.slots, now),
  }
}

function reported(result: EntryResult, { plan, history, tree, kept, outputs }: ReportFacts) {
  const past = history.get(result.key) ?? []
  const tries = result.tries.flatMap(({ passed }) => (passed === null ? [] : [passed]))
  const looks = [...past.map(({ look }) => look), ...(tries.length > 0 ? [{ tree, tries }] : [])]
  const last = past.at(-1)?.verdict
  const task = plan.tasks.find(({ id }) => id === result.tasks[0])
  const folder = kept.get(result.id) ?? null
  return {
    ...result,
    stability: stabilityOf(looks),
    /** True if it passed in the run before. */
    newlyFailing: result.verdict === 'failed' && (last === 'passed' || last === 'flaky'),
    /** Names of the variables that were set for it. */
    environment: Object.keys(task?.env ?? {}).sort(),
    /** Its kept worktree, if any. */
    kept: folder,
    /** Command that runs it again by hand. */
    repeat: repeatOf(result, task?.env ?? {}, folder),
    /** The end of what it printed, where it failed. */
    output: outputs.get(result.id) ?? '',
  }
}

function repeatOf({ runs }: EntryResult, env: Record<string, string>, folder: string | null): string | null {
  if (runs.kind !== 'command') return null
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)} `)
  const place = folder === null ? '' : `cd ${shellWord(folder)} && `
  return `${place}${variables.join('')}sh -c ${shellWord(runs.command)}`
}

function workersOf(results: readonly EntryResult[], slots: number, now: number) {
  const tries = results.flatMap(({ id, tries: all }) => all.map((one) => ({ id, ...one })))
  const bySlot = Map.groupBy(tries, ({ slot }) => slot)
  return Array.from({ length: Math.max(slots, ...bySlot.keys()) }, (_, n) => {
    const entries = (bySlot.get(n + 1) ?? [])
      .sort((a, b) => a.startedAt - b.startedAt)
      .map(({ id, startedAt: from, finishedAt, passed }) => ({ id, from, to: finishedAt ?? now, passed }))
    return { slot: n + 1, busyMs: entries.reduce((sum, { from, to }) => sum + to - from, 0), entries }
  })
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

/** Smallest differences at which an entry is called slower: less is noise. */
const SLOWER = { share: 1.25, ms: 500 }

/** Two trees side by side: what the newer one has broken, put right, left as it was, or made slower. */
function comparisonOf(results: readonly EntryResult[]) {
  const nameOf = ({ key, repetition }: EntryResult) => (repetition === null ? key : `${key} #${repetition}`)
  const others = new Map(results.filter(({ side }) => side === 'base').map((one) => [nameOf(one), one]))
  const compared = results.flatMap((head) => {
    const base = head.side === 'head' ? others.get(nameOf(head)) : undefined
    if (!base) return []
    const verdicts = { base: base.verdict, head: head.verdict, baseMs: base.durationMs, headMs: head.durationMs }
    return [{ change: changeOf(base, head), one: { key: nameOf(head), entry: head.entry, ...verdicts } }]
  })
  const of = (change: ReturnType<typeof changeOf>) =>
    compared.filter((one) => one.change === change).map(({ one }) => one)
  return {
    newlyBroken: of('broken'),
    newlyFixed: of('fixed'),
    stillFailing: of('failing'),
    slower: of('slower'),
    /** On one side it did not come to a verdict. */
    unknown: of('unknown'),
  }
}

function changeOf(base: EntryResult, head: EntryResult) {
  const [before, after] = [isGood(base), isGood(head)]
  if (before === null || after === null) return 'unknown'
  if (!after) return before ? 'broken' : 'failing'
  if (!before) return 'fixed'
  const [baseMs, headMs] = [base.durationMs ?? Infinity, head.durationMs ?? 0]
  return headMs > baseMs * SLOWER.share && headMs - baseMs > SLOWER.ms ? 'slower' : 'same'
}

function isGood({ verdict }: EntryResult): boolean | null {
  if (verdict === 'passed' || verdict === 'flaky') return true
  return verdict === 'failed' || verdict === 'blocked' ? false : null
}
