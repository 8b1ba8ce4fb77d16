// The user's repository: looked at, never changed. One that Espalier cannot work with is refused before anything
// starts.
import { readFile, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { ok, type Problem, problem, type Result, refuse } from '../../problem.ts'
import { COMMIT_PATTERN } from '../engine/ref-names.ts'
import { commitNamed, type GitOptions, git, gitLines, gitText, revParse } from '../run/git.ts'
import { isShortage, machineTroubleText } from '../run/machine-trouble.ts'
import { inLines } from '../run/path-bytes.ts'
import {
  checkoutSettings,
  filterAttributes,
  findFilters,
  globalFile,
  isTrue,
  parseConfig,
  type UserConfig,
} from './config.ts'

export type Identity = { name: string; email: string }

export type UserRepository = Layout & {
  identity: Identity
  signsOff: boolean
  /** Folder under version control from which the user's git takes hooks: relative to the top, with `/`. */
  hooks: string | null
  submodules: boolean
  sparse: boolean
  /** Settings that decide how a file looks on disk, without `core.` */
  checkout: Record<string, string>
  /** The user's own ignore patterns and those of `info/exclude`. */
  excludes: string
  warnings: Problem[]
}

export const OLDEST_GIT = [2, 38] as const

export async function inspect(path: string): Promise<Result<UserRepository>> {
  if (!(await stat(path).catch(() => null))?.isDirectory()) return refuse(`${path} is not a folder.`)
  const user: GitOptions = { cwd: path, config: 'user' }
  // All at once: a process takes longer to start than to answer. None may fetch what a partial clone lacks.
  const local: GitOptions = { ...user, env: { GIT_ALLOW_PROTOCOL: 'none' } }
  const attributes = awaitedLater(filterAttributes(local))
  const there = awaitedLater(existing(local, ['HEAD:.gitmodules', 'refs/heads/espalier']))
  const versionText = gitText(['version'], { cwd: path }).catch((error: unknown) => ({ error }))
  const layout = awaitedLater(layoutOf(path, user))
  const settings = awaitedLater(git(['config', '--list', '-z'], user))
  const version = await versionText
  if (typeof version !== 'string') return refuse(isShortage(version.error) ? machineTroubleText(version.error) : NO_GIT)
  if (!isAtLeast(version, OLDEST_GIT))
    return refuse(`${version} is too old: Espalier needs git 2.38 or newer (merge-tree).`)
  const found = await layout
  if (!found.ok) return found
  const { top, commonDir } = found.value
  const config = parseConfig((await settings).stdout)
  if (isPartial(config)) return refuse(PARTIAL)
  const [submodules = false, isBlocked = false] = await there
  const { problems, warnings } = await findFilters(await attributes, commonDir, config)
  if (isBlocked) problems.push(problem(BLOCKED))
  if (problems.length > 0) return { ok: false, problems }
  return ok({
    ...found.value,
    identity: identityOf(config, warnings),
    signsOff: isTrue(config.get('format.signoff')),
    hooks: hooksInside(top, config.get('core.hookspath')),
    submodules,
    sparse: isTrue(config.get('core.sparsecheckout')),
    checkout: checkoutSettings(config),
    excludes: [
      await globalFile(config, 'core.excludesfile', 'ignore'),
      await readFile(join(commonDir, 'info', 'exclude'), 'utf8').catch(() => ''),
    ].join('\n'),
    warnings,
  })
}

export async function resolveCommit(repo: UserRepository, rev: string): Promise<Result<string>> {
  const commit = await commitNamed(rev, { cwd: repo.top, gitDir: repo.gitDir, config: 'user' })
  return commit === null ? refuse(`${rev || 'An empty name'} names no commit in ${repo.top}.`) : ok(commit)
}

export async function branchCommit(repo: UserRepository, name: string): Promise<string | null> {
  return revParse(`refs/heads/${name}^{commit}`, { gitDir: repo.commonDir })
}

export function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [, ofMajor = 0, ofMinor = 0] = (/(\d+)\.(\d+)/.exec(version) ?? []).map(Number)
  return ofMajor > major || (ofMajor === major && ofMinor >= minor)
}

/** Keeps a failure that nobody awaits (something else was refused first) from being a crash. */
function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

function isPartial(config: UserConfig): boolean {
  const promisor = [...config].some(([key, value]) => /^remote\..*\.promisor$/.test(key) && isTrue(value))
  return promisor || config.has('extensions.partialclone')
}

const NO_GIT = 'git could not be started. Install git 2.38 or newer.'
const PARTIAL =
  'This is a partial clone: objects a task may need are not here. Run `git fetch --refetch --no-filter`, or use a full clone.'
const BLOCKED =
  'There is a branch named `espalier`, so git cannot make the branch espalier/<run> beside it. Rename it: git branch -m espalier my-espalier'

async function existing(user: GitOptions, names: readonly string[]): Promise<boolean[]> {
  const answers = await gitLines(['cat-file', '--batch-check'], { ...user, input: inLines(names) })
  return answers.map((answer) => !answer.endsWith(' missing'))
}

function identityOf(config: UserConfig, warnings: Problem[]): Identity {
  const name = process.env.GIT_AUTHOR_NAME || config.get('author.name') || config.get('user.name')
  const email = process.env.GIT_AUTHOR_EMAIL || config.get('author.email') || config.get('user.email')
  if (!name || !email) {
    const what = name ? 'user.email' : email ? 'user.name' : 'user.name and user.email'
    warnings.push(
      problem(
        `git does not know ${what}: commits are made as ${name || FALLBACK.name} <${email || FALLBACK.email}>. \`git config --global\` sets both`,
        { severity: 'warning' },
      ),
    )
  }
  return { name: name || FALLBACK.name, email: email || FALLBACK.email }
}

/** Git takes a relative path from the top of the checkout. */
function hooksInside(top: string, path: string | undefined): string | null {
  if (!path) return null
  const inside = relative(top, resolve(top, path))
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) || inside.startsWith('.git/') ? null : inside
}

const FALLBACK: Identity = { name: 'Espalier', email: 'espalier@localhost' }

type Layout = {
  top: string
  /** The git directory of the checkout: in a linked worktree it differs from `commonDir`, which has the refs and objects. */
  gitDir: string
  commonDir: string
  objectsDir: string
  objectFormat: 'sha1' | 'sha256'
  shallow: boolean
  bare: boolean
  headBranch: string | null
  head: string
}

/** Asked of one process, which ends at the first part that is not there: `HEAD^{commit}`, or the top of a bare one. */
async function layoutOf(path: string, user: GitOptions): Promise<Result<Layout>> {
  const args = [...PARTS, 'HEAD^{commit}', '--symbolic-full-name', 'HEAD', '--show-toplevel']
  const { stdout, stderr } = await git(args, { ...user, okCodes: [0, 128] })
  const lines = stdout.toString('utf8').trimEnd().split('\n')
  if (lines.length < 6) return refuse(whyNoRepository(path, stderr))
  const [objectFormat, shallow, bareText, gitDir = '', commonDir = '', objectsDir = '', head = '', ref, topText] = lines
  const bare = bareText === 'true'
  if (lines.length > 9 || [gitDir, commonDir, objectsDir].some((folder) => !isAbsolute(folder)))
    return refuse(
      `The path of ${path} has a line break in it, which git's own files cannot express. Move the repository.`,
    )
  if (objectFormat !== 'sha1' && objectFormat !== 'sha256') return refuse(`Unknown object format ${objectFormat}.`)
  if (!COMMIT_PATTERN.test(head)) {
    if (bare) return refuse(`${path} is a bare repository: run espalier in a checkout of it`)
    const branch = await gitText(['symbolic-ref', '-q', '--short', 'HEAD'], { ...user, okCodes: [0, 1, 128] })
    const where = branch ? `The branch ${branch}` : 'The repository'
    return refuse(`${where} has no commit yet. Commit something first: a run starts from a commit.`)
  }
  if (!bare && topText === undefined) return refuse(`${path} is inside a git directory. Start in the checkout.`)
  const headBranch = ref === undefined || ref === 'HEAD' ? null : ref.replace(/^refs\/heads\//, '')
  const folders = { top: topText ?? gitDir, gitDir, commonDir, objectsDir }
  return ok({ ...folders, objectFormat, shallow: shallow === 'true', bare, headBranch, head })
}

const PARTS = [
  'rev-parse',
  '--path-format=absolute',
  '--show-object-format',
  '--is-shallow-repository',
  '--is-bare-repository',
  '--git-dir',
  '--git-common-dir',
  '--git-path',
  'objects',
]

function whyNoRepository(path: string, stderr: string): string {
  if (stderr.includes('dubious ownership')) {
    return `${path} belongs to another user, so git refuses to read it. If you trust it: git config --global --add safe.directory ${path}`
  }
  if (stderr.includes('not a git repository')) {
    return `${path} is not inside a git repository. Run \`git init\` and commit something, or name another folder with --repo.`
  }
  return `git cannot read ${path}: ${stderr.trim()}`
}
