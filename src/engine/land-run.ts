// `espalier land`: brings the result of a run onto a branch of the user's, because they asked for it.
import { commitMessage } from '../git/commit-message.ts'
import { openEngineRepository } from '../git/engine-repository.ts'
import { landInto } from '../git/land-into.ts'
import { uncommittedAmong } from '../git/uncommitted.ts'
import { ok, type Result, refuse } from '../problem.ts'
import { keptOrigin } from './kept-origin.ts'
import { planFilesIn } from './plan-files-in.ts'
import { runToLand, type ToLand } from './run-to-land.ts'
import { listRuns, readSettingsOf } from './runs.ts'
import { type StateFolder, stateFolder } from './state-folder.ts'
import type { Where } from './where.ts'

export type LandedRun = {
  run: string
  into: string
  commit: string
  how: 'fast-forward' | 'merge' | 'up-to-date'
  /** Plan files into which the run has written how its tasks stand, and that is not committed. */
  uncommitted: string[]
}

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
  const leave = await writtenInto({ ...where, run: view.run }, user.top, folder)
  const result = await landInto(engine, { commit: view.head, base: view.base, branch: into, message, leave })
  const run = view.run
  const isWrittenBack = settings.ok && settings.value?.writeBack === true
  const written = isWrittenBack ? await planFilesIn(user.top, await keptOrigin(folder, run)) : []
  switch (result.kind) {
    case 'landed':
      return ok({
        ...{ run, into, commit: result.commit, how: result.fastForward ? 'fast-forward' : 'merge' },
        uncommitted: await uncommittedAmong(user, written),
      })
    case 'contained':
      return ok({
        ...{ run, into, commit: view.head, how: 'up-to-date' },
        uncommitted: await uncommittedAmong(user, written),
      })
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

/** Plan files that this run and others have written how tasks stand into: they are changed, and nobody minds. */
async function writtenInto(where: Where & { run: string }, top: string, folder: StateFolder): Promise<string[]> {
  const runs = await listRuns(where)
  const others = runs.ok ? runs.value.slice(0, RUNS_LOOKED_AT).map(({ run }) => run) : []
  const files = new Set<string>()
  for (const run of new Set([where.run, ...others]))
    for (const file of await planFilesIn(top, await keptOrigin(folder, run))) files.add(file)
  return [...files]
}

/** The newest first: each costs a look for a file. */
const RUNS_LOOKED_AT = 50
