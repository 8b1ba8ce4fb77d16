import type { EstimatedPlan } from '../../engine/open/estimates.ts'
import { simulationSummary } from '../../reports/simulation.ts'
import { count } from '../../text/figures.ts'
import { money } from '../../text/usage-text.ts'
import { type Simulation, simulatedSchedule, simulatePlan } from '../../workloads/analysis/simulate.ts'
import { FORMAT_FLAGS, flag, help, inRepository, pageFlag } from '../command-line/command.ts'
import { workers } from '../command-line/flag-values.ts'
import { loadTimedPlan } from '../inputs/timed-plan.ts'
import { estimateWords, timeWords } from '../plan/estimate-words.ts'
import { nothingLeft } from '../plan/how-it-was-read.ts'
import { lookOf } from '../surroundings.ts'
import { printLines } from '../terminal/print.ts'
import { reportLines } from '../terminal/section-lines.ts'
import { writePlanPage } from '../terminal/write-page.ts'

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
      const words = [...slowerWords(simulation), ...originWords(simulation, origins)]
      if (flags.html !== undefined) {
        const workers = simulation.enough ?? simulation.rows.at(-1)?.workers ?? 1
        const schedule = simulatedSchedule(plan, settings, workers)
        const { htmlSimulation } = await import('../../server/recording/html-plan.ts')
        const simulated = { plan, simulation, workers, schedule, words }
        const page = { kind: 'simulation', name: plan.name, workspace } as const
        return writePlanPage(page, flags.html, (template) => htmlSimulation(simulated, template), here)
      }
      return {
        json: { name: plan.name, ...simulation, estimates: origins },
        lines: reportLines(plan.name, simulationSummary({ plan, simulation, words }, Date.now()), lookOf(here)),
      }
    },
  ),
}

/** Explains why more workers can be slower: without it that looks like a mistake. */
function slowerWords({ rows }: Simulation): string[] {
  const slower = rows.find(
    (row, index) => row.eager.makespanMs > (rows[index - 1]?.eager.makespanMs ?? row.eager.makespanMs),
  )
  if (!slower) return []
  return [
    `With -j ${slower.workers} it takes longer: more tasks start early, and a long one may then have to wait for their claims or for its turn.`,
  ]
}

function originWords(simulation: Simulation, { time, cost }: Pick<EstimatedPlan, 'time' | 'cost'>): string[] {
  const { costUsd, costKnown, tasks, rows } = simulation
  const which = rows.some(({ eager }) => eager.done < tasks) ? 'What can be done' : 'Every task'
  const of = costKnown < tasks ? ` for ${costKnown} of ${count(tasks, 'task')}` : ''
  return [
    costUsd === null
      ? 'Cost: unknown (no `estimateUsd` in the plan, no earlier runs).'
      : `Cost: about ${money(costUsd)}${of} (${estimateWords(cost)}).`,
    timeWords(time),
    `${which} is assumed to succeed at its first try and to land at once.`,
  ]
}
