// A simulated plan as data: times with 1, 2, 4 … workers, the critical path, and the sources of the figures. For the page of
// `espalier plan simulate --html`.

import type { Plan } from '../task.ts'
import { formatDuration } from '../text/duration.ts'
import { count, grouped, percent } from '../text/figures.ts'
import { money } from '../text/usage-text.ts'
import type { SimulatedRow, Simulation } from '../workloads/analysis/simulate.ts'
import { planPathSection } from './plan-summary.ts'
import { type Figure, filled, type ReportSection, table } from './sections/section.ts'
import { NO_SUMMARY, type Summary } from './summary.ts'

export function simulationSummary(
  { plan, simulation, words }: { plan: Plan; simulation: Simulation; words: readonly string[] },
  generatedAt: number,
): Summary {
  if (plan.tasks.length === 0) return { ...NO_SUMMARY, title: 'Nothing is left to do', generatedAt }
  const { rows, enough } = simulation
  const best = rows.find(({ workers }) => workers === enough) ?? rows.at(-1)
  const sections = [
    rowSection(simulation),
    planPathSection(plan, { ...simulation, lowerBoundMs: best?.lowerBoundMs ?? 0 }),
    { title: 'Where the figures come from', words },
  ]
  return {
    ...NO_SUMMARY,
    title:
      enough === null
        ? 'As many workers as you have'
        : `${count(enough, 'worker')} ${enough === 1 ? 'is' : 'are'} enough`,
    detail:
      enough === null
        ? 'Twice as many workers save 10% or more, as far as tried.'
        : 'Twice as many save less than 10% of the time.',
    figures: figuresOf(simulation, best),
    sections: filled(sections),
    generatedAt,
  }
}

function figuresOf(
  { rows: [first], tasks, costUsd, costKnown, criticalPath, busiestClaim }: Simulation,
  best: SimulatedRow | undefined,
): Figure[] {
  const claimed = busiestClaim && busiestClaim.boundMs > criticalPath.ms
  const ratio = first && best && best.eager.makespanMs > 0 ? first.eager.makespanMs / best.eager.makespanMs : 0
  const faster = ratio > 0 ? `${ratio.toFixed(1)} × as fast` : ''
  const figureOf = ({ workers, eager }: SimulatedRow, note: string): Figure => {
    return [`With ${count(workers, 'worker')}`, formatDuration(eager.makespanMs), note]
  }
  return [
    ...(first ? [figureOf(first, count(tasks, 'task'))] : []),
    ...(best && best !== first ? [figureOf(best, faster)] : []),
    [
      'At best',
      formatDuration(claimed ? busiestClaim.boundMs : criticalPath.ms),
      claimed
        ? `${count(busiestClaim.tasks, 'task')} with one claim`
        : `critical path: ${count(criticalPath.tasks.length, 'task')}`,
    ],
    [
      'Cost',
      costUsd === null ? 'unknown' : `about ${money(costUsd)}`,
      costUsd !== null && costKnown < tasks ? `of ${costKnown} of ${count(tasks, 'task')}` : '',
    ],
  ]
}

function rowSection({ rows, tasks, enough }: Simulation): ReportSection {
  const cells = ({ workers, eager, waves, lowerBoundMs }: SimulatedRow) => {
    const share = workers * eager.makespanMs > 0 ? eager.idleMs / (workers * eager.makespanMs) : 0
    return [
      workers === enough ? `${workers} (enough)` : String(workers),
      formatDuration(eager.makespanMs),
      formatDuration(lowerBoundMs),
      `${formatDuration(eager.idleMs)} (${percent(share)})`,
      formatDuration(waves.makespanMs),
      eager.makespanMs > 0 ? `${(waves.makespanMs / eager.makespanMs).toFixed(2)} ×` : '',
      eager.costUsd > 0 ? money(eager.costUsd) : '',
      eager.done < tasks ? `${grouped(eager.done)} of ${count(tasks, 'task')}` : 'all',
    ]
  }
  const head = ['Workers', 'Eager', 'At best', 'Idle', 'Waves', 'Waves / eager', 'Cost', 'Done']
  const words =
    'The real scheduler on a virtual clock. Eager: a task starts as soon as it can. Waves: one wave after the other. Idle: the time of all workers together without work.'
  return { title: 'Time and workers', words: [words], ...table(head, rows, cells) }
}
