import { renderSimulationHtml } from '../../reports/simulation.ts'
import { simulatedSchedule, simulatePlan } from '../../workloads/analysis/simulate.ts'
import type { FormatFlags } from '../inputs/plan-file.ts'
import type { InRepository } from '../inputs/repository.ts'
import { loadTimedPlan } from '../inputs/timed-plan.ts'
import { planPage } from '../plan/page.ts'
import { originWords, simulationLines, slowerWords } from '../plan/simulation.ts'
import { nothingLeft } from '../plan/source.ts'
import type { Done } from '../refusal.ts'
import { lookOf } from '../surroundings.ts'
import { printJson, printLines } from '../terminal/print.ts'
import { type PageFlag, writePage } from '../terminal/write-page.ts'

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
    const text = renderSimulationHtml({ plan, simulation, workers, schedule, words })
    return writePage(text, flags.html, place, here)
  }
  if (flags.json) return printJson({ name: plan.name, ...simulation, estimates: origins }, here)
  return printLines(simulationLines(plan.name, simulation, origins, lookOf(here)), here)
}
