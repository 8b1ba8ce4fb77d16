import { simulatedSchedule, simulatePlan } from '../../workloads/analysis/simulate.ts'
import type { Commands } from '../command-line/calls.ts'
import { workers } from '../command-line/flag-values.ts'
import { help, pageOption, withFormat, withRepository } from '../command-line/flags.ts'
import type { FormatFlags } from '../inputs/plan-file.ts'
import type { InRepository } from '../inputs/repository.ts'
import { loadTimedPlan } from '../inputs/timed-plan.ts'
import { originWords, simulationLines, slowerWords } from '../plan/simulation.ts'
import { nothingLeft } from '../plan/source.ts'
import type { Done } from '../refusal.ts'
import { lookOf } from '../surroundings.ts'
import { printJson, printLines } from '../terminal/print.ts'
import { type PageFlag, pageTemplate, planPage, writePage } from '../terminal/write-page.ts'

export const commands: Commands = {
  simulate: (simulate, { inRepository }) =>
    withRepository(withFormat(simulate))
      .option(
        '-j, --max-concurrency <list>',
        'numbers of workers such as 1,2,4,8; default: doubled while that saves time',
        workers,
      )
      .option('--json', 'print it as JSON')
      .addOption(pageOption('as an HTML page').conflicts('json'))
      .addHelpText('after', HELP)
      .action(inRepository(planSimulate)),
}

type Flags = FormatFlags & { maxConcurrency?: number[]; json?: boolean; html?: PageFlag }

export async function planSimulate(files: readonly string[], flags: Flags, here: InRepository): Promise<Done> {
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
  if (flags.json) return printJson({ name: plan.name, ...simulation, estimates: origins }, here)
  return printLines(simulationLines(plan.name, simulation, origins, lookOf(here)), here)
}

const HELP = help(
  `Runs the plan on a virtual clock, with the real scheduler and no agent: the time with 1, 2, 4, 8 … workers, the shortest
possible time, idle time of workers, cost, and the same in waves. It says how many workers are enough: twice as many
save less than 10%.

Times and costs are those of the plan (\`estimate\`, \`estimateUsd\`), else of earlier runs; an unknown time is the
median of the others. Every task succeeds at its first try and lands at once. Budgets count.`,
  '0, or 2 if the plan has problems or the page cannot be written.',
  'espalier plan simulate',
  'espalier plan simulate plan.yaml -j 3,6,12',
  'espalier plan simulate plan.yaml --html simulation.html',
)
