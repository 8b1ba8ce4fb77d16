import { resolveSettings, type Settings } from '../../config.ts'
import { listRuns, resumeRun } from '../../index.ts'
import type { RunSummary } from '../../status.ts'
import type { ExitStatus } from '../exit-status.ts'
import { refuseWith } from '../problem-lines.ts'
import { findRepository, type RepositoryFlags } from '../repository.ts'
import { type SettingsFlags, settingsFromFlags } from '../run-flags.ts'
import { runToRest } from '../run-to-rest.ts'
import type { Layers } from '../settings-layers.ts'
import type { Surroundings } from '../surroundings.ts'

type Flags = RepositoryFlags & SettingsFlags & { json?: boolean }

export async function resume(id: string | undefined, flags: Flags, around: Surroundings): Promise<ExitStatus> {
  const since = Date.now()
  const found = await findRepository(around, flags, settingsFromFlags(flags))
  if (!found.ok) return refuseWith(found.problems, around)
  const { where, layers, repeat } = found.value
  const runs = await listRuns(where)
  if (!runs.ok) return refuseWith(runs.problems, around)
  const begun = runs.value.find(({ run, resumable }) => (id === undefined ? resumable : run === id))
  const settings = settingsFor(begun, layers)
  const opened = await resumeRun({ repo: where.repo, run: begun?.run ?? id, settings, environment: around.env })
  if (!opened.ok) return refuseWith(opened.problems, around)
  await using run = opened.value
  return await runToRest(run, { json: flags.json ?? false, slots: settings.maxConcurrency, since, repeat }, around)
}

/** What the run began with stands where its plan stood: above the files, below the environment and the flags. */
function settingsFor(begun: RunSummary | undefined, { belowPlan, abovePlan }: Layers): Settings {
  const began = begun ? { maxConcurrency: begun.slots, schedule: begun.schedule } : {}
  return resolveSettings([...belowPlan, { from: 'run', settings: began }, ...abovePlan]).settings
}
