// What became of the result of a run outside of it: in the branch that is checked out, and in the plan file.
import { readDoneInPlanFile } from '../engine/done-in-plan-file.ts'
import { readLandedOn } from '../engine/landed-on.ts'
import type { Where } from '../engine/read.ts'
import type { RunView } from '../status.ts'

export type ResultOutside = {
  /** The branch that has all that landed; null while none is known to. */
  landedOn: string | null
  /** Tasks that the plan file calls done. */
  doneInFile: ReadonlySet<string>
}

/** Of a run that is over, or at rest. */
export async function resultOutside(where: Where, view: RunView): Promise<ResultOutside> {
  const [landedOn, doneInFile] = await Promise.all([readLandedOn(where, view), readDoneInPlanFile(where, view)])
  return { landedOn, doneInFile }
}
