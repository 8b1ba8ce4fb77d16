// `espalier land`: brings the result of a run onto a branch of the user's, because they asked for it.
import { commitMessage } from '../git/commit-message.ts'
import { openEngineRepository } from '../git/engine-repository.ts'
import { landInto } from '../git/land-into.ts'
import { ok, type Result, refuse } from '../problem.ts'
import { keptOrigin } from './kept-origin.ts'
import { planFilesIn } from './plan-files-in.ts'
import { readSettingsOf } from './read.ts'
import { runToLand, type ToLand } from './run-to-land.ts'
import { stateFolder } from './state-folder.ts'

export type LandedRun = { run: string; into: string; commit: string; how: 'fast-forward' | 'merge' | 'up-to-date' }

export async function landRun(where: ToLand): Promise<Result<LandedRun>> {
  const found = await runToLand(where)
  if (!found.ok) return found
  const { view, user, into } = found.value
  const folder = stateFolder(user.top, where.stateDir ?? null)
  const engine = await openEngineRepository(folder.root, user)
  const settings = await readSettingsOf({ ...where, run: view.run })
  const asked = settings.ok ? settings.value?.landing.signoff : null
  const signOff = (asked ?? user.signsOff) ? user.identity : null
  const message = commitMessage({ title: `Land ${view.branch}`, run: view.run, tasks: [], signOff })
  // The run has written how its tasks stand into them, so they are changed.
  const leave = await planFilesIn(user.top, await keptOrigin(folder, view.run))
  const result = await landInto(engine, { commit: view.head, base: view.base, branch: into, message, leave })
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
