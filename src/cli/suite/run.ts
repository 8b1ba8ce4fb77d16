import { findSuite } from '../../engine/suite/load.ts'
import { type OpenSuite, openSuite, prepareSuite } from '../../engine/suite/open-suite.ts'
import { fleetRunnerFor } from '../../fleet/open-fleet.ts'
import { ok, type Result } from '../../problem.ts'
import { EXIT } from '../exit-status.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { SettingsFlags } from '../inputs/run-flags.ts'
import { runToRest } from '../live/follow-run.ts'
import type { SuiteOutputs } from '../live/suite-end.ts'
import { type Done, problemLines } from '../refusal.ts'
import { printJson, printLines } from '../terminal/print.ts'

type SuiteFlags = SettingsFlags &
  SuiteOutputs & {
    base?: string
    dirty?: boolean
    compare?: string
    repeat?: number
    untilFail?: boolean
    shards?: 'auto' | number
    entry?: string[]
    model?: string
    quiet?: boolean
  }

export async function suiteRun(names: readonly string[], flags: SuiteFlags, here: InWorkspace): Promise<Done> {
  const since = Date.now()
  const { workspace, repeat, err } = here
  const options = await suiteOptions(names, flags, here)
  if (!options.ok) return options
  const runner = await fleetRunnerFor(workspace.folder.database)
  const opened = await openSuite(workspace, { ...options.value, runner })
  if (!opened.ok) return opened
  const { run: started, warnings } = opened.value
  await using run = started
  err.write(problemLines(warnings, err))
  const { json, junit, markdown, html, quiet } = flags
  return await runToRest(run, { json: false, quiet, since, repeat, suite: { json, junit, markdown, html } }, here)
}

/** What would run, without running it. */
export async function suiteCheck(names: readonly string[], flags: SuiteFlags, here: InWorkspace): Promise<Done> {
  const options = await suiteOptions(names, flags, here)
  const prepared = options.ok ? await prepareSuite(here.workspace, options.value) : options
  if (!prepared.ok) {
    if (!flags.json) return prepared
    printJson({ ok: false, problems: prepared.problems }, here)
    return EXIT.badInput
  }
  const { plan, warnings } = prepared.value
  const { entries } = plan.suite
  if (flags.json) return printJson({ ok: true, problems: warnings, name: plan.name, entries }, here)
  const written = new Set(entries.map(({ entry }) => entry)).size
  const times = entries.length === written ? '' : `, ${entries.length} with all variants`
  printLines([`Suite OK: ${written === 1 ? '1 entry' : `${written} entries`}${times}`], here)
  here.err.write(problemLines(warnings, here.err))
  return EXIT.done
}

async function suiteOptions(
  names: readonly string[],
  flags: SuiteFlags,
  { cwd, repo, env: environment, layers }: InWorkspace,
): Promise<Result<OpenSuite>> {
  const found = await findSuite(names, cwd, repo)
  if (!found.ok) return found
  const { base, dirty, compare, untilFail, shards, retries, timeout: timeoutMs, agent, model, entry: only } = flags
  const repeat = flags.repeat ?? (untilFail ? UNTIL_FAIL : undefined)
  const ofSuite = { repeat, shards, retries, timeoutMs, agent, model, only }
  const { belowPlan: below, abovePlan: above } = layers
  return ok({ found: found.value, below, above, base, dirty, compare, untilFail, flags: ofSuite, environment })
}

/** So often an entry is repeated at most, where nobody says how often. */
const UNTIL_FAIL = 100
