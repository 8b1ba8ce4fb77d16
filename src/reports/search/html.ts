// A search as one HTML page that loads nothing: the tree, the scores by depth, the best so far, and of each node its steps and diff.
import type { TaskView } from '../../status.ts'
import { formatDuration } from '../../text/duration.ts'
import type { Manifest } from '../../workloads/search/manifest.ts'
import { html, line } from '../html/escape.ts'
import { page } from '../html/page.ts'
import { bestUpTo } from './summary.ts'
import { depthText, durationText, ideaText, plain, promotionText, scoreText, wayText } from './wording.ts'

/** `diffs`: what each node changed against the one it comes from; `tasks`: of the run. */
export type SearchPage = {
  manifest: Manifest
  diffs: ReadonlyMap<string, string>
  tasks: ReadonlyMap<string, TaskView>
}

const MOST_EVALS = 2_000
const DIFF_CHARS = 20_000

export function renderSearchHtml({ manifest, diffs, tasks }: SearchPage): string {
  const { objective, run, status, root, nodes, best_node_id } = manifest
  const best = nodes.find(({ node_id }) => node_id === best_node_id)
  const title = html(line(objective, 200))
  return page(`${title} · ${html(run)}`, [
    `<header><h1>${title}</h1><p>Search ${html(run)}: ${html(status)}. Root ${html(scoreText(root?.score ?? null))}, best <b>${html(scoreText(best?.score ?? null, best?.spread ?? null))}</b>${best ? ` by ${html(wayText(manifest, best.node_id))}` : ''}.</p></header>`,
    '<main>',
    `<section><h2>Scores by depth</h2>${curve(manifest)}${depthTable(manifest)}</section>`,
    `<section><h2>Tree</h2>${treeList(manifest, null)}</section>`,
    `<section><h2>Nodes</h2>${nodes.map((node) => nodeDetails(manifest, node, diffs, tasks)).join('')}</section>`,
    `<section><h2>Evals</h2>${evalTable(manifest)}</section>`,
    '</main>',
  ])
}

/** A point for each score, a line for the best so far. */
function curve(manifest: Manifest): string {
  const { evals, depths, root } = manifest
  const points = evals.flatMap(({ depth, score, promotion }) =>
    score === null ? [] : [{ depth, score, isKept: promotion.status === 'promoted' }],
  )
  const scores = [
    ...points.map(({ score }) => score),
    ...(root?.score === undefined || root.score === null ? [] : [root.score]),
  ]
  if (scores.length === 0) return ''
  const [low, high] = [Math.min(...scores), Math.max(...scores)]
  const last = Math.max(1, depths.length)
  const x = (depth: number) => (30 + (540 * depth) / last).toFixed(1)
  const y = (score: number) => (high === low ? 80 : 140 - (120 * (score - low)) / (high - low)).toFixed(1)
  const dots = points.map(
    ({ depth, score, isKept }) =>
      `<circle cx="${x(depth)}" cy="${y(score)}" r="${isKept ? 5 : 3}" fill="currentColor" opacity="${isKept ? 1 : 0.35}"><title>depth ${depth}: ${html(plain(score))}</title></circle>`,
  )
  const line = Array.from({ length: last + 1 }, (_, depth) => ({ depth, score: bestUpTo(manifest, depth) }))
    .flatMap(({ depth, score }) => (score === null ? [] : [`${x(depth)},${y(score)}`]))
    .join(' ')
  const labels = `<text x="0" y="24" font-size="11" fill="currentColor">${html(plain(high))}</text><text x="0" y="144" font-size="11" fill="currentColor">${html(plain(low))}</text>`
  return `<svg viewBox="0 0 600 160" role="img" aria-label="scores by depth"><polyline points="${line}" fill="none" stroke="currentColor" stroke-width="2"/>${dots.join('')}${labels}</svg>`
}

function depthTable(manifest: Manifest): string {
  const rows = manifest.depths.map(
    (depth) =>
      `<tr><td>${depth.depth}</td><td>${html(depthText(depth))}</td><td>${depth.promoted}</td><td>${html(scoreText(bestUpTo(manifest, depth.depth)))}</td></tr>`,
  )
  return `<table><thead><tr><th>depth</th><th>evals</th><th>promoted</th><th>best so far</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function treeList(manifest: Manifest, parent: string | null): string {
  const own = manifest.nodes.filter(({ parent_node_id }) => parent_node_id === parent)
  if (own.length === 0) return ''
  const items = own.map(({ node_id, idea_path, score, spread }) => {
    const name = `${html(ideaText(idea_path))}: ${html(scoreText(score, spread))}`
    const label = node_id === manifest.best_node_id ? `<b>${name} (best)</b>` : name
    return `<li><a href="#${html(node_id)}">${label}</a>${treeList(manifest, node_id)}</li>`
  })
  return `<ul>${items.join('')}</ul>`
}

function nodeDetails(
  { evals }: Manifest,
  { node_id, eval_id, idea_path, score, spread, commit }: Manifest['nodes'][number],
  diffs: ReadonlyMap<string, string>,
  tasks: ReadonlyMap<string, TaskView>,
): string {
  const own = [...tasks.values()].filter(({ epic, history }) => epic === eval_id && history.length > 0)
  const steps = own.map(({ id, status, attempts, durationMs }) => {
    const time = durationMs === null ? '' : formatDuration(durationMs)
    return `<tr><td>${html(id)}</td><td>${html(status)}</td><td>${attempts}</td><td>${html(time)}</td></tr>`
  })
  const table = `<table><thead><tr><th>step</th><th>status</th><th>attempts</th><th>time</th></tr></thead><tbody>${steps.join('')}</tbody></table>`
  const tried = evals.filter(({ parent_node_id }) => parent_node_id === node_id).length
  const diff = diffs.get(node_id)
  return [
    `<details id="${html(node_id)}"><summary>${html(node_id)}: ${html(ideaText(idea_path))}, ${html(scoreText(score, spread))}</summary>`,
    `<p>commit <code>${html(commit ?? '')}</code>, ${tried} ideas tried on it</p>`,
    steps.length > 0 ? table : '',
    diff ? `<pre>${html(diff.slice(0, DIFF_CHARS))}${diff.length > DIFF_CHARS ? '\n…' : ''}</pre>` : '',
    '</details>',
  ].join('')
}

function evalTable({ evals }: Manifest): string {
  const rows = evals.slice(0, MOST_EVALS).map((one) => {
    const cells = [
      ...[one.eval_id, ideaText(one.idea_path), one.parent_node_id ?? '', one.task_state],
      ...[scoreText(one.score, one.spread), String(one.attempt), durationText(one), promotionText(one)],
    ]
    return `<tr>${cells.map((cell) => `<td>${html(line(cell, 200))}</td>`).join('')}</tr>`
  })
  const head = ['eval', 'idea', 'on', 'state', 'score', 'tries', 'time', ''].map((name) => `<th>${name}</th>`).join('')
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}
