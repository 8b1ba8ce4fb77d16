import type { ExitStatus } from '../exit-status.ts'
import { knownRun, taskIn } from '../inputs/known-run.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { type SettingsFlags, settingsFromFlags } from '../inputs/run-flags.ts'
import { type ContinueFlags, continueRun, type Unknown } from '../live/continue-run.ts'
import { refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'

type Flags = RepositoryFlags & SettingsFlags & ContinueFlags & { run?: string }

/** `tasks`: their ids, or what the plan file calls them; none for all that did not succeed. */
export async function retry(tasks: readonly string[], flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const since = Date.now()
  const found = await findWorkspace(surroundings, flags, settingsFromFlags(flags))
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const known = await knownRun(found.value.workspace, flags.run)
  if (!known.ok) return refuseWith(known.problems, surroundings)
  const { run } = known.value
  const [ids, unknown]: [string[], Unknown[]] = [[], []]
  for (const name of tasks) {
    const task = await taskIn(found.value.workspace, known.value, name)
    if (task.ok) ids.push(task.value)
    // The plan as it is now may have it.
    else if (flags.replan !== undefined) unknown.push({ name, problems: task.problems })
    else return refuseWith(task.problems, surroundings)
  }
  return await continueRun(
    found.value,
    { run, again: tasks.length > 0 ? ids : 'all', unknown, flags, since },
    surroundings,
  )
}
