// `espalier land`: brings the result of a run onto a branch of the user's, because they asked for it.
import { openEngineRepository } from '../git/engine-repository.ts'
import { landInto } from '../git/land-into.ts'
import { inspect } from '../git/user-repository.ts'
import { ok, type Result, refuse } from '../problem.ts'
import { readRun, type Where } from './read.ts'
import { stateFolder } from './state-folder.ts'

export type LandedRun = { run: string; into: string; commit: string; how: 'fast-forward' | 'merge' | 'up-to-date' }

/** `into` is by default the branch that is checked out. */
export async function landRun(
  where: Where & { run?: string | undefined; into?: string | undefined },
): Promise<Result<LandedRun>> {
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
  const folder = stateFolder(user.value.top, where.stateDir ?? null)
  const engine = await openEngineRepository(folder.root, user.value)
  const message = `Land ${view.branch}\n\nEspalier-Run: ${view.run}\n`
  const result = await landInto(engine, { commit: view.head, base: view.base, branch: into, message })
  const run = view.run
  switch (result.kind) {
    case 'landed':
      return ok({ run, into, commit: result.commit, how: result.fastForward ? 'fast-forward' : 'merge' })
    case 'contained':
      return ok({ run, into, commit: view.head, how: 'up-to-date' })
    case 'conflict':
      return refuse(
        `${view.branch} conflicts with ${into} in ${result.paths.slice(0, 5).join(', ')}: merge it by hand with \`git merge ${view.branch}\``,
      )
    case 'rewritten':
      return refuse(
        `${into} does not contain ${view.base.slice(0, 12)}, the commit that run ${run} began from; merging would bring it back. \`git rebase --onto ${into} ${view.base.slice(0, 12)} ${view.branch}\` moves the work alone over, \`git merge ${view.branch}\` all of it`,
      )
    case 'refused':
      return refuse(result.message)
    default:
      return result satisfies never
  }
}
