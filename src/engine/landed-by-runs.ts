// Looks through the runs of a repository for what they have landed of the tasks of a plan file.
import { FileNames } from './file-names.ts'
import { type LandedBefore, type Sought, SoughtTasks } from './landed-before.ts'
import type { PastRun } from './past-run.ts'
import { withRenamed } from './renamed-files.ts'

/**
 * Each task once, of the newest run that landed it, in the order of `sought`. `runs`: the newest first. `top`: of the
 * checkout that the files of `sought` are in.
 */
export async function landedByRuns(
  { format, ...sought }: Sought & { format: string },
  runs: readonly PastRun[],
  top: string,
): Promise<LandedBefore[]> {
  const names = new FileNames()
  const left = new SoughtTasks({ ...sought, tasks: await names.inAll(sought.tasks, top) })
  const landed: LandedBefore[] = []
  for (const past of runs) {
    if (!left.areLeft) break
    const its = await past.landed()
    if (its?.origin.format !== format) continue
    const { files: renamed } = await withRenamed(its.origin)
    const files = await names.inAll(renamed, past.repo)
    landed.push(...left.take(past.run, { ...its.origin, files }, its.commits))
  }
  const places = new Map(sought.tasks.map(({ source }, place) => [source, place]))
  return landed.toSorted((a, b) => (places.get(a.source) ?? 0) - (places.get(b.source) ?? 0))
}
