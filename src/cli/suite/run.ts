import { fleetRunnerFor } from '../../fleet/open-fleet.ts'
import { type FoundSuite, findSuite, openSuite, prepareSuite } from '../../internal.ts'
import { jsonOutput } from '../../text/json.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { findWorkspace, type RepositoryFlags, type WithWorkspace } from '../inputs/repository.ts'
import { type SettingsFlags, settingsFromFlags } from '../inputs/run-flags.ts'
import { runToRest } from '../live/follow-run.ts'
import type { SuiteOutputs } from '../live/suite-end.ts'
import { problemLines, refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'

type SuiteFlags = RepositoryFlags &
  SettingsFlags &
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

export async function suiteRun(
  names: readonly string[],
  flags: SuiteFlags,
  surroundings: Surroundings,
): Promise<ExitStatus> {
  const since = Date.now()
  const loaded = await load(names, flags, surroundings)
  if (!loaded.ok) return refuseWith(loaded.problems, surroundings)
  const { workspace, repeat, options } = loaded.value
  const runner = await fleetRunnerFor(workspace.folder.database)
  const opened = await openSuite(workspace, { ...options, runner })
  if (!opened.ok) return refuseWith(opened.problems, surroundings)
  const { run: started, warnings } = opened.value
  await using run = started
  surroundings.err.write(problemLines(warnings, surroundings.err))
  const { json, junit, markdown, html, quiet } = flags
  return await runToRest(
    run,
    { json: false, quiet, since, repeat, suite: { json, junit, markdown, html } },
    surroundings,
  )
}

/** What would run, without running it. */
export async function suiteCheck(
  names: readonly string[],
  flags: SuiteFlags,
  surroundings: Surroundings,
): Promise<ExitStatus> {
  const loaded = await load(names, flags, surroundings)
  const prepared = loaded.ok ? await prepareSuite(loaded.value.workspace, loaded.value.options) : loaded
  if (!prepared.ok) {
    if (flags.json) surroundings.out.write(`${jsonOutput({ ok: false, problems: prepared.problems })}\n`)
    return flags.json ? EXIT.badInput : refuseWith(prepared.problems, surroundings)
  }
  const { plan, warnings } = prepared.value
  const { entries } = plan.suite
  if (flags.json) surroundings.out.write(`${jsonOutput({ ok: true, problems: warnings, name: plan.name, entries })}\n`)
  else {
    const written = new Set(entries.map(({ entry }) => entry)).size
    const times = entries.length === written ? '' : `, ${entries.length} with all variants`
    surroundings.out.write(`Suite OK: ${written === 1 ? '1 entry' : `${written} entries`}${times}\n`)
    surroundings.err.write(problemLines(warnings, surroundings.err))
  }
  return EXIT.done
}

async function load(names: readonly string[], flags: SuiteFlags, surroundings: Surroundings) {
  const found = await findWorkspace(surroundings, flags, settingsFromFlags(flags))
  if (!found.ok) return found
  const suite = await findSuite(names, surroundings.cwd, found.value.repo)
  if (!suite.ok) return suite
  const { workspace, repeat } = found.value
  return {
    ok: true as const,
    value: { workspace, repeat, options: optionsOf(suite.value, found.value, flags, surroundings) },
  }
}

function optionsOf(found: FoundSuite, { layers }: WithWorkspace, flags: SuiteFlags, { env }: Surroundings) {
  const { base, dirty, compare, untilFail, shards, retries, timeout: timeoutMs, agent, model, entry: only } = flags
  const repeat = flags.repeat ?? (untilFail ? UNTIL_FAIL : undefined)
  const suite = { repeat, shards, retries, timeoutMs, agent, model, only }
  const { belowPlan: below, abovePlan: above } = layers
  return { found, below, above, base, dirty, compare, untilFail, flags: suite, environment: env }
}

/** So often an entry is repeated at most, where nobody says how often. */
const UNTIL_FAIL = 100
