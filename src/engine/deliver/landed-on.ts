// Whether the result of a run is in what its owner has checked out, by `espalier land` or by their own git.

import { headWith, headWithSome } from '../../git/user/head-with.ts'
import type { RunView } from '../../status.ts'
import type { Workspace } from '../../workspace/workspace.ts'

type Landed = Pick<RunView, 'head' | 'counts' | 'branch'>

/** The branch it is in; null where it is not, or where that cannot be found out. The run's own branch does not count. */
export async function readLandedOn(workspace: Workspace, { head, counts, branch }: Landed): Promise<string | null> {
  if (counts.landed === 0) return null
  const found = await headWith(workspace.repo, head).catch(() => null)
  return found === branch ? null : found
}

/** The same of the first of many runs: which of them are in it, and what it is called. */
export async function readLandedRuns(
  workspace: Workspace,
  runs: readonly (Landed & { run: string })[],
): Promise<{ head: string; has: ReadonlySet<string> }> {
  const asked = runs.slice(0, MOST_ASKED).filter(({ counts }) => counts.landed > 0)
  const heads = asked.map(({ head }) => head)
  const found = await headWithSome(workspace.repo, heads).catch(() => ({ head: 'HEAD', has: new Set<string>() }))
  const inside = asked.filter(({ head, branch }) => found.has.has(head) && found.head !== branch)
  return { head: found.head, has: new Set(inside.map(({ run }) => run)) }
}

/** Each takes a few milliseconds. */
const MOST_ASKED = 100
