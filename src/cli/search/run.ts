import type { OnBudget } from '../../budget.ts'
import { fleetRunnerFor } from '../../fleet/open-fleet.ts'
import { openSearch } from '../../internal.ts'
import type { ExitStatus } from '../exit-status.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { settingsFromFlags } from '../inputs/run-flags.ts'
import { loadSearch, type SearchFlags } from '../inputs/search-file.ts'
import { runToRest } from '../live/follow-run.ts'
import { problemLines, refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { dryRun } from './dry-run.ts'

type Flags = RepositoryFlags &
  SearchFlags & {
    maxParallelEvals?: number
    workersOnly?: boolean
    maxParallelPerNode?: number
    evalRetries?: number
    /** In ms. */
    evalTimeoutSeconds?: number
    strictFail?: boolean
    agent?: string
    command?: string
    budgetUsd?: number | null
    onBudget?: OnBudget
    dryRun?: boolean
    json?: boolean
  }

export async function run(named: string, flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const since = Date.now()
  const found = await findWorkspace(surroundings, flags, settingsFromFlags(toSettingsFlags(flags)))
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const { workspace, layers, repeat } = found.value
  const loaded = await loadSearch(named, layers, surroundings, flags)
  if (!loaded.ok) return refuseWith(loaded.problems, surroundings)
  const { read, ideas, file, settings, warnings } = loaded.value
  surroundings.err.write(problemLines(warnings, surroundings.err))
  if (flags.dryRun) return dryRun(workspace, loaded.value, flags.json ?? false, surroundings)
  const runner = await fleetRunnerFor(workspace.folder.database)
  const opened = await openSearch(workspace, { read, ideas, file, settings, environment: surroundings.env, runner })
  if (!opened.ok) return refuseWith(opened.problems, surroundings)
  await using run = opened.value
  return await runToRest(run, { json: flags.json ?? false, since, repeat }, surroundings)
}

function toSettingsFlags(flags: Flags) {
  const { maxParallelEvals, maxParallelPerNode, evalRetries, evalTimeoutSeconds, strictFail } = flags
  const { agent, command, budgetUsd, onBudget, workersOnly } = flags
  const given = {
    maxConcurrency: maxParallelEvals,
    maxPerEpic: maxParallelPerNode,
    retries: evalRetries,
    timeout: evalTimeoutSeconds,
    strict: strictFail,
    ...{ agent, command, budgetUsd, onBudget, workersOnly },
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
