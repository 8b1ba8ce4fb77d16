// `espalier land`: brings the result of a run onto a branch of the user.
import { isAbsolute } from 'node:path'
import { runBranch } from '../../git/engine/refs.ts'
import { type EngineRepository, openEngineRepository } from '../../git/engine/repository.ts'
import { fetchCommitOf } from '../../git/engine/shared.ts'
import { commitMessage } from '../../git/landing/commit-message.ts'
import { objectInfo } from '../../git/run/read-objects.ts'
import { uncommittedPaths } from '../../git/user/checkout.ts'
import { landInto } from '../../git/user/land-into.ts'
import type { UserRepository } from '../../git/user/repository.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { RunView } from '../../view.ts'
import { readKnownRun, readSettingsOf } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { planFilesIn, readOrigin } from '../plan-file/kept-tasks.ts'

export type LandedRun = {
  run: string
  into: string
  commit: string
  how: 'fast-forward' | 'merge' | 'up-to-date'
  /** Plan files with statuses that this run wrote and nobody has committed. */
  uncommitted: string[]
}

export async function landRun(workspace: Workspace, options: ToLand = {}): Promise<Result<LandedRun>> {
  const found = await runToLand(workspace, options)
  if (!found.ok) return found
  const { view, user, into } = found.value
  const { folder } = workspace
  const engine = await openEngineRepository(folder.root, user, workspace.engineRepository)
  if (!(await isHere(engine, view)))
    return refuse(
      `run ${view.run} ended on another machine, and its commits are not here: land it there, or name the repository that the coordinators share with ESPALIER_ENGINE_REPOSITORY`,
    )
  const settings = await readSettingsOf(workspace, { run: view.run })
  const asked = settings.ok ? settings.value?.landing.signoff : null
  const signOff = (asked ?? user.signsOff) ? user.identity : null
  const message = commitMessage({ title: `Land ${view.branch}`, run: view.run, tasks: [], signOff })
  // Uncommitted changes in plan files that runs write statuses into do not block a landing.
  const planFiles = await workspace.readViews([], (views) => views.planFiles())
  const leave = planFiles.ok ? planFiles.value.filter((file) => !isAbsolute(file)) : []
  const result = await landInto(engine, { commit: view.head, base: view.base, branch: into, message, leave })
  const run = view.run
  const origin = await readOrigin(workspace, run)
  const written =
    settings.ok && settings.value && origin.ok ? await planFilesIn(user.top, origin.value, settings.value) : []
  switch (result.kind) {
    case 'landed':
      return ok({
        ...{ run, into, commit: result.commit, how: result.fastForward ? 'fast-forward' : 'merge' },
        uncommitted: await uncommittedPaths(user.top, written),
      })
    case 'contained':
      return ok({
        ...{ run, into, commit: view.head, how: 'up-to-date' },
        uncommitted: await uncommittedPaths(user.top, written),
      })
    case 'conflict':
      return refuse(
        `${view.branch} conflicts with ${into} in ${result.paths.slice(0, 5).join(', ')}: merge it by hand with \`git merge ${view.branch}\``,
      )
    case 'rewritten':
      return refuse(
        `${into} does not contain ${view.base.slice(0, 12)}, the commit that run ${run} began from: landing would bring back what was taken out of it. \`git rebase --onto ${into} ${view.base.slice(0, 12)} ${view.branch}\` moves the work alone over, \`git merge ${view.branch}\` all of it`,
      )
    case 'refused':
      return refuse(result.message)
    default:
      return result satisfies never
  }
}

/** Whether the run's last commit is here: after a takeover it may be only in the repository that the coordinators share. */
async function isHere(engine: EngineRepository, { run, head }: RunView): Promise<boolean> {
  if ((await objectInfo(engine, head)) !== null) return true
  await fetchCommitOf(engine, runBranch(run))
  return (await objectInfo(engine, head)) !== null
}

export type ToLand = {
  run?: string | undefined
  /** Default: the branch that is checked out. */
  into?: string | undefined
}

export async function runToLand(
  workspace: Workspace,
  options: ToLand = {},
): Promise<Result<{ view: RunView; user: UserRepository; into: string }>> {
  const found = await readKnownRun(workspace, options)
  if (!found.ok) return found
  const view = found.value
  if (view.engine)
    return refuse(`run ${view.run} is still going: wait for it (\`espalier status --watch\`), or cancel it`)
  const user = await workspace.user()
  if (!user.ok) return user
  const into = options.into ?? user.value.headBranch
  if (into === null) return refuse('HEAD is detached: say which branch with --into BRANCH')
  if (options.into === undefined && into.startsWith('espalier/'))
    return refuse(`${into} is checked out, which is the branch of a run: say which branch is meant with --into BRANCH`)
  if (view.head === view.base) return refuse(`nothing of run ${view.run} has landed on ${view.branch}`)
  return ok({ view, user: user.value, into })
}
