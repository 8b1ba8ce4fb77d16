// `espalier land`: brings the result of a run onto a branch of the user.
import { type ExecFileException, execFile } from 'node:child_process'
import { isAbsolute } from 'node:path'
import { type EngineRepository, openEngineRepository } from '../../git/engine/engine-repository.ts'
import { runBranch } from '../../git/engine/ref-names.ts'
import { fetchCommitOf } from '../../git/engine/shared-repository.ts'
import { commitMessage } from '../../git/landing/commit-message.ts'
import { objectInfo } from '../../git/run/read-objects.ts'
import { uncommittedPaths } from '../../git/user/checkout-and-worktrees.ts'
import { landInto } from '../../git/user/land-into.ts'
import { baseGone, publishSubmodules } from '../../git/user/publish.ts'
import { listRemotes, push, type Remote, remoteOf } from '../../git/user/push.ts'
import { branchCommit, type UserRepository } from '../../git/user/repository.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { RunView } from '../../view.ts'
import { readKnownRun, readSettingsOf } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { planFilesIn, readOrigin } from '../plan-file/saved-tasks.ts'

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
  const { run, branch, base, head } = view
  const engine = await openEngineRepository(workspace.folder.root, user, workspace.engineRepository)
  if (!(await isHere(engine, view)))
    return refuse(
      `run ${run} ended on another machine, and its commits are not here: land it there, or name the repository that the coordinators share with ESPALIER_ENGINE_REPOSITORY`,
    )
  if ((await objectInfo(engine, base)) === null) return refuse(`run ${run} cannot land: ${baseGone(run, base)}`)
  const read = await readSettingsOf(workspace, { run })
  const settings = read.ok ? read.value : null
  const signOff = (settings?.landing.signoff ?? user.signsOff) ? user.identity : null
  const message = commitMessage({ title: `Land ${branch}`, run, tasks: [], signOff })
  // Uncommitted changes in plan files that runs write statuses into do not block a landing.
  const planFiles = await workspace.readViews([], (views) => views.planFiles())
  const leave = planFiles.ok ? planFiles.value.filter((file) => !isAbsolute(file)) : []
  // One that cannot be brought keeps nothing else back: the run has said so.
  await publishSubmodules(engine, run)
  const result = await landInto(engine, { commit: head, base, branch: into, message, leave })
  const landed = async (commit: string, how: LandedRun['how']): Promise<Result<LandedRun>> => {
    const origin = await readOrigin(workspace, run)
    const written = settings && origin.ok ? await planFilesIn(user.top, origin.value, settings) : []
    return ok({ run, into, commit, how, uncommitted: await uncommittedPaths(user.top, written) })
  }
  switch (result.kind) {
    case 'landed':
      return landed(result.commit, result.fastForward ? 'fast-forward' : 'merge')
    case 'contained':
      return landed(head, 'up-to-date')
    case 'conflict':
      return refuse(
        `${branch} conflicts with ${into} in ${result.paths.slice(0, 5).join(', ')}: merge it by hand with \`git merge ${branch}\``,
      )
    case 'rewritten':
      return refuse(
        `${into} does not contain ${base.slice(0, 12)}, the commit that run ${run} began from: landing would bring back what was taken out of it. \`git rebase --onto ${into} ${base.slice(0, 12)} ${branch}\` moves the work alone over, \`git merge ${branch}\` all of it`,
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

/** `into`: default: the branch that is checked out. */
type ToLand = { run?: string | undefined; into?: string | undefined }

async function runToLand(
  workspace: Workspace,
  options: ToLand,
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

// `--push` and `--pr`, through the user's own git and the GitHub CLI.

export type PushedBranch = {
  remote: string
  url: string
  branch: string
  how: 'new' | 'updated' | 'up-to-date'
  hint: string | null
}

/** Lets a caller check the remote before work that would be in vain without it. */
export async function findRemote(workspace: Workspace, options: { remote: string }): Promise<Result<Remote>> {
  const user = await workspace.user()
  return user.ok ? chosenRemote(user.value, options.remote, '') : user
}

export async function pushBranch(
  workspace: Workspace,
  { remote: name, branch }: { remote: string; branch: string },
): Promise<Result<PushedBranch>> {
  const user = await workspace.user()
  if (!user.ok) return user
  const remote = await chosenRemote(user.value, name, branch)
  return remote.ok ? pushTo(user.value, remote.value, branch) : remote
}

/**
 * `remote`: default: the one that the branch follows, else `origin`, else the only one. The `address` is null if gh is missing or
 * refuses; `reason` then says so, and what to do instead.
 */
export async function openPullRequest(
  workspace: Workspace,
  request: ToLand & { remote?: string | undefined; title: string; body: string; environment: NodeJS.ProcessEnv },
): Promise<Result<{ pushed: PushedBranch; into: string; address: string | null; reason?: string }>> {
  const found = await runToLand(workspace, request)
  if (!found.ok) return found
  const { view, user, into } = found.value
  const remote = await chosenRemote(user, request.remote, into)
  if (!remote.ok) return remote
  const here = await branchCommit(user, view.branch)
  if (here !== view.head)
    return refuse(
      `the branch ${view.branch} ${here ? 'was moved' : 'is gone'} in ${user.top}: put it where the run left it with \`git branch -f ${view.branch} ${view.head.slice(0, 12)}\``,
    )
  const pushed = await pushTo(user, remote.value, view.branch)
  if (!pushed.ok) return pushed
  const args = ['pr', 'create', '--head', view.branch, '--base', into, '--title', request.title, '--body-file', '-']
  const end = await runGh(args, { cwd: user.top, input: request.body, env: request.environment })
  const done = { pushed: pushed.value, into }
  if (end.error === null) return ok({ ...done, address: end.out.match(/https?:\/\/\S+/g)?.at(-1) ?? end.out.trim() })
  const byHand = pushed.value.hint ?? compareAddress(remote.value.url, into, view.branch)
  const open = byHand ? `open ${byHand}` : `open it in the web interface of ${remote.value.url}`
  const reason =
    end.error.code === 'ENOENT'
      ? `the GitHub CLI (gh) is not installed: get it from https://cli.github.com and run this again, or ${open}`
      : `gh did not open a pull request: ${end.err.trim() || `it ended with status ${end.error.code ?? 1}`}. Put that right and run this again, or ${open}`
  return ok({ ...done, address: null, reason })
}

async function pushTo(user: UserRepository, { name, url }: Remote, branch: string): Promise<Result<PushedBranch>> {
  const result = await push(user, name, branch)
  if (result.ok) return ok({ remote: name, url, branch, how: result.how, hint: result.hint })
  const next = result.isBehind
    ? `it has commits that are not here: \`git pull ${name} ${branch}\`, then push again`
    : `put that right, then \`git push ${name} ${branch}\``
  return refuse(`${branch} was not pushed to ${name} (${url}): ${result.message}. Nothing was forced; ${next}`)
}

async function chosenRemote(user: UserRepository, wanted: string | undefined, into: string): Promise<Result<Remote>> {
  const remotes = await listRemotes(user)
  if (remotes.length === 0)
    return refuse(`${user.top} has no remote to push to: add one with \`git remote add origin URL\``)
  const followed = wanted ?? (await remoteOf(user, into))
  const only = remotes.length === 1 ? remotes[0] : undefined
  const found = remotes.find(({ name }) => name === (followed ?? 'origin')) ?? (wanted === undefined ? only : undefined)
  if (found) return ok(found)
  const names = remotes.map(({ name }) => name).join(', ')
  return refuse(
    wanted === undefined ? `say which remote with --push: ${names}` : `there is no remote ${wanted}; there is ${names}`,
  )
}

function runGh(
  args: string[],
  { cwd, input, env }: { cwd: string; input: string; env: NodeJS.ProcessEnv },
): Promise<{ error: ExecFileException | null; out: string; err: string }> {
  const options = { cwd, env: { ...env, GH_PROMPT_DISABLED: '1' }, timeout: GH_TIMEOUT_MS }
  return new Promise((resolve) => {
    const child = execFile('gh', args, options, (error, out, err) => resolve({ error, out, err }))
    // gh may end without having read everything.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

const GH_TIMEOUT_MS = 2 * 60_000

/** GitHub's page that compares two branches and offers a pull request. Null: the remote is not at GitHub. */
function compareAddress(url: string, into: string, branch: string): string | null {
  const [, owner, name] = /github\.com[:/]([^/]+)\/(.+?)(?:\.git)?\/?$/.exec(url) ?? []
  if (owner === undefined || name === undefined) return null
  const part = (text: string) => text.split('/').map(encodeURIComponent).join('/')
  return `https://github.com/${owner}/${name}/compare/${part(into)}...${part(branch)}?expand=1`
}
