// A plan as an HTML page, before it runs: graph, batches, waves, epics, critical path, overlapping claims.
import { likelyMs, likelyUsd, type Plan, type Task } from '../../task.ts'
import { formatDuration } from '../../text/duration.ts'
import { money } from '../../text/usage-text.ts'
import { busiestClaimText } from '../../workloads/analysis/busiest-claim.ts'
import type { PlanOverview } from '../../workloads/analysis/overview.ts'
import { whyNever } from '../../workloads/plan/never-runs.ts'
import { type GraphTask, graphSvg } from '../drawings/graph-svg.ts'
import { type Cell, type Section, sectionInHtml } from '../sections/section.ts'
import { count, type Figure, plural } from '../wording.ts'
import { html, line, withCode } from './escape.ts'
import { figureList, page } from './page.ts'
import { links } from './task-list.ts'

/** Rows of a table; `plan show --json` has all of them. */
const MAX_ROWS = 200
const MAX_TASKS = 10_000
const MAX_NAMES = 30
const MAX_CHAIN = 100
const TITLE_CHARS = 160

/** `plan`: with the estimates of `overview`. `done`: number of finished tasks in its file, which are not in the plan. */
export function renderPlanHtml(plan: Plan, overview: PlanOverview, done = 0): string {
  const name = html(line(plan.name, 120))
  const title = `Plan · ${name}`
  if (plan.tasks.length === 0) return page(title, [nothingLeft(overview, name, done), '<main></main>', FOOTER])
  const known = new Set(plan.tasks.slice(0, MAX_TASKS).map(({ id }) => id))
  const chain = { tasks: overview.criticalPath.tasks, words: 'the critical path' }
  const sections = [
    neverSection(overview),
    batchSection(overview),
    waveSection(overview),
    epicSection(overview),
    conflictSection(overview),
    taskSection(plan, overview),
  ]
  return page(title, [
    header(overview, name, done),
    '<main>',
    `<section><h2>Graph</h2>${graphSvg(plan.tasks.map(planned), chain)}</section>`,
    pathSection(plan, overview, known),
    ...sections.map((section) => sectionInHtml(section, known)),
    '</main>',
    FOOTER,
  ])
}

function planned({ id, title, needs, after, ...task }: Task): GraphTask {
  const ms = likelyMs(task)
  const took = ms === null ? '' : formatDuration(ms)
  return { id, title, needs, after, tone: 'calm', sign: 'pending', word: 'planned', open: false, took }
}

function nothingLeft({ objective }: PlanOverview, name: string, done: number): string {
  const words = done > 0 ? `<p>All of its ${plural(done, 'task')} ${done === 1 ? 'is' : 'are'} done.</p>` : ''
  return heading(name, 'plan', 'Nothing is left to do', objectiveOf(objective) + words, [])
}

function objectiveOf(objective: string | null): string {
  return objective === null ? '' : `<p>${withCode(line(objective, 500))}</p>`
}

function header(overview: PlanOverview, name: string, done: number): string {
  const { tasks, batches, waves, epics, criticalPath, totalMs, lowerBoundMs, slots, estimated, objective } = overview
  const widest = batches.reduce((most, batch) => Math.max(most, batch.tasks.length), 0)
  const faster = lowerBoundMs > 0 ? `${(totalMs / lowerBoundMs).toFixed(1)} × as fast` : ''
  const groups = epics.length > 0 ? ` of ${plural(epics.length, 'epic')}` : ''
  const guessed = estimated > 0 ? `${plural(estimated, 'task')} without estimate` : ''
  const figures: Figure[] = [
    ['Batches', count(batches.length), `at most ${plural(widest, 'task')} in one`],
    ['Waves', count(waves.length), waves.length > batches.length ? 'more than batches, because of claims' : ''],
    ['Critical path', formatDuration(criticalPath.ms), plural(criticalPath.tasks.length, 'task')],
    ['One after another', formatDuration(totalMs), guessed],
    [`At best with -j ${slots}`, formatDuration(lowerBoundMs), faster],
  ]
  const before =
    done > 0 ? `<p>${plural(done, 'more task')} of its file ${done === 1 ? 'is' : 'are'} done already.</p>` : ''
  const title = `${plural(tasks, 'task')}${groups} in ${batches.length === 1 ? '1 batch' : `${count(batches.length)} batches`}`
  return heading(name, 'plan', title, objectiveOf(objective) + before, figures)
}

function pathSection(plan: Plan, { criticalPath, busiestClaim, lowerBoundMs }: PlanOverview, known: Set<string>) {
  const times = new Map(plan.tasks.map((task) => [task.id, likelyMs(task)]))
  const shown = criticalPath.tasks.slice(0, MAX_CHAIN)
  const steps = shown.map((id) => {
    const ms = times.get(id) ?? null
    return `${links([id], known, 1)}${ms === null ? '' : ` <span class="soft">${formatDuration(ms)}</span>`}`
  })
  const more = criticalPath.tasks.length - shown.length
  const claim = busiestClaim && busiestClaim.boundMs >= lowerBoundMs ? claimNote(busiestClaim, criticalPath.ms) : ''
  const words = `The longest chain of tasks that wait for each other: no number of workers is faster than its ${formatDuration(criticalPath.ms)}.`
  return `<section><h2>Critical path</h2><p class="soft">${words}</p><p>${steps.join(' → ')}${more > 0 ? ` → … and ${count(more)} more` : ''}</p>${claim}</section>`
}

function claimNote(claim: NonNullable<PlanOverview['busiestClaim']>, chainMs: number): string {
  const tasks = busiestClaimText(claim, `<code>${html(line(claim.pattern, TITLE_CHARS))}</code>`)
  const more = claim.boundMs > chainMs ? 'more than' : 'as much as'
  return `<p class="note">${tasks}: ${formatDuration(claim.boundMs)}. That delays the plan ${more} its longest chain.</p>`
}

function neverSection({ never }: PlanOverview): Section | null {
  const rows = never.slice(0, MAX_ROWS).map((one) => [{ tasks: [one.task] }, whyNever(one)])
  return tableSection('Will not run', 'Known before the run.', ['Task', 'Why'], rows, never.length)
}

function batchSection({ batches }: PlanOverview): Section | null {
  const rows = batches
    .slice(0, MAX_ROWS)
    .map(({ number, tasks, waitsFor }) => [String(number), names(tasks), names(waitsFor)])
  const words = 'Tasks of a batch do not need each other: but for their claims they could all run at the same time.'
  return tableSection('Batches', words, ['', 'Tasks', 'Wait for'], rows, batches.length)
}

function waveSection({ waves, batches }: PlanOverview): Section | null {
  if (waves.length === batches.length && waves.every(({ heldBack }) => heldBack.length === 0))
    return { title: 'Waves', words: ['The same as the batches: no claim keeps tasks of a batch apart.'] }
  const rows = waves.slice(0, MAX_ROWS).map(({ number, tasks, heldBack }) => {
    const shown = heldBack.slice(0, MAX_NAMES)
    const why = shown.flatMap(({ task, by, pattern }, index) => [
      ...(index === 0 ? [] : ['; ']),
      ...[{ tasks: [task] }, ' by ', { tasks: [by] }, ': ', { code: pattern }],
    ])
    const more = heldBack.length - shown.length
    return [String(number), names(tasks), [...why, ...(more > 0 ? [` and ${count(more)} more`] : [])]]
  })
  const words =
    'Batches split so that no two tasks of a wave claim the same paths. `--schedule waves` runs one wave after the other.'
  return tableSection('Waves', words, ['', 'Tasks', 'Delayed by a claim'], rows, waves.length)
}

function epicSection({ epics }: PlanOverview): Section | null {
  const rows = epics
    .slice(0, MAX_ROWS)
    .map(({ id, title, stage, tasks, widest, ms, totalMs, waitsFor }) => [
      id,
      title,
      String(stage),
      count(tasks),
      count(widest),
      formatDuration(ms),
      formatDuration(totalMs),
      waitsFor.join(', '),
    ])
  const head = ['Epic', 'Title', 'Stage', 'Tasks', 'At once', 'Longest chain', 'One by one', 'Waits for']
  return tableSection('Epics', 'Epics of the same stage do not wait for each other.', head, rows, epics.length)
}

function conflictSection({ conflicts, conflictCount }: PlanOverview): Section | null {
  const rows = conflicts.slice(0, MAX_ROWS).map(({ a, b, paths }) => [{ tasks: [a, b] }, { code: paths.join(' ') }])
  return tableSection('Never at the same time', 'Their claims overlap.', ['Tasks', 'Claims'], rows, conflictCount)
}

function taskSection({ tasks }: Plan, { batches, waves }: PlanOverview): Section | null {
  const batch = new Map(batches.flatMap((one) => one.tasks.map((id) => [id, one.number])))
  const wave = new Map(waves.flatMap((one) => one.tasks.map((id) => [id, one.number])))
  const rows = tasks.slice(0, MAX_TASKS).map((task) => {
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
  })
  const head = ['Task', 'Title', 'Epic', 'Batch', 'Wave', 'Time', 'Cost', 'Waits for', 'Claims']
  return tableSection('Tasks', '', head, rows, tasks.length)
}

function names(tasks: readonly string[]): Cell {
  return { tasks, most: MAX_NAMES }
}

/** `all`: how many rows there would be without a limit. Null without rows. */
export function tableSection(
  title: string,
  words: string,
  head: string[],
  rows: Cell[][],
  all: number,
): Section | null {
  if (rows.length === 0) return null
  const left = { leftOut: all - rows.length, where: '`--json` has all of them' }
  return { title, words: words === '' ? [] : [words], head, rows, ...left }
}

/** `name`, `title` and `words` are HTML already. `kind`: what the page is about. */
export function heading(name: string, kind: string, title: string, words: string, figures: readonly Figure[]): string {
  return [
    `<header class="calm"><div class="in"><div class="crumb"><b><bdi>${name}</bdi></b><span>${kind}</span></div>`,
    `<div class="verdict"><div><h1>${title}</h1>${words}</div></div>${figureList(figures)}</div></header>`,
  ].join('')
}

export const FOOTER = '<footer><p>Espalier. Times are estimates. This file loads nothing from anywhere.</p></footer>'
