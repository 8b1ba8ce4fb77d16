// A plan before it runs, as data: figures, batches, waves, epics, critical path, overlapping claims. For the page of
// `espalier plan show --html`.
import { likelyMs, likelyUsd, type Plan, type Task } from '../task.ts'
import { formatDuration } from '../text/duration.ts'
import { count, grouped } from '../text/figures.ts'
import { money } from '../text/usage-text.ts'
import type { PlanOverview } from '../workloads/analysis/overview.ts'
import { busiestClaimText } from '../workloads/analysis/times.ts'
import { whyNever } from '../workloads/plan/never-runs.ts'
import { line } from './escape.ts'
import { type Cell, type Figure, filled, type ReportSection, table } from './sections/section.ts'
import { NO_SUMMARY, type Summary } from './summary.ts'

/** Rows of a table; `plan show --json` has all of them. */
const MAX_ROWS = 200
const MAX_TASKS = 10_000
const MAX_NAMES = 30
const MAX_CHAIN = 100
const TITLE_CHARS = 160
const OBJECTIVE_CHARS = 500

/** `plan`: with the estimates of `overview`. `done`: number of finished tasks in its file, which are not in the plan. */
export function planSummary(plan: Plan, overview: PlanOverview, done: number, generatedAt: number): Summary {
  const { objective } = overview
  const isNothing = plan.tasks.length === 0
  return {
    ...NO_SUMMARY,
    title: isNothing ? 'Nothing is left to do' : titleOf(overview),
    detail: doneWords(done, isNothing),
    objective: objective === null ? null : line(objective, OBJECTIVE_CHARS),
    ...(isNothing ? {} : { figures: figuresOf(overview), sections: sectionsOf(plan, overview) }),
    generatedAt,
  }
}

function titleOf({ tasks, epics, batches }: PlanOverview): string {
  const groups = epics.length > 0 ? ` of ${count(epics.length, 'epic')}` : ''
  return `${count(tasks, 'task')}${groups} in ${count(batches.length, 'batch', 'batches')}`
}

function doneWords(done: number, isNothing: boolean): string {
  if (done === 0) return ''
  const is = done === 1 ? 'is' : 'are'
  return isNothing
    ? `All of its ${count(done, 'task')} ${is} done.`
    : `${count(done, 'more task')} of its file ${is} done already.`
}

function figuresOf({ batches, waves, criticalPath, totalMs, lowerBoundMs, slots, estimated }: PlanOverview): Figure[] {
  const widest = batches.reduce((most, batch) => Math.max(most, batch.tasks.length), 0)
  const faster = lowerBoundMs > 0 ? `${(totalMs / lowerBoundMs).toFixed(1)} × as fast` : ''
  const guessed = estimated > 0 ? `${count(estimated, 'task')} without estimate` : ''
  return [
    ['Batches', grouped(batches.length), `at most ${count(widest, 'task')} in one`],
    ['Waves', grouped(waves.length), waves.length > batches.length ? 'more than batches, because of claims' : ''],
    ['Critical path', formatDuration(criticalPath.ms), count(criticalPath.tasks.length, 'task')],
    ['One after another', formatDuration(totalMs), guessed],
    [`At best with -j ${slots}`, formatDuration(lowerBoundMs), faster],
  ]
}

function sectionsOf(plan: Plan, overview: PlanOverview): ReportSection[] {
  return filled([
    planPathSection(plan, overview),
    neverSection(overview),
    batchSection(overview),
    waveSection(overview),
    epicSection(overview),
    conflictSection(overview),
    taskSection(plan, overview),
  ])
}

const where = '`--json` has all of them'

export function planPathSection(
  plan: Plan,
  { criticalPath, busiestClaim, lowerBoundMs }: Pick<PlanOverview, 'criticalPath' | 'busiestClaim' | 'lowerBoundMs'>,
): ReportSection | null {
  if (criticalPath.tasks.length === 0) return null
  const times = new Map(plan.tasks.map((task) => [task.id, likelyMs(task)]))
  const shown = criticalPath.tasks.slice(0, MAX_CHAIN)
  const steps = shown.flatMap((id, index) => {
    const ms = times.get(id) ?? null
    return [...(index === 0 ? [] : [' → ']), { tasks: [id] }, ms === null ? '' : ` ${formatDuration(ms)}`]
  })
  const left = criticalPath.tasks.length - shown.length
  const words = `The longest chain of tasks that wait for each other: no number of workers is faster than its ${formatDuration(criticalPath.ms)}.`
  const claim = busiestClaim && busiestClaim.boundMs >= lowerBoundMs ? [claimNote(busiestClaim, criticalPath.ms)] : []
  return {
    title: 'Critical path',
    words: [words, ...claim],
    list: [[...steps, ...(left > 0 ? [` → … and ${grouped(left)} more`] : [])]],
  }
}

function claimNote(claim: NonNullable<PlanOverview['busiestClaim']>, chainMs: number): string {
  const tasks = busiestClaimText(claim, `\`${line(claim.pattern, TITLE_CHARS)}\``)
  const more = claim.boundMs > chainMs ? 'more than' : 'as much as'
  return `${tasks}: ${formatDuration(claim.boundMs)}. That delays the plan ${more} its longest chain.`
}

function neverSection({ never }: PlanOverview): ReportSection {
  const rows = table(['Task', 'Why'], never, (one) => [{ tasks: [one.task] }, whyNever(one)], MAX_ROWS)
  return { title: 'Will not run', words: ['Known before the run.'], ...rows, where }
}

function batchSection({ batches }: PlanOverview): ReportSection {
  const words = 'Tasks of a batch do not need each other: but for their claims they could all run at the same time.'
  const cells = ({ number, tasks, waitsFor }: (typeof batches)[number]) => {
    return [String(number), names(tasks), names(waitsFor)]
  }
  return { title: 'Batches', words: [words], ...table(['', 'Tasks', 'Wait for'], batches, cells, MAX_ROWS), where }
}

function waveSection({ waves, batches }: PlanOverview): ReportSection {
  if (waves.length === batches.length && waves.every(({ heldBack }) => heldBack.length === 0))
    return { title: 'Waves', words: ['The same as the batches: no claim keeps tasks of a batch apart.'] }
  const cells = ({ number, tasks, heldBack }: (typeof waves)[number]) => {
    const shown = heldBack.slice(0, MAX_NAMES)
    const why = shown.flatMap(({ task, by, pattern }, index) => [
      ...(index === 0 ? [] : ['; ']),
      ...[{ tasks: [task] }, ' by ', { tasks: [by] }, ': ', { code: pattern }],
    ])
    const more = heldBack.length - shown.length
    return [String(number), names(tasks), [...why, ...(more > 0 ? [` and ${grouped(more)} more`] : [])]]
  }
  const words =
    'Batches split so that no two tasks of a wave claim the same paths. `--schedule waves` runs one wave after the other.'
  const head = ['', 'Tasks', 'Delayed by a claim']
  return { title: 'Waves', words: [words], ...table(head, waves, cells, MAX_ROWS), where }
}

function epicSection({ epics }: PlanOverview): ReportSection {
  const head = ['Epic', 'Title', 'Stage', 'Tasks', 'At once', 'Longest chain', 'One by one', 'Waits for']
  const cells = ({ id, title, stage, tasks, widest, ms, totalMs, waitsFor }: (typeof epics)[number]) => [
    ...[id, title, String(stage), grouped(tasks), grouped(widest), formatDuration(ms), formatDuration(totalMs)],
    waitsFor.join(', '),
  ]
  const words = ['Epics of the same stage do not wait for each other.']
  return { title: 'Epics', words, ...table(head, epics, cells, MAX_ROWS), where }
}

function conflictSection({ conflicts, conflictCount }: PlanOverview): ReportSection {
  const cells = ({ a, b, paths }: (typeof conflicts)[number]) => [{ tasks: [a, b] }, { code: paths.join(' ') }]
  const rows = table(['Tasks', 'Claims'], conflicts, cells, MAX_ROWS)
  const leftOut = conflictCount - rows.rows.length
  return { title: 'Never at the same time', words: ['Their claims overlap.'], ...rows, leftOut, where }
}

function taskSection({ tasks }: Plan, { batches, waves }: PlanOverview): ReportSection {
  const batch = new Map(batches.flatMap((one) => one.tasks.map((id) => [id, one.number])))
  const wave = new Map(waves.flatMap((one) => one.tasks.map((id) => [id, one.number])))
  const cells = (task: Task): Cell[] => {
    const { id, title, epic, needs, after, claims } = task
    const [ms, usd] = [likelyMs(task), likelyUsd(task)]
    const claimed = [...claims.write, ...claims.read.map((path) => `reads ${path}`)]
    return [
      { ownRow: id },
      line(title, TITLE_CHARS),
      epic ?? '',
      String(batch.get(id) ?? ''),
      String(wave.get(id) ?? ''),
      ms === null ? '' : formatDuration(ms),
      usd === null ? '' : money(usd),
      { tasks: [...new Set([...needs, ...after])], most: 10 },
      { code: line(claimed.join(' '), TITLE_CHARS) },
    ]
  }
  const head = ['Task', 'Title', 'Epic', 'Batch', 'Wave', 'Time', 'Cost', 'Waits for', 'Claims']
  return { title: 'Tasks', ...table(head, tasks, cells, MAX_TASKS), where }
}

function names(tasks: readonly string[]): Cell {
  return { tasks, most: MAX_NAMES }
}
