// Paths that earlier runs of the tasks of a plan have changed. Reads the views of the store; makes no state folder.
import { LIMITS } from '../../config.ts'
import type { FailureReason } from '../../failure.ts'
import { ok, type Result } from '../../problem.ts'
import type { Views } from '../../store/views.ts'
import type { Plan } from '../../task.ts'
import { type LearnedClaims, learnedClaims, type Seen } from '../../workloads/analysis/suggested-claims.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export async function readLearnedClaims(
  workspace: Workspace,
  options: { plan: Plan },
): Promise<Result<LearnedClaims[]>> {
  const { plan } = options
  const seen = await workspace.readViews(new Map<string, Seen>(), (store) => lastSeen(store, plan))
  return seen.ok ? ok(learnedClaims(plan.tasks, seen.value)) : seen
}

async function lastSeen(store: Views, plan: Plan): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>()
  const runs = (await store.runs()).filter(({ name }) => name === plan.name)
  for (const { run } of runs.slice(0, LIMITS.learnedRuns)) {
    const missing = plan.tasks.filter(({ id }) => !seen.has(id))
    if (missing.length === 0) break
    const views = await store.tasks(run)
    for (const { id } of missing) {
      const done = views.get(id)?.history.findLast(({ failure }) => failure === null || DONE.has(failure.reason))
      if (done?.touched) seen.set(id, { run, ...done.touched })
    }
  }
  return seen
}

const DONE: ReadonlySet<FailureReason> = new Set(['claims-violated', 'conflict', 'landing-failed'])
