import { simulatePlan } from '../../index.ts'
import { renderSimulationHtml, simulatedSchedule } from '../../internal.ts'
import { jsonOutput } from '../../text/json.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import type { FormatFlags } from '../inputs/plan-file.ts'
import type { RepositoryFlags } from '../inputs/repository.ts'
import { loadTimedPlan } from '../inputs/timed-plan.ts'
import { planPage } from '../plan/page.ts'
import { originWords, simulationLines, slowerWords } from '../plan/simulation.ts'
import { nothingLeft } from '../plan/source.ts'
import { refuseWith } from '../refusal.ts'
import { type Surroundings, width } from '../surroundings.ts'
import { type PageFlag, writePage } from '../terminal/write-page.ts'

type Flags = RepositoryFlags & FormatFlags & { maxConcurrency?: number[]; json?: boolean; html?: PageFlag }

export async function planSimulate(
  files: readonly string[],
  flags: Flags,
  surroundings: Surroundings,
): Promise<ExitStatus> {
  const loaded = await loadTimedPlan(files, flags, surroundings)
  if (!loaded.ok) return refuseWith(loaded.problems, surroundings)
  const { plan, settings, workspace, time, cost, source } = loaded.value
  if (plan.tasks.length === 0 && !flags.json && flags.html === undefined) {
    surroundings.out.write(nothingLeft(plan.name, source))
    return EXIT.done
  }
  const { maxPerEpic, budgetUsd } = settings
  const rules = { maxPerEpic, budgetUsd }
  const simulation = simulatePlan(plan, rules, flags.maxConcurrency ?? null)
  const origins = { time, cost }
  if (flags.html !== undefined) {
    const workers = simulation.enough ?? simulation.rows.at(-1)?.workers ?? 1
    const schedule = simulatedSchedule(plan, rules, workers)
    const words = [...slowerWords(simulation), ...originWords(simulation, origins)]
    const place = () => planPage(workspace, plan.name, 'simulation')
    return writePage(
      renderSimulationHtml({ plan, simulation, workers, schedule, words }),
      flags.html,
      place,
      surroundings,
    )
  }
  const look = { width: width(surroundings.out), palette: surroundings.outPalette }
  surroundings.out.write(
    flags.json
      ? `${jsonOutput({ name: plan.name, ...simulation, estimates: origins })}\n`
      : `${simulationLines(plan.name, simulation, origins, look).join('\n')}\n`,
  )
  return EXIT.done
}
