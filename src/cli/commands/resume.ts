import { listRuns, resumeRun } from '../../index.ts'
import { problem } from '../../problem.ts'
import type { ExitStatus } from '../exit-status.ts'
import { noRuns } from '../known-run.ts'
import { changedPlan, differenceLines } from '../plan-difference.ts'
import type { FormatFlags } from '../plan-file.ts'
import { refuseWith } from '../problem-lines.ts'
import { findRepository, type RepositoryFlags } from '../repository.ts'
import { type SettingsFlags, settingsFromFlags } from '../run-flags.ts'
import { runToRest } from '../run-to-rest.ts'
import type { Surroundings } from '../surroundings.ts'

type Flags = RepositoryFlags & SettingsFlags & FormatFlags & { json?: boolean; replan?: boolean | string }

/** The run goes on with the settings it began with; only the environment and the flags change them. */
export async function resume(id: string | undefined, flags: Flags, around: Surroundings): Promise<ExitStatus> {
  const since = Date.now()
  const found = await findRepository(around, flags, settingsFromFlags(flags))
  if (!found.ok) return refuseWith(found.problems, around)
  const { where, layers, repeat } = found.value
  const runs = await listRuns(where)
  if (!runs.ok) return refuseWith(runs.problems, around)
  if (runs.value.length === 0) return refuseWith([problem(await noRuns(where))], around)
  const changed = await changedPlan(where, id, flags.replan, around, flags)
  if (!changed.ok) return refuseWith(changed.problems, around)
  const taken = flags.replan === undefined ? undefined : changed.value?.plan
  if (changed.value) around.err.write(differenceLines(changed.value, taken !== undefined))
  const changes = layers.abovePlan
  const origin = taken ? changed.value?.origin : undefined
  const opened = await resumeRun({ ...where, run: id, changes, replan: taken, origin, environment: around.env })
  if (!opened.ok) return refuseWith(opened.problems, around)
  await using run = opened.value
  return await runToRest(run, { json: flags.json ?? false, since, repeat }, around)
}
