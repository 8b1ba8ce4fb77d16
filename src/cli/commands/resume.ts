import { listRuns } from '../../index.ts'
import { refuse } from '../../problem.ts'
import { writeMissing } from '../hints/missing-status.ts'
import { noRuns } from '../inputs/known-run.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { SettingsFlags } from '../inputs/run-flags.ts'
import { type ContinueFlags, continueRun } from '../live/continue-run.ts'
import { standBy } from '../live/standby.ts'
import type { Done } from '../refusal.ts'

type Flags = SettingsFlags & ContinueFlags & { standby?: boolean }

export async function resume(run: string | undefined, flags: Flags, here: InWorkspace): Promise<Done> {
  const begin = () => resumeNow(run, flags, here)
  return flags.standby ? await standBy({ ...flags, run }, begin, here) : await begin()
}

async function resumeNow(run: string | undefined, flags: Flags, here: InWorkspace): Promise<Done> {
  const since = Date.now()
  const runs = await listRuns(here.workspace)
  if (!runs.ok) return runs
  if (runs.value.length === 0) return refuse(noRuns(here.workspace))
  const missing = await writeMissing({ run, runs: runs.value, json: flags.json ?? false }, here)
  return missing ?? (await continueRun({ run, flags, since }, here))
}
