// `espalier open`: a folder with the work of a task. For a failed entry of a suite it is the worktree as it was; otherwise a
// linked worktree of the user's repository at the commit with the work.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openEngineRepository } from '../../git/engine/repository.ts'
import { openCommitWorktree } from '../../git/user/linked-worktree.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { readPlanOf, readRun } from '../../workspace/read-runs.ts'
import { attemptFolder } from '../../workspace/state-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export type OpenedWork = {
  run: string
  task: string
  attempt: number
  path: string
  /** `kept`: as it was, with untracked files. `base`: no work was kept, this is its start. */
  kind: 'kept' | 'worktree' | 'base'
  /** Shell command of the attempt, if it was one. */
  command: string | null
}

/** `name`: a task or an entry of the run. */
export async function openWork(
  workspace: Workspace,
  { run, name }: { run: string; name: string },
): Promise<Result<OpenedWork>> {
  const [view, plan] = await Promise.all([readRun(workspace, { run }), readPlanOf(workspace, { run })])
  if (!view.ok) return view
  if (!plan.ok) return plan
  const ids = plan.value?.suite?.entries.find(({ id }) => id === name)?.tasks ?? [name]
  const tasks = (view.value?.tasks ?? []).filter(({ id, history }) => ids.includes(id) && history.length > 0)
  const task = tasks.find(({ status }) => status === 'failed') ?? tasks.at(-1)
  const last = task?.history.at(-1)
  if (!task || !last) return refuse(`${name} of run ${run} has not been started: there is nothing to open`)
  const { attempt, commit, base } = last
  const work = plan.value?.tasks.find(({ id }) => id === task.id)?.work
  const command = work?.kind === 'command' ? work.command : null
  const opened = { run, task: task.id, attempt, command }
  const { kept } = attemptFolder(workspace.folder, run, task.id, attempt)
  if (existsSync(kept)) return ok({ ...opened, path: kept, kind: 'kept' })
  if (last.finishedAt === null)
    return refuse(`${name} is at work: open it when it is done, or look at \`espalier logs ${task.id}\``)
  const user = await workspace.user()
  if (!user.ok) return user
  const engine = await openEngineRepository(workspace.folder.root, user.value)
  const path = join(workspace.folder.opened, run, task.id)
  const made = await openCommitWorktree(engine, { path, commit: commit ?? base })
  return made.ok ? ok({ ...opened, path, kind: commit === null ? 'base' : 'worktree' }) : made
}
