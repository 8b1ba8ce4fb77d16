import { openRun, unpriced } from '../../index.ts'
import { doneAgainHints } from '../done-again-hint.ts'
import { dryRun } from '../dry-run.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { missingHints } from '../missing-status.ts'
import { type FormatFlags, loadPlan } from '../plan-file.ts'
import { problemLines, refuseWith } from '../problem-lines.ts'
import { findRepository, type RepositoryFlags } from '../repository.ts'
import { type SettingsFlags, settingsFromFlags } from '../run-flags.ts'
import { runToRest } from '../run-to-rest.ts'
import { sourceLine } from '../source-lines.ts'
import type { Surroundings } from '../surroundings.ts'
import { unlandedHints } from '../unlanded-hint.ts'

type Flags = RepositoryFlags & SettingsFlags & FormatFlags & { base?: string; dryRun?: boolean; json?: boolean }

export async function run(files: readonly string[], flags: Flags, around: Surroundings): Promise<ExitStatus> {
  const since = Date.now()
  const found = await findRepository(around, flags, settingsFromFlags(flags))
  if (!found.ok) return refuseWith(found.problems, around)
  const { where, layers, repeat } = found.value

  const loaded = await loadPlan(files, layers, around, where.repo, flags)
  if (!loaded.ok) return refuseWith(loaded.problems, around)
  const { plan, settings, path, warnings, source, fileOrigin } = loaded.value
  const understood = sourceLine(source, plan.tasks.length)
  if (understood) around.err.write(`${understood}\n`)
  const missing = await missingHints(where, fileOrigin)
  around.err.write(problemLines([...warnings, ...missing, ...unpriced(plan, settings)]))
  const hints = async () => problemLines(await unlandedHints(where, loaded.value, flags.base))
  if (plan.tasks.length === 0) {
    around.err.write(`there is nothing left to do\n${await hints()}`)
    return EXIT.done
  }
  const base = flags.base ?? plan.base
  // Without a base the run is refused for it.
  if (flags.dryRun || base !== null) around.err.write(await hints())
  around.err.write(problemLines(await doneAgainHints(where, loaded.value, repeat)))

  const options = {
    repo: where.repo,
    plan,
    settings,
    base: flags.base,
    planFile: path ?? undefined,
    origin: fileOrigin,
    environment: around.env,
  }
  if (flags.dryRun) return await dryRun({ ...options, base: base ?? 'HEAD' }, flags.json ?? false, around)
  const opened = await openRun(options)
  if (!opened.ok) return refuseWith(opened.problems, around)
  await using run = opened.value
  return await runToRest(run, { json: flags.json ?? false, since, repeat }, around)
}
