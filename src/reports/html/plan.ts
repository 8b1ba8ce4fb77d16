// A plan as an HTML page, before it runs: graph, batches, waves, epics, critical path, overlapping claims.
import { likelyMs, likelyUsd, type Plan, type Task } from '../../task.ts'
import { formatDuration } from '../../text/duration.ts'
import { money } from '../../text/usage-text.ts'
import { busiestClaimText } from '../../workloads/analysis/busiest-claim.ts'
import type { PlanOverview } from '../../workloads/analysis/overview.ts'
import { whyNever } from '../../workloads/plan/never-runs.ts'
import { graphSvg } from '../drawings/graph-svg.ts'
import type { GraphTask } from '../drawings/graph-task.ts'
import { count, plural } from '../wording.ts'
import { html, line, withCode } from './escape.ts'
import { page } from './page.ts'
import { links } from './task-list.ts'

/** Rows of a table; `plan show --json` has all of them. */
const MAX_ROWS = 200
const MAX_TASKS = 10_000
/** Names in one cell. */
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
  return page(title, [
    header(overview, name, done),
    '<main>',
    `<section><h2>Graph</h2>${graphSvg(plan.tasks.map(planned), chain)}</section>`,
    pathSection(plan, overview, known),
    neverSection(overview, known),
    batchSection(overview, known),
    waveSection(overview, known),
    epicSection(overview),
    conflictSection(overview, known),
    taskSection(plan, overview, known),
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
  const figures: Figure[] = [
    ['Batches', count(batches.length), `at most ${plural(widest, 'task')} in one`],
    ['Waves', count(waves.length), waves.length > batches.length ? 'more than batches, because of claims' : ''],
    ['Critical path', formatDuration(criticalPath.ms), plural(criticalPath.tasks.length, 'task')],
    [
      'One after another',
      formatDuration(totalMs),
      estimated > 0 ? `${plural(estimated, 'task')} without estimate` : '',
    ],
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

function neverSection({ never }: PlanOverview, known: Set<string>): string {
  const rows = never
    .slice(0, MAX_ROWS)
    .map((one) => [links([one.task], known, 1), withCode(line(whyNever(one), TITLE_CHARS))])
  return table('Will not run', 'Known before the run.', [SHORT('Task'), WORDS('Why')], rows, never.length)
}

function batchSection({ batches }: PlanOverview, known: Set<string>): string {
  const rows = batches
    .slice(0, MAX_ROWS)
    .map(({ number, tasks, waitsFor }) => [
      String(number),
      links(tasks, known, MAX_NAMES),
      links(waitsFor, known, MAX_NAMES),
    ])
  const words = 'Tasks of a batch do not need each other: but for their claims they could all run at the same time.'
  return table('Batches', words, [SHORT(''), WORDS('Tasks'), WORDS('Wait for')], rows, batches.length)
}

function waveSection({ waves, batches }: PlanOverview, known: Set<string>): string {
  if (waves.length === batches.length && waves.every(({ heldBack }) => heldBack.length === 0))
    return '<section><h2>Waves</h2><p class="soft">The same as the batches: no claim keeps tasks of a batch apart.</p></section>'
  const rows = waves.slice(0, MAX_ROWS).map(({ number, tasks, heldBack }) => {
    const why = heldBack.slice(0, MAX_NAMES).map(({ task, by, pattern }) => {
      return `${links([task], known, 1)} by ${links([by], known, 1)}: <code>${html(line(pattern, TITLE_CHARS))}</code>`
    })
    const more = heldBack.length - why.length
    return [
      String(number),
      links(tasks, known, MAX_NAMES),
      [...why, ...(more > 0 ? [`and ${count(more)} more`] : [])].join('<br>'),
    ]
  })
  const words =
    'As the batches, but no two tasks of a wave claim the same. <code>--schedule waves</code> runs one wave after the other.'
  return table('Waves', words, [SHORT(''), WORDS('Tasks'), WORDS('Delayed by a claim')], rows, waves.length)
}

function epicSection({ epics }: PlanOverview): string {
  const rows = epics
    .slice(0, MAX_ROWS)
    .map(({ id, title, stage, tasks, widest, ms, totalMs, waitsFor }) => [
      `<span class="m">${html(id)}</span>`,
      withCode(line(title, TITLE_CHARS)),
      String(stage),
      count(tasks),
      count(widest),
      formatDuration(ms),
      formatDuration(totalMs),
      html(line(waitsFor.join(', '), TITLE_CHARS)),
    ])
  const figures = ['Stage', 'Tasks', 'At once', 'Longest chain', 'One by one'].map(SHORT)
  const head = [WORDS('Epic'), WORDS('Title'), ...figures, WORDS('Waits for')]
  return table('Epics', 'Epics of the same stage do not wait for each other.', head, rows, epics.length)
}

function conflictSection({ conflicts, conflictCount }: PlanOverview, known: Set<string>): string {
  const rows = conflicts
    .slice(0, MAX_ROWS)
    .map(({ a, b, paths }) => [links([a, b], known), `<code>${html(line(paths.join(' '), TITLE_CHARS))}</code>`])
  return table(
    'Never at the same time',
    'Their claims overlap.',
    [WORDS('Tasks'), WORDS('Claims')],
    rows,
    conflictCount,
  )
}

function taskSection({ tasks }: Plan, { batches, waves }: PlanOverview, known: Set<string>): string {
  const batch = new Map(batches.flatMap((one) => one.tasks.map((id) => [id, one.number])))
  const wave = new Map(waves.flatMap((one) => one.tasks.map((id) => [id, one.number])))
  const rows = tasks.slice(0, MAX_TASKS).map((task) => {
    const { id, title, epic, needs, after, claims } = task
    const [ms, usd] = [likelyMs(task), likelyUsd(task)]
    const claimed = [...claims.write, ...claims.read.map((path) => `reads ${path}`)]
    return [
      `<span class="m" id="t-${html(id)}">${html(id)}</span>`,
      `<bdi>${withCode(line(title, TITLE_CHARS))}</bdi>${epic === null ? '' : ` <span class="soft">${html(epic)}</span>`}`,
      String(batch.get(id) ?? ''),
      String(wave.get(id) ?? ''),
      ms === null ? '' : formatDuration(ms),
      usd === null ? '' : money(usd),
      links([...new Set([...needs, ...after])], known, 10),
      `<code>${html(line(claimed.join(' '), TITLE_CHARS))}</code>`,
    ]
  })
  const figures = ['Batch', 'Wave', 'Time', 'Cost'].map(SHORT)
  const head = [SHORT('Task'), WORDS('Title'), ...figures, WORDS('Waits for'), WORDS('Claims')]
  return table('Tasks', '', head, rows, tasks.length)
}

/** Never broken. */
const SHORT = (name: string): Column => ({ name, look: 'nw' })
/** With room for a few words in each line. */
const WORDS = (name: string): Column => ({ name, look: 'wd' })

// A table of the pages about a plan.

/** `nw`: never broken; `wd`: has words or paths in it, and room for some of them in each line. */
export type Column = { name: string; look: 'nw' | 'wd' }

/** Titles and cells are HTML already. `all`: how many rows there would be without a limit. Empty without rows. */
export function table(title: string, words: string, columns: readonly Column[], rows: string[][], all: number): string {
  if (rows.length === 0) return ''
  const head = columns.map(({ name }) => `<th>${name}</th>`)
  const body = rows.map((row) => {
    return `<tr>${columns.map(({ look }, at) => `<td class="${look}">${row[at] ?? ''}</td>`).join('')}</tr>`
  })
  const more =
    all > rows.length
      ? `<p class="note">And ${count(all - rows.length)} more; <code>--json</code> has all of them.</p>`
      : ''
  return [
    `<section><h2>${title}</h2>${words === '' ? '' : `<p class="soft">${words}</p>`}`,
    `<div class="scroll"><table class="pl"><thead><tr>${head.join('')}</tr></thead>`,
    `<tbody>${body.join('')}</tbody></table></div>${more}</section>`,
  ].join('')
}

// Header and footer of the pages about a plan.

export type Figure = [label: string, value: string, note: string]

/** `name`, `title` and `words` are HTML already. `kind`: what the page is about. */
export function heading(name: string, kind: string, title: string, words: string, figures: readonly Figure[]): string {
  const list = figures.length === 0 ? '' : `<dl class="figures">${figures.map(figure).join('')}</dl>`
  return [
    `<header class="calm"><div class="in"><div class="crumb"><b><bdi>${name}</bdi></b><span>${kind}</span></div>`,
    `<div class="verdict"><div><h1>${title}</h1>${words}</div></div>${list}</div></header>`,
  ].join('')
}

function figure([label, value, note]: Figure): string {
  return `<div><dt>${html(label)}</dt><dd>${html(value)}<small>${html(note)}</small></dd></div>`
}

export const FOOTER = '<footer><p>Espalier. Times are estimates. This file loads nothing from anywhere.</p></footer>'
