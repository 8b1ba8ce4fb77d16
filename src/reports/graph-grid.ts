// The graph of a run too large to draw with its edges: a grid with one cell per task, level by level.
import { STATUS_SIGN } from '../text/status-sign.ts'
import { html } from './escape.ts'
import { type Edge, topological } from './graph-edges.ts'
import type { GraphTask } from './graph-task.ts'

/** Levels named in the grid; a longer chain is shown without them. */
const MAX_GRID_LEVELS = 60

export function graphGrid(tasks: GraphTask[], edges: Edge[]): string {
  const levels = new Map<string, number>()
  const sources = new Map<string, string[]>()
  for (const { from, to } of edges) {
    const list = sources.get(to)
    if (list) list.push(from)
    else sources.set(to, [from])
  }
  const ids = tasks.map((task) => task.id)
  for (const id of topological(ids, edges)) {
    levels.set(
      id,
      (sources.get(id) ?? []).reduce((most, from) => Math.max(most, (levels.get(from) ?? 0) + 1), 0),
    )
  }
  const count = 1 + tasks.reduce((most, task) => Math.max(most, levels.get(task.id) ?? 0), 0)
  const grouped = count <= MAX_GRID_LEVELS
  const rows: GraphTask[][] = Array.from({ length: grouped ? count : 1 }, () => [])
  for (const task of tasks) rows[grouped ? (levels.get(task.id) ?? 0) : 0]?.push(task)
  const note = grouped
    ? `${tasks.length} tasks in ${count} levels: too many to draw with their edges. One cell per task; a level needs only tasks of the levels above it.`
    : `${tasks.length} tasks in ${count} levels: too many to draw with their edges. One cell per task, in plan order.`
  return [
    `<p class="soft">${note}</p>`,
    ...rows.map((row, level) => {
      const name = grouped ? `<div class="lv">level ${level + 1} · ${row.length}</div>` : ''
      return `${name}<div class="cells">${row.map(cell).join('')}</div>`
    }),
  ].join('')
}

function cell({ id: task, tone, open, word, sign }: GraphTask): string {
  const id = html(task)
  return `<a class="${tone}${open ? ' open' : ''}" href="#t-${id}" title="${id}: ${html(word)}">${STATUS_SIGN[sign]}</a>`
}
