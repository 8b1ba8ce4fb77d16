// The run whose result is to be brought to its owner: over, with something in it, and a branch it is meant for.
import { inspect, type UserRepository } from '../git/user-repository.ts'
import { ok, type Result, refuse } from '../problem.ts'
import type { RunView } from '../status.ts'
import { readRun } from './runs.ts'
import type { Where } from './where.ts'

export type ToLand = Where & {
  run?: string | undefined
  /** By default the branch that is checked out. */
  into?: string | undefined
}

export async function runToLand(where: ToLand): Promise<Result<{ view: RunView; user: UserRepository; into: string }>> {
  const found = await readRun(where)
  if (!found.ok) return found
  const view = found.value
  if (!view) return refuse(where.run ? `there is no run ${where.run}` : 'there is no run yet')
  if (view.engine)
    return refuse(`run ${view.run} is still going: wait for it (\`espalier status --watch\`), or cancel it`)
  const user = await inspect(where.repo)
  if (!user.ok) return user
  const into = where.into ?? user.value.headBranch
  if (into === null) return refuse('HEAD is detached: say which branch with --into BRANCH')
  if (where.into === undefined && into.startsWith('espalier/'))
    return refuse(`${into} is checked out, which is the branch of a run: say which branch is meant with --into BRANCH`)
  if (view.head === view.base) return refuse(`nothing of run ${view.run} has landed on ${view.branch}`)
  return ok({ view, user: user.value, into })
}
