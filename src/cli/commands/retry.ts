import type { ExitStatus } from '../exit-status.ts'
import { type GoOnFlags, goOn } from '../go-on.ts'
import { knownRun } from '../known-run.ts'
import { refuseWith } from '../problem-lines.ts'
import { findRepository, type RepositoryFlags } from '../repository.ts'
import { type SettingsFlags, settingsFromFlags } from '../run-flags.ts'
import type { Surroundings } from '../surroundings.ts'

type Flags = RepositoryFlags & SettingsFlags & GoOnFlags & { run?: string }

/** `tasks`: none for all that did not succeed. */
export async function retry(tasks: readonly string[], flags: Flags, around: Surroundings): Promise<ExitStatus> {
  const since = Date.now()
  const found = await findRepository(around, flags, settingsFromFlags(flags))
  if (!found.ok) return refuseWith(found.problems, around)
  const known = await knownRun(found.value.where, flags.run)
  if (!known.ok) return refuseWith(known.problems, around)
  const { run } = known.value
  return await goOn(found.value, { run, again: tasks.length > 0 ? tasks : 'all', flags, since }, around)
}
