// A simulated plan with 1, 2, 4 … workers, as an HTML page: a table of times, and a timeline.

import type { Plan } from '../../task.ts'
import { formatDuration } from '../../text/duration.ts'
import { money } from '../../text/usage-text.ts'
import type { ScheduledTask, SimulatedRow, Simulation } from '../../workloads/analysis/simulate.ts'
import { plannedTimeline } from '../drawings/timeline.ts'
import { sectionInHtml, tableSection } from '../sections/section.ts'
import { count, type Figure, percent, plural } from '../wording.ts'
import { html, line, withCode } from './escape.ts'
import { FOOTER, heading, page } from './page.ts'

type SimulationPage = {
  plan: Plan
  simulation: Simulation
  workers: number
  schedule: readonly ScheduledTask[]
  words: readonly string[]
}

export function renderSimulationHtml({ plan, simulation, workers, schedule, words }: SimulationPage): string {
  const name = html(line(plan.name, 120))
  if (plan.tasks.length === 0)
    return page(`Simulation · ${name}`, [
      heading(name, 'simulation', 'Nothing is left to do', '', []),
      '<main></main>',
      FOOTER,
    ])
  const endMs = schedule.reduce((last, { toMs }) => Math.max(last, toMs), 0)
  return page(`Simulation · ${name}`, [
    header(simulation, name),
    '<main>',
    rowsTable(simulation),
    `<section><h2>With ${plural(workers, 'worker')}</h2><p class="soft">Which worker does what when, eager.</p>${plannedTimeline(schedule, workers, endMs)}</section>`,
    `<section><h2>Where the figures come from</h2>${words.map((text) => `<p>${withCode(text)}</p>`).join('')}</section>`,
    '</main>',
    FOOTER,
  ])
}

function header(simulation: Simulation, name: string): string {
  const { rows, enough, tasks, costUsd, costKnown, criticalPath, busiestClaim } = simulation
  const [first] = rows
  const best = rows.find(({ workers }) => workers === enough) ?? rows.at(-1)
  const title =
    enough === null
      ? 'As many workers as you have'
      : `${plural(enough, 'worker')} ${enough === 1 ? 'is' : 'are'} enough`
  const detail =
    enough === null
      ? 'Twice as many workers save 10% or more, as far as tried.'
      : 'Twice as many save less than 10% of the time.'
  const claimed = busiestClaim && busiestClaim.boundMs > criticalPath.ms
  const ratio = first && best && best.eager.makespanMs > 0 ? first.eager.makespanMs / best.eager.makespanMs : 0
  const faster = ratio > 0 ? `${ratio.toFixed(1)} × as fast` : ''
  const figureOf = ({ workers, eager }: SimulatedRow, note: string): Figure => {
    return [`With ${plural(workers, 'worker')}`, formatDuration(eager.makespanMs), note]
  }
  const figures: Figure[] = [
    ...(first ? [figureOf(first, plural(tasks, 'task'))] : []),
    ...(best && best !== first ? [figureOf(best, faster)] : []),
    [
      'At best',
      formatDuration(claimed ? busiestClaim.boundMs : criticalPath.ms),
      claimed
        ? `${plural(busiestClaim.tasks, 'task')} with one claim`
        : `critical path: ${plural(criticalPath.tasks.length, 'task')}`,
    ],
    [
      'Cost',
      costUsd === null ? 'unknown' : `about ${money(costUsd)}`,
      costUsd !== null && costKnown < tasks ? `of ${costKnown} of ${plural(tasks, 'task')}` : '',
    ],
  ]
  return heading(name, 'simulation', title, `<p>${detail}</p>`, figures)
}

function rowsTable({ rows, tasks, enough }: Simulation): string {
  const cells = rows.map(({ workers, eager, waves, lowerBoundMs }) => {
    const share = workers * eager.makespanMs > 0 ? eager.idleMs / (workers * eager.makespanMs) : 0
    return [
      workers === enough ? `${workers} (enough)` : String(workers),
      formatDuration(eager.makespanMs),
      formatDuration(lowerBoundMs),
      `${formatDuration(eager.idleMs)} (${percent(share)})`,
      formatDuration(waves.makespanMs),
      eager.makespanMs > 0 ? `${(waves.makespanMs / eager.makespanMs).toFixed(2)} ×` : '',
      eager.costUsd > 0 ? money(eager.costUsd) : '',
      eager.done < tasks ? `${count(eager.done)} of ${plural(tasks, 'task')}` : 'all',
    ]
  })
  const head = ['Workers', 'Eager', 'At best', 'Idle', 'Waves', 'Waves / eager', 'Cost', 'Done']
  const words =
    'The real scheduler on a virtual clock. Eager: a task starts as soon as it can. Waves: one wave after the other. Idle: the time of all workers together without work.'
  return sectionInHtml(tableSection('Time and workers', words, head, cells, rows.length), new Set())
}
