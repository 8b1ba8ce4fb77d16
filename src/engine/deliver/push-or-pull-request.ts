// `espalier land --push` and `--pr`, through the user's own git and the GitHub CLI.
import { spawn } from 'node:child_process'
import { listRemotes, push, type Remote, remoteOf } from '../../git/user/push.ts'
import { branchCommit, type UserRepository } from '../../git/user/repository.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { runToLand, type ToLand } from './land-run.ts'

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
  options: { remote: string; branch: string },
): Promise<Result<PushedBranch>> {
  const user = await workspace.user()
  if (!user.ok) return user
  const remote = await chosenRemote(user.value, options.remote, options.branch)
  return remote.ok ? pushTo(user.value, remote.value, options.branch) : remote
}

/**
 * `remote`: default: the one that the branch follows, else `origin`, else the only one. The `address` is null if gh is missing or
 * refuses; `reason` then says so, and what to do instead.
 */
export async function openPullRequest(
  workspace: Workspace,
  request: ToLand & { remote?: string | undefined; title: string; body: string; environment: Environment },
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
  const end = await runGh(args, { cwd: user.top, input: request.body, environment: request.environment })
  const done = { pushed: pushed.value, into }
  if (end.code === 0) return ok({ ...done, address: lastAddress(end.out) ?? end.out.trim() })
  const byHand = pushed.value.hint ?? compareAddress(remote.value.url, into, view.branch)
  const open = byHand ? `open ${byHand}` : `open it in the web interface of ${remote.value.url}`
  const reason =
    end.code === null
      ? `the GitHub CLI (gh) is not installed: get it from https://cli.github.com and run this again, or ${open}`
      : `gh did not open a pull request: ${end.err.trim() || `it ended with status ${end.code}`}. Put that right and run this again, or ${open}`
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

type Environment = Readonly<Record<string, string | undefined>>

/** `code`: null if gh could not be started. */
async function runGh(
  args: string[],
  { cwd, input, environment }: { cwd: string; input: string; environment: Environment },
): Promise<{ code: number | null; out: string; err: string }> {
  const env = { ...environment, GH_PROMPT_DISABLED: '1' }
  const child = spawn('gh', args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    out = (out + chunk.toString('utf8')).slice(0, MAX_CHARS)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err = (err + chunk.toString('utf8')).slice(0, MAX_CHARS)
  })
  // gh may end without having read everything.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const timer = setTimeout(() => child.kill(), GH_TIMEOUT_MS)
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(null))
    child.on('close', (status, signal) => resolve(signal ? 1 : status))
  })
  clearTimeout(timer)
  return { code, out, err }
}

const GH_TIMEOUT_MS = 2 * 60_000
const MAX_CHARS = 16_384

function lastAddress(text: string): string | null {
  return text.match(/https?:\/\/\S+/g)?.at(-1) ?? null
}

/** GitHub's page that compares two branches and offers a pull request. Null: the remote is not at GitHub. */
function compareAddress(url: string, into: string, branch: string): string | null {
  const [, owner, name] = /github\.com[:/]([^/]+)\/(.+?)(?:\.git)?\/?$/.exec(url) ?? []
  if (owner === undefined || name === undefined) return null
  const part = (text: string) => text.split('/').map(encodeURIComponent).join('/')
  return `https://github.com/${owner}/${name}/compare/${part(into)}...${part(branch)}?expand=1`
}
