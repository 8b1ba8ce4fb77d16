import type { EstimatedPlan } from '../../engine/open/estimates.ts'
import { formatDuration } from '../../text/duration.ts'
import { count } from '../../text/figures.ts'
import { safeLine } from '../../text/safe.ts'
import { money } from '../../text/usage-text.ts'
import { hanging, wrap } from '../../text/width.ts'
import {
  type SimulatedRow,
  type Simulation,
  simulatedSchedule,
  simulatePlan,
} from '../../workloads/analysis/simulate.ts'
import { busiestClaimText } from '../../workloads/analysis/times.ts'
import { FORMAT_FLAGS, flag, help, inRepository, pageFlag } from '../command-line/command.ts'
import { workers } from '../command-line/flag-values.ts'
import { loadTimedPlan } from '../inputs/timed-plan.ts'
import { chainText, estimateWords, timeWords } from '../plan/show.ts'
import { nothingLeft } from '../plan/source.ts'
import { type Look, lookOf } from '../surroundings.ts'
import { printLines } from '../terminal/print.ts'
import { tableLines } from '../terminal/table.ts'
import { pageTemplate, planPage, writePage } from '../terminal/write-page.ts'

export const commands = {
  simulate: inRepository(
    {
      ...FORMAT_FLAGS,
      maxConcurrency: flag(
        '-j, --max-concurrency <list>',
        'numbers of workers such as 1,2,4,8; default: doubled while that saves time',
        workers,
      ),
      json: flag('--json', 'print it as JSON'),
      html: pageFlag('as an HTML page').conflicts('json'),
    },
    help(
      `Runs the plan on a virtual clock, with the real scheduler and no agent: the time with 1, 2, 4, 8 … workers, the shortest
possible time, idle time of workers, cost, and the same in waves. It says how many workers are enough: twice as many
save less than 10%.

Times and costs are those of the plan (\`estimate\`, \`estimateUsd\`), else of earlier runs; an unknown time is the
median of the others. Every task succeeds at its first try and lands at once. Budgets count.`,
      '0, or 2 if the plan has problems or the page cannot be written.',
      'espalier plan simulate',
      'espalier plan simulate plan.yaml -j 3,6,12',
      'espalier plan simulate plan.yaml --html simulation.html',
    ),
    async (here, flags, files: readonly string[]) => {
      const loaded = await loadTimedPlan(files, flags, here)
      if (!loaded.ok) return loaded
      const { plan, settings, workspace, time, cost, source } = loaded.value
      if (plan.tasks.length === 0 && !flags.json && flags.html === undefined)
        return printLines(nothingLeft(plan.name, source), here)
      const simulation = simulatePlan(plan, settings, flags.maxConcurrency ?? null)
      const origins = { time, cost }
      if (flags.html !== undefined) {
        const workers = simulation.enough ?? simulation.rows.at(-1)?.workers ?? 1
        const schedule = simulatedSchedule(plan, settings, workers)
        const words = [...slowerWords(simulation), ...originWords(simulation, origins)]
        const place = () => planPage(workspace, plan.name, 'simulation')
        const { htmlSimulation } = await import('../../server/recording/html-plan.ts')
        const template = await pageTemplate(here)
        if (!template.ok) return template
        return writePage(
          htmlSimulation({ plan, simulation, workers, schedule, words }, template.value),
          flags.html,
          place,
          here,
        )
      }
      return {
        json: { name: plan.name, ...simulation, estimates: origins },
        lines: simulationLines(plan.name, simulation, origins, lookOf(here)),
      }
    },
  ),
}

type Origins = Pick<EstimatedPlan, 'time' | 'cost'>

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
function slowerWords({ rows }: Simulation): string[] {
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

function originWords(simulation: Simulation, { time, cost }: Origins): string[] {
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
