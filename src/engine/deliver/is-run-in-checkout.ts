// Whether the result of a run is in what its owner has checked out, by `espalier land` or by their own git.
import { hasResult } from '../../facts/has-result.ts'
import { headWith } from '../../git/trees/trace-commit.ts'
import type { RunView } from '../../view.ts'
import type { Workspace } from '../../workspace/workspace.ts'

type Landed = Pick<RunView, 'run' | 'kind' | 'base' | 'head' | 'counts' | 'branch'>

/** The branch it is in; null where it is not, or where that cannot be found out. The run's own branch does not count. */
export async function readLandedOn(workspace: Workspace, run: Landed): Promise<string | null> {
  const { head, has } = await readLandedRuns(workspace, [run])
  return has.size > 0 ? head : null
}

/** The same of the first of many runs: which of them are in it, and what it is called. */
export async function readLandedRuns(
  workspace: Workspace,
  runs: readonly Landed[],
): Promise<{ head: string; has: ReadonlySet<string> }> {
  const asked = runs.slice(0, MOST_ASKED).filter(hasResult)
  const heads = asked.map(({ head }) => head)
  const found = await headWith(workspace.repo, heads).catch(() => ({ head: 'HEAD', has: new Set<string>() }))
  const inside = asked.filter(({ head, branch }) => found.has.has(head) && found.head !== branch)
  return { head: found.head, has: new Set(inside.map(({ run }) => run)) }
}

const MOST_ASKED = 100
