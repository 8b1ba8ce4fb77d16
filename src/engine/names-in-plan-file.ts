// What the plan file of a run calls its tasks, where that is a file that carries a status.
import { existsSync } from 'node:fs'
import { originFile } from './state-folder.ts'
import { folderOf, type Where } from './where.ts'

type NameInPlanFile = { task: string; source: string }

/** Empty for a plan of Espalier's own: there a task has one name. */
export async function namesInPlanFile(where: Where & { run: string }): Promise<NameInPlanFile[]> {
  const folder = await folderOf(where)
  if (!folder.ok || !existsSync(originFile(folder.value, where.run))) return []
  // Loaded here: it knows all formats, and `status` has to be quick to load.
  const { keptOrigin } = await import('./kept-origin.ts')
  const origin = await keptOrigin(folder.value, where.run)
  return (origin?.files ?? []).flatMap(({ entries }) => entries)
}
