import { openSearch } from '../../engine/open/open-search.ts'
import { fleetRunnerFor } from '../../fleet/open-fleet.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { loadSearch, type SearchFlags } from '../inputs/search-file.ts'
import { runToRest } from '../live/follow-run.ts'
import { type Done, problemLines } from '../refusal.ts'
import { dryRun } from './dry-run.ts'

type Flags = SearchFlags & { dryRun?: boolean; json?: boolean }

export async function run(named: string, flags: Flags, here: InWorkspace): Promise<Done> {
  const since = Date.now()
  const { workspace, repeat } = here
  const loaded = await loadSearch(named, flags, here)
  if (!loaded.ok) return loaded
  const { read, ideas, file, settings, warnings } = loaded.value
  here.err.write(problemLines(warnings, here.err))
  if (flags.dryRun) return dryRun(loaded.value, flags.json ?? false, here)
  const runner = await fleetRunnerFor(workspace.folder.database)
  const opened = await openSearch(workspace, { read, ideas, file, settings, environment: here.env, runner })
  if (!opened.ok) return opened
  await using run = opened.value
  return await runToRest(run, { json: flags.json ?? false, since, repeat }, here)
}
