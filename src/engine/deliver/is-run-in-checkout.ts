// Whether the checked-out branch contains the result of a run, by `espalier land` or by the owner's own git.
import { hasResult } from '../../facts/next-steps.ts'
import { headWith } from '../../git/trees/commit-origin.ts'
import type { RunView } from '../../view.ts'
import type { Workspace } from '../../workspace/workspace.ts'

type Landed = Pick<RunView, 'run' | 'kind' | 'base' | 'head' | 'counts' | 'branch'>

/** The checked-out branch if it contains the run's result; null: it does not, git cannot tell, or it is the run's own branch. */
export async function readLandedOn(workspace: Workspace, run: Landed): Promise<string | null> {
  const { head, has } = await readLandedRuns(workspace, [run])
  return has.size > 0 ? head : null
}

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
