import { listRuns } from '../../index.ts'
import { problem } from '../../problem.ts'
import type { ExitStatus } from '../exit-status.ts'
import { writeMissing } from '../hints/missing-status.ts'
import { noRuns } from '../inputs/known-run.ts'
import { findWorkspace, type RepositoryFlags, type WithWorkspace } from '../inputs/repository.ts'
import { type SettingsFlags, settingsFromFlags } from '../inputs/run-flags.ts'
import { type ContinueFlags, continueRun } from '../live/continue-run.ts'
import { standBy } from '../live/standby.ts'
import { refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'

type Flags = RepositoryFlags & SettingsFlags & ContinueFlags & { standby?: boolean }

export async function resume(run: string | undefined, flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const found = await findWorkspace(surroundings, flags, settingsFromFlags(flags))
  if (!found.ok) return refuseWith(found.problems, surroundings)
  if (!flags.standby) return await resumeNow(found.value, run, flags, surroundings)
  return await standBy(found.value, { ...flags, run }, surroundings, () =>
    resumeNow(found.value, run, flags, surroundings),
  )
}

async function resumeNow(
  found: WithWorkspace,
  run: string | undefined,
  flags: Flags,
  surroundings: Surroundings,
): Promise<ExitStatus> {
  const since = Date.now()
  const { workspace } = found
  const runs = await listRuns(workspace)
  if (!runs.ok) return refuseWith(runs.problems, surroundings)
  if (runs.value.length === 0) return refuseWith([problem(await noRuns(workspace))], surroundings)
  const missing = await writeMissing(found, { run, runs: runs.value, json: flags.json ?? false }, surroundings)
  return missing ?? (await continueRun(found, { run, flags, since }, surroundings))
}
