// What became of the result of a run outside of it: in the branch that is checked out, in the plan file, in other runs.

import { readLandedOn } from '../../engine/deliver/landed-on.ts'
import { readDoneSince } from '../../engine/history/other-runs.ts'
import { readDoneInPlanFile } from '../../engine/plan-file/names.ts'
import type { RunView } from '../../status.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export type ResultOutside = {
  /** The branch that has all that landed; null while none is known to. */
  landedOn: string | null
  /** Tasks that the plan file calls done. */
  doneInFile: ReadonlySet<string>
  /** What did not succeed and another run has landed since, by task. */
  landedSince: ReadonlyMap<string, string>
}

/** Of a run that is over, or at rest. */
export async function resultOutside(workspace: Workspace, view: RunView): Promise<ResultOutside> {
  const [landedOn, doneInFile, landedSince] = await Promise.all([
    readLandedOn(workspace, view),
    readDoneInPlanFile(workspace, view),
    readDoneSince(workspace, view),
  ])
  return { landedOn, doneInFile, landedSince }
}
