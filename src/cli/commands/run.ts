import { fleetRunnerFor } from '../../fleet/open-fleet.ts'
import { openRun } from '../../index.ts'
import { readDirtyCommit, unpriced } from '../../internal.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { doneAgainHints, uncommittedHints, unlandedHints } from '../hints/before-run.ts'
import { insteadOfNew } from '../hints/interrupted-run.ts'
import { missingHints } from '../hints/missing-status.ts'
import { unusedAgentHints } from '../hints/unused-agent.ts'
import { type FormatFlags, loadPlan, overruleOf } from '../inputs/plan-file.ts'
import { findWorkspace, type RepositoryFlags, type WithWorkspace } from '../inputs/repository.ts'
import { type SettingsFlags, settingsFromFlags } from '../inputs/run-flags.ts'
import { continueRun } from '../live/continue-run.ts'
import { runToRest } from '../live/follow-run.ts'
import { standBy } from '../live/standby.ts'
import { dryRun } from '../plan/dry-run.ts'
import { sourceLine } from '../plan/source.ts'
import { problemLines, refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'

type Flags = RepositoryFlags &
  SettingsFlags &
  FormatFlags & {
    base?: string
    dirty?: boolean
    new?: boolean
    dryRun?: boolean
    json?: boolean
    quiet?: boolean
    standby?: boolean
  }

export async function run(files: readonly string[], flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const found = await findWorkspace(surroundings, flags, settingsFromFlags(flags))
  if (!found.ok) return refuseWith(found.problems, surroundings)
  if (!flags.standby || flags.dryRun) return await runPlan(found.value, files, flags, surroundings)
  return await standBy(found.value, flags, surroundings, () => runPlan(found.value, files, flags, surroundings))
}

async function runPlan(
  found: WithWorkspace,
  files: readonly string[],
  flags: Flags,
  surroundings: Surroundings,
): Promise<ExitStatus> {
  const since = Date.now()
  const { workspace, layers, repeat } = found
  workspace.lookAhead()
  const dirty = flags.dirty ? await readDirtyCommit(workspace) : null
  if (dirty && !dirty.ok) return refuseWith(dirty.problems, surroundings)
  const from = dirty?.value ?? flags.base
  const loaded = await loadPlan(files, layers, surroundings, workspace.repo, flags)
  if (!loaded.ok) return refuseWith(loaded.problems, surroundings)
  const { plan, settings, path, warnings, source, fileOrigin } = loaded.value
  const understood = sourceLine(source, plan.tasks.length)
  if (understood) surroundings.err.write(`${understood}\n`)
  const missing = await missingHints(workspace, fileOrigin)
  const uncounted = unpriced(plan, settings)
  surroundings.err.write(problemLines([...warnings, ...missing, ...unusedAgentHints(plan, flags)], surroundings.err))
  if (settings.strictBudget && uncounted.length > 0) return refuseWith(uncounted, surroundings)
  surroundings.err.write(problemLines(uncounted, surroundings.err))
  const hints = async () => problemLines(await unlandedHints(workspace, loaded.value, from), surroundings.err)
  if (plan.tasks.length === 0) {
    surroundings.err.write(`Nothing left to do\n${await hints()}`)
    return EXIT.done
  }
  if (!flags.dryRun && !flags.new) {
    const options = { repeat, json: flags.json ?? false }
    const instead = await insteadOfNew(workspace, path, options, surroundings)
    if (!instead.ok) return refuseWith(instead.problems, surroundings)
    if (instead.value.kind === 'resume')
      return await continueRun(found, { run: instead.value.run, flags, since }, surroundings)
    if (instead.value.kind === 'cancel') return EXIT.interrupted
  }
  const base = from ?? plan.base
  // Without a base the run is refused for it.
  if (flags.dryRun || base !== null) surroundings.err.write(await hints())
  surroundings.err.write(problemLines(await doneAgainHints(workspace, loaded.value, repeat), surroundings.err))
  const uncommitted = base === null ? uncommittedHints(workspace, loaded.value) : Promise.resolve([])
  uncommitted.catch(() => {}) // whatever stops git here stops the run, too
  const options = {
    plan,
    settings,
    base: from,
    planFile: path ?? undefined,
    origin: fileOrigin,
    onlyAgent: overruleOf(layers).agent,
    planLimits: loaded.value.limits,
    environment: surroundings.env,
    runner: await fleetRunnerFor(workspace.folder.database),
  }
  if (flags.dryRun) {
    surroundings.err.write(problemLines(await uncommitted, surroundings.err))
    return await dryRun(workspace, { ...options, base: base ?? 'HEAD' }, flags.json ?? false, surroundings)
  }
  const opened = await openRun(workspace, options)
  surroundings.err.write(problemLines(await uncommitted, surroundings.err))
  if (!opened.ok) return refuseWith(opened.problems, surroundings)
  await using run = opened.value
  return await runToRest(run, { json: flags.json ?? false, quiet: flags.quiet, since, repeat }, surroundings)
}
