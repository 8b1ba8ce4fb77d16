// Whether the result of a run is in what its owner has checked out, by `espalier land` or by their own git.
import { headWith } from '../git/head-with.ts'
import type { RunView } from '../status.ts'
import type { Where } from './read.ts'

type Landed = Pick<RunView, 'head' | 'counts' | 'branch'>

/** The branch it is in; null where it is not, or where that cannot be found out. The run's own branch does not count. */
export async function readLandedOn(where: Where, { head, counts, branch }: Landed): Promise<string | null> {
  if (counts.landed === 0) return null
  const found = await headWith(where.repo, head).catch(() => null)
  return found === branch ? null : found
}
