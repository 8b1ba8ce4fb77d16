// A plan as an HTML page, before it runs: its graph, batches, waves and epics, the critical path, who claims what.
import { formatDuration } from '../duration.ts'
import type { Plan, Task } from '../task.ts'
import { money } from '../usage-text.ts'
import { whyNever } from '../workloads/never-runs.ts'
import type { PlanOverview } from '../workloads/plan-overview.ts'
import { claimsMatrixInHtml } from './claims-matrix-html.ts'
import { html, line } from './escape.ts'
import { graphSvg } from './graph-svg.ts'
import type { GraphTask } from './graph-task.ts'
import { page } from './page.ts'
import { links } from './task-list.ts'
import { count, plural } from './wording.ts'

/** Rows of a table; `plan show --json` has all of them. */
const MAX_ROWS = 200
const MAX_TASKS = 10_000
/** Names in one cell. */
const MAX_NAMES = 30
const MAX_CHAIN = 100
const TITLE_CHARS = 160

/** `plan`: with the estimates that `overview` was made of. */
export function renderPlanHtml(plan: Plan, overview: PlanOverview): string {
  const name = html(line(plan.name, 120))
  const known = new Set(plan.tasks.slice(0, MAX_TASKS).map(({ id }) => id))
  const chain = { tasks: overview.criticalPath.tasks, words: 'the critical path' }
  return page(`Plan · ${name}`, [
    header(overview, name),
    '<main>',
    `<section><h2>Graph</h2>${graphSvg(plan.tasks.map(planned), chain)}</section>`,
    pathSection(plan, overview, known),
    neverSection(overview, known),
    batchSection(overview, known),
    waveSection(overview, known),
    epicSection(overview),
    claimsMatrixInHtml(overview.claims, known),
    taskSection(plan, overview, known),
    '</main><footer><p>Espalier. Times are estimates. This file loads nothing from anywhere.</p></footer>',
  ])
}

function planned({ id, title, needs, after, estimateMs }: Task): GraphTask {
  const took = estimateMs === null ? '' : formatDuration(estimateMs)
  return { id, title, needs, after, tone: 'calm', sign: 'pending', word: 'planned', open: false, took }
}

function header(overview: PlanOverview, name: string): string {
  const { tasks, batches, waves, epics, criticalPath, totalMs, lowerBoundMs, slots, estimated } = overview
  const objective = overview.objective === null ? '' : `<p>${html(line(overview.objective, 500))}</p>`
  const widest = batches.reduce((most, batch) => Math.max(most, batch.tasks.length), 0)
  const faster = lowerBoundMs > 0 ? `${(totalMs / lowerBoundMs).toFixed(1)} × as fast` : ''
  const groups = epics.length > 0 ? ` of ${plural(epics.length, 'epic')}` : ''
  const figures: [label: string, value: string, note: string][] = [
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
  return [
    `<header class="calm"><div class="in"><div class="crumb"><b><bdi>${name}</bdi></b><span>plan</span></div>`,
    `<div class="verdict"><div><h1>${plural(tasks, 'task')}${groups} in ${batches.length === 1 ? '1 batch' : `${count(batches.length)} batches`}</h1>${objective}</div></div>`,
    `<dl class="figures">${figures.map(figure).join('')}</dl></div></header>`,
  ].join('')
}

export function figure([label, value, note]: [label: string, value: string, note: string]): string {
  return `<div><dt>${html(label)}</dt><dd>${html(value)}<small>${html(note)}</small></dd></div>`
}

function pathSection(plan: Plan, { criticalPath, busiestClaim, lowerBoundMs }: PlanOverview, known: Set<string>) {
  const times = new Map(plan.tasks.map(({ id, estimateMs }) => [id, estimateMs]))
  const shown = criticalPath.tasks.slice(0, MAX_CHAIN)
  const steps = shown.map((id) => {
    const ms = times.get(id) ?? null
    return `${links([id], known, 1)}${ms === null ? '' : ` <span class="soft">${formatDuration(ms)}</span>`}`
  })
  const more = criticalPath.tasks.length - shown.length
  const claim =
    busiestClaim && busiestClaim.ms >= lowerBoundMs
      ? `<p class="note">${plural(busiestClaim.tasks, 'task')} that claim <code>${html(line(busiestClaim.pattern, TITLE_CHARS))}</code> take ${formatDuration(busiestClaim.ms)}, one after the other: that holds the plan up more than its longest chain.</p>`
      : ''
  const words = `The longest chain of tasks that wait for each other: no number of workers is faster than its ${formatDuration(criticalPath.ms)}.`
  return `<section><h2>Critical path</h2><p class="soft">${words}</p><p>${steps.join(' → ')}${more > 0 ? ` → … and ${count(more)} more` : ''}</p>${claim}</section>`
}

function neverSection({ never }: PlanOverview, known: Set<string>): string {
  const rows = never
    .slice(0, MAX_ROWS)
    .map((one) => [links([one.task], known, 1), html(line(whyNever(one), TITLE_CHARS))])
  return table('Will not be done', 'Known before anything has started.', ['Task', 'Why'], rows, never.length)
}

function batchSection({ batches }: PlanOverview, known: Set<string>): string {
  const rows = batches
    .slice(0, MAX_ROWS)
    .map(({ number, tasks, waitsFor }) => [
      String(number),
      links(tasks, known, MAX_NAMES),
      links(waitsFor, known, MAX_NAMES),
    ])
  const words = 'By the longest chain of needs: what is in a batch could run at the same time, claims left aside.'
  return table('Batches', words, ['', 'Tasks', 'Wait for'], rows, batches.length)
}

function waveSection({ waves, batches }: PlanOverview, known: Set<string>): string {
  if (waves.length === batches.length && waves.every(({ heldBack }) => heldBack.length === 0))
    return '<section><h2>Waves</h2><p class="soft">The same as the batches: no claims keep tasks of a batch apart.</p></section>'
  const rows = waves.slice(0, MAX_ROWS).map(({ number, tasks, heldBack }) => {
    const why = heldBack.slice(0, MAX_NAMES).map(({ task, by, pattern }) => {
      return `${links([task], known, 1)} by ${links([by], known, 1)} <code>${html(line(pattern, TITLE_CHARS))}</code>`
    })
    const more = heldBack.length - why.length
    return [
      String(number),
      links(tasks, known, MAX_NAMES),
      [...why, ...(more > 0 ? [`and ${count(more)} more`] : [])].join('<br>'),
    ]
  })
  const words =
    'As the batches, but no two tasks of a wave claim the same. --schedule waves runs them one after the other.'
  return table('Waves', words, ['', 'Tasks', 'Held back by claims'], rows, waves.length)
}

function epicSection({ epics }: PlanOverview): string {
  const rows = epics
    .slice(0, MAX_ROWS)
    .map(({ id, title, stage, tasks, widest, ms, totalMs, waitsFor }) => [
      `<span class="m">${html(id)}</span>`,
      html(line(title, TITLE_CHARS)),
      String(stage),
      count(tasks),
      count(widest),
      formatDuration(ms),
      formatDuration(totalMs),
      html(line(waitsFor.join(', '), TITLE_CHARS)),
    ])
  const head = ['Epic', 'Title', 'Stage', 'Tasks', 'At once', 'Longest chain', 'One by one', 'Waits for']
  return table('Epics', 'Those of a stage wait for none of each other.', head, rows, epics.length)
}

function taskSection({ tasks }: Plan, { batches, waves }: PlanOverview, known: Set<string>): string {
  const batch = new Map(batches.flatMap((one) => one.tasks.map((id) => [id, one.number])))
  const wave = new Map(waves.flatMap((one) => one.tasks.map((id) => [id, one.number])))
  const rows = tasks.slice(0, MAX_TASKS).map((task) => {
    const { id, title, epic, estimateMs, estimateUsd, needs, after, claims } = task
    const claimed = [...claims.write, ...claims.read.map((path) => `reads ${path}`)]
    return [
      `<span class="m" id="t-${html(id)}">${html(id)}</span>`,
      `<bdi>${html(line(title, TITLE_CHARS))}</bdi>${epic === null ? '' : ` <span class="soft">${html(epic)}</span>`}`,
      String(batch.get(id) ?? ''),
      String(wave.get(id) ?? ''),
      estimateMs === null ? '' : formatDuration(estimateMs),
      estimateUsd === undefined ? '' : money(estimateUsd),
      links([...new Set([...needs, ...after])], known, 10),
      `<code>${html(line(claimed.join(' '), TITLE_CHARS))}</code>`,
    ]
  })
  const head = ['Task', 'Title', 'Batch', 'Wave', 'Time', 'Cost', 'Waits for', 'Claims']
  return table('Tasks', '', head, rows, tasks.length)
}

/** Cells are HTML already. `look`: a class, such as `num` for a table of nothing but figures. */
export function table(title: string, words: string, head: string[], rows: string[][], all: number, look = ''): string {
  if (rows.length === 0) return ''
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
  const more =
    all > rows.length ? `<p class="note">And ${count(all - rows.length)} more; --json has all of them.</p>` : ''
  return [
    `<section><h2>${title}</h2>${words === '' ? '' : `<p class="soft">${words}</p>`}`,
    `<div class="scroll"><table class="${look}"><thead><tr>${head.map((name) => `<th>${name}</th>`).join('')}</tr></thead>`,
    `<tbody>${body.join('')}</tbody></table></div>${more}</section>`,
  ].join('')
}
