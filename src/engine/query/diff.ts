// Changes of a task: of an attempt since its start commit, or of the landed task since the commit before.
import { RunHistory } from '../../facts/run-history.ts'
import { openEngineRepository } from '../../git/engine/repository.ts'
import { GitFailure } from '../../git/run/git.ts'
import { patchBetween } from '../../git/trees/tree-changes.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { TaskView } from '../../view.ts'
import { readEvents, readTaskView } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** `attempt`: default: the newest with work. */
export async function readDiff(
  workspace: Workspace,
  which: { run: string; task: string; attempt?: number | undefined; landed?: boolean | undefined },
  maxBytes: number,
): Promise<Result<Range & { patch: Buffer; isCut: boolean }>> {
  const found = await readTaskView(workspace, which)
  if (!found.ok) return found
  const task = found.value
  if (!task) return refuse(`run ${which.run} has no task ${which.task}`)
  const range = which.landed ? await landedRange(workspace, which.run, task) : attemptRange(task, which.attempt)
  if (!range.ok) return range
  const user = await workspace.user()
  if (!user.ok) return user
  try {
    const engine = await openEngineRepository(workspace.folder.root, user.value)
    return ok({ ...range.value, ...(await patchBetween(engine, { ...range.value, maxBytes })) })
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    return refuse(`the work of ${which.task} cannot be read any more: ${error.message}`)
  }
}

type Range = { from: string; to: string }

function attemptRange({ id, history }: TaskView, number: number | undefined): Result<Range> {
  const attempt =
    number === undefined
      ? history.findLast(({ commit }) => commit !== null)
      : history.find((one) => one.attempt === number)
  if (!attempt) return refuse(number === undefined ? `${id} has changed no files` : `${id} has no attempt ${number}`)
  if (attempt.commit === null) return refuse(`attempt ${attempt.attempt} of ${id} left no work`)
  return ok({ from: attempt.base, to: attempt.commit })
}

/** Only the journal has the commit that a landing was put on. */
async function landedRange(workspace: Workspace, run: string, { id, landedCommit }: TaskView): Promise<Result<Range>> {
  if (landedCommit === null) return refuse(`${id} has not landed`)
  const events = await readEvents(workspace, { run })
  if (!events.ok) return events
  const landed = RunHistory.of(events.value).landings.find(({ commit }) => commit === landedCommit)
  if (!landed) return refuse(`the journal of run ${run} does not say how ${id} landed`)
  return ok({ from: landed.onto, to: landedCommit })
}
