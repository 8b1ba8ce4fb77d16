// Which tasks wait for a claim, and for whose.
import type { ClaimWait } from '../../claim.ts'
import type { RunView } from '../../status.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** With more tasks than this nobody says who waits for whom: all that has happened in the run would have to be gone through. */
const CLAIM_TASKS = 2_000

export async function claimWaitsOf(
  workspace: Workspace,
  { run, engine, counts }: RunView,
): Promise<ReadonlyMap<string, ClaimWait>> {
  if (!engine || counts.ready === 0 || counts.total > CLAIM_TASKS) return NO_WAITS
  // Loaded here: it knows the scheduler, and `status` has to be quick to load.
  const { readClaims } = await import('../../engine/requests/claims.ts')
  const claims = await readClaims(workspace)
  if (!claims.ok || claims.value.run !== run) return NO_WAITS
  return new Map(claims.value.waiting.map((wait) => [wait.task, wait]))
}

const NO_WAITS: ReadonlyMap<string, ClaimWait> = new Map()
