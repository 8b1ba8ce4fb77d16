// Which tasks of a plan file were landed by earlier runs of that file.
import type { FileTask, PlanTask } from '../../store/ledger.ts'
import type { Views } from '../../store/store.ts'
import type { PlanOrigin } from '../../workloads/formats/status/plan-origin.ts'
import { fileTasks, isThereIn } from '../plan-file/file-name.ts'
import { hasSameWords, sameTasks } from './same-task.ts'

/** `now`: as the file has it. */
export type LandedBefore = { now: FileTask & { task: string }; row: PlanTask & { commit: string } }

/**
 * Of those that the file calls open or done, each that a run has landed, with the newest run that has: by that landing the file
 * says, or said, that it is done. In the order of the file. `top`: of the checkout that the files are in.
 */
export async function landedBefore(
  views: Views,
  origin: PlanOrigin,
  state: 'open' | 'done',
  top: string,
): Promise<LandedBefore[]> {
  const tasks = await fileTasks(origin, top)
  const wanted = new Set(tasks[state])
  if (wanted.size === 0) return []
  const rows = await views.planTasks({ statuses: ['landed'], format: origin.format })
  const found = new Map<FileTask, LandedBefore>()
  for (const [row, now] of sameTasks([...tasks.open, ...tasks.done], rows, isThereIn(top))) {
    const { commit } = row
    if (commit === null || found.has(now) || !wanted.has(now)) continue
    // One that is open and has other words by now is another task: somebody wants it so.
    if (state === 'open' && !hasSameWords(now, row)) continue
    found.set(now, { now, row: { ...row, commit } })
  }
  return tasks[state].flatMap((task) => found.get(task) ?? [])
}
