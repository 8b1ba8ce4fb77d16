import { knownRun, taskIn } from '../inputs/known-run.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { SettingsFlags } from '../inputs/run-flags.ts'
import { type ContinueFlags, continueRun, type Unknown } from '../live/continue-run.ts'
import type { Done } from '../refusal.ts'

type Flags = SettingsFlags & ContinueFlags & { run?: string }

/** `tasks`: their ids, or what the plan file calls them; none for all that did not succeed. */
export async function retry(tasks: readonly string[], flags: Flags, here: InWorkspace): Promise<Done> {
  const since = Date.now()
  const known = await knownRun(here.workspace, flags.run)
  if (!known.ok) return known
  const { run } = known.value
  const [ids, unknown]: [string[], Unknown[]] = [[], []]
  for (const name of tasks) {
    const task = await taskIn(here.workspace, known.value, name)
    if (task.ok) ids.push(task.value)
    // The plan as it is now may have it.
    else if (flags.replan !== undefined) unknown.push({ name, problems: task.problems })
    else return task
  }
  return await continueRun({ run, again: tasks.length > 0 ? ids : 'all', unknown, flags, since }, here)
}
