// A simulated plan with 1, 2, 4 … workers: a table of times, and a timeline.

import type { Plan } from '../task.ts'
import { formatDuration } from '../text/duration.ts'
import { money } from '../text/usage-text.ts'
import type { ScheduledTask, SimulatedRow, Simulation } from '../workloads/analysis/simulate.ts'
import { documentInHtml } from './document.ts'
import { plannedTimeline } from './drawings/timeline.ts'
import { type ReportSection, tableSection } from './sections/section.ts'
import { count, type Figure, percent, plural } from './wording.ts'

type SimulationPage = {
  plan: Plan
  simulation: Simulation
  workers: number
  schedule: readonly ScheduledTask[]
  words: readonly string[]
}

export function renderSimulationHtml({ plan, simulation, workers, schedule, words }: SimulationPage): string {
  if (plan.tasks.length === 0)
    return documentInHtml({ title: `${plan.name}: Nothing is left to do`, words: [], sections: [] })
  const endMs = schedule.reduce((last, { toMs }) => Math.max(last, toMs), 0)
  const { enough } = simulation
  const isEnough = enough !== null && `${plural(enough, 'worker')} ${enough === 1 ? 'is' : 'are'} enough`
  return documentInHtml({
    title: `${plan.name}: ${isEnough || 'As many workers as you have'}`,
    words: [
      isEnough
        ? 'Twice as many save less than 10% of the time.'
        : 'Twice as many workers save 10% or more, as far as tried.',
    ],
    figures: figuresOf(simulation),
    sections: [
      rowSection(simulation),
      {
        title: `With ${plural(workers, 'worker')}`,
        words: ['Which worker does what when, eager.'],
        drawing: plannedTimeline(schedule, workers, endMs),
      },
      { title: 'Where the figures come from', words },
    ],
  })
}

function figuresOf({ rows, enough, tasks, costUsd, costKnown, criticalPath, busiestClaim }: Simulation): Figure[] {
  const [first] = rows
  const best = rows.find(({ workers }) => workers === enough) ?? rows.at(-1)
  const claimed = busiestClaim && busiestClaim.boundMs > criticalPath.ms
  const ratio = first && best && best.eager.makespanMs > 0 ? first.eager.makespanMs / best.eager.makespanMs : 0
  const faster = ratio > 0 ? `${ratio.toFixed(1)} × as fast` : ''
  const figureOf = ({ workers, eager }: SimulatedRow, note: string): Figure => {
    return [`With ${plural(workers, 'worker')}`, formatDuration(eager.makespanMs), note]
  }
  return [
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
}

function rowSection({ rows, tasks, enough }: Simulation): ReportSection | null {
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
  return tableSection('Time and workers', words, head, cells, rows.length)
}
