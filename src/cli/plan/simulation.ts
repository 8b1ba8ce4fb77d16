// `espalier plan simulate`: time and cost with so many workers, for people.

import type { EstimateOrigins, TimeOrigins } from '../../engine/open/estimates.ts'
import { count } from '../../text/count.ts'
import { formatDuration } from '../../text/duration.ts'
import { safeLine } from '../../text/safe.ts'
import { money } from '../../text/usage-text.ts'
import { hanging, wrap } from '../../text/width.ts'
import { busiestClaimText } from '../../workloads/analysis/busiest-claim.ts'
import type { SimulatedRow, Simulation } from '../../workloads/analysis/simulate.ts'
import type { Look } from '../surroundings.ts'
import { tableLines } from '../terminal/table.ts'
import { chainText, estimateWords, timeWords } from './show.ts'

type Origins = { time: TimeOrigins; cost: EstimateOrigins }

export function simulationLines(name: string, simulation: Simulation, origins: Origins, look: Look): string[] {
  const { palette } = look
  const prose = [...adviceOf(simulation, look.width), ...slowerWords(simulation), ...originWords(simulation, origins)]
  return [
    `${palette.strong(name)}  ${count(simulation.tasks, 'task')}`,
    '',
    ...table(simulation, look),
    ...LEGEND.flatMap((text) => wrap(text, look.width - 2)).map((line) => palette.dim(`  ${line}`)),
    '',
    ...prose.flatMap((text) => hanging(text, look.width, 2)),
  ]
}

const HEAD = ['-j', 'eager', 'saves', 'at best', 'idle', '', 'waves', '']

const LEGEND = [
  'eager: a task starts as soon as it can. waves: batch by batch (--schedule waves).',
  'saves: against the row above. at best: no order of the tasks is faster. ×: against eager.',
  'idle: unused time of all slots together, and its share.',
]

function table(simulation: Simulation, { width, palette }: Look): string[] {
  const { rows, enough, tasks } = simulation
  const cells = rows.map((row, index) => [
    `${row.workers === enough ? '→ ' : ''}${row.workers}`,
    formatDuration(row.eager.makespanMs),
    saves(rows[index - 1], row),
    formatDuration(row.lowerBoundMs),
    formatDuration(row.eager.idleMs),
    percent(row.eager.idleMs, row.workers * row.eager.makespanMs),
    formatDuration(row.waves.makespanMs),
    ratio(row.waves.makespanMs, row.eager.makespanMs),
    ...undone(row, tasks),
  ])
  const head = cells.some((row) => row.length > HEAD.length) ? [...HEAD, ''] : HEAD
  const [first = '', ...others] = tableLines(head, cells, { width, palette, isRight: () => true, indent: 2 })
  return [first, ...others.map((line, index) => (rows[index]?.workers === enough ? palette.good(line) : line))]
}

/** Against the row above. */
function saves(before: SimulatedRow | undefined, { eager }: SimulatedRow): string {
  return before ? percent(before.eager.makespanMs - eager.makespanMs, before.eager.makespanMs) : ''
}

function undone({ eager }: SimulatedRow, tasks: number): string[] {
  return eager.done < tasks ? [`${eager.done} of ${tasks} done`] : []
}

function percent(part: number, whole: number): string {
  return whole > 0 ? `${Math.round((100 * part) / whole)}%`.replace('-', '−') : ''
}

function ratio(ms: number, of: number): string {
  return of > 0 ? `${(ms / of).toFixed(2)}×` : ''
}

function adviceOf({ enough, criticalPath, busiestClaim }: Simulation, width: number): string[] {
  const point =
    enough === null
      ? 'Twice as many tasks at a time save 10% or more, as far as tried.'
      : `Enough: -j ${enough}. Twice as many tasks at a time save less than 10%.`
  if (busiestClaim && busiestClaim.boundMs > criticalPath.ms) {
    const tasks = busiestClaimText(busiestClaim, safeLine(busiestClaim.pattern))
    return [
      point,
      `However many run at a time, nothing is faster than the ${tasks}: ${formatDuration(busiestClaim.boundMs)}.`,
    ]
  }
  const limit = `However many run at a time, nothing is faster than the critical path: ${formatDuration(criticalPath.ms)}`
  const tasks = chainText(criticalPath.tasks, Math.max(SHORTEST, width - limit.length - 4))
  return criticalPath.tasks.length === 0 ? [] : [point, `${limit} (${tasks}).`]
}

/** More workers can be slower, which looks like a mistake without an explanation. */
export function slowerWords({ rows }: Simulation): string[] {
  const slower = rows.find(
    (row, index) => row.eager.makespanMs > (rows[index - 1]?.eager.makespanMs ?? row.eager.makespanMs),
  )
  if (!slower) return []
  return [
    `With -j ${slower.workers} it takes longer: more tasks start early, and a long one may then have to wait for their claims or for its turn.`,
  ]
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Of the names of the critical path: with less room they get a line of their own. */
const SHORTEST = 30

export function originWords(simulation: Simulation, { time, cost }: Origins): string[] {
  const { costUsd, costKnown, tasks, rows } = simulation
  const which = rows.some(({ eager }) => eager.done < tasks) ? 'What can be done' : 'Every task'
  const of = costKnown < tasks ? ` for ${costKnown} of ${count(tasks, 'task')}` : ''
  return [
    costUsd === null
      ? 'Cost: unknown (no `estimateUsd` in the plan, no earlier runs).'
      : `Cost: about ${money(costUsd)}${of} (${estimateWords(cost, 'unknown')}).`,
    `${capitalized(timeWords(time))}.`,
    `${which} is assumed to succeed at its first try and to land at once.`,
  ]
}
