// Where the result of a run is by now: on the current branch, in the plan file, in other runs.

import { readLandedOn } from '../../engine/deliver/is-run-in-checkout.ts'
import { readDoneSince } from '../../engine/history/landed-tasks.ts'
import { readDoneInPlanFile } from '../../engine/plan-file/kept-tasks.ts'
import type { RunView } from '../../view.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export type ResultOutside = {
  landedOn: string | null
  /** Tasks that the plan file calls done. */
  doneInFile: ReadonlySet<string>
  /** Tasks that did not succeed and that another run has landed since, with that run. */
  landedSince: ReadonlyMap<string, string>
}

export async function resultOutside(workspace: Workspace, view: RunView): Promise<ResultOutside> {
  const [landedOn, doneInFile, landedSince] = await Promise.all([
    readLandedOn(workspace, view),
    readDoneInPlanFile(workspace, view),
    readDoneSince(workspace, view),
  ])
  return { landedOn, doneInFile, landedSince }
}
