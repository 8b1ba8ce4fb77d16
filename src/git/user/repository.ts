// The user's repository: looked at, never changed here. What Espalier cannot work with is refused before anything
// starts, with the reason and what to do.
import { readFile, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { ok, type Problem, problem, type Result, refuse } from '../../problem.ts'
import { COMMIT_PATTERN } from '../engine/refs.ts'
import { GitFailure, type GitOptions, git, gitText } from '../run/git.ts'
import { type CheckoutSettings, checkoutSettings, globalFile, isTrue, parseConfig, type UserConfig } from './config.ts'
import { findFilters } from './filters.ts'

export type Identity = { name: string; email: string }

export type UserRepository = {
  /** The checkout; of a bare repository the repository itself. */
  top: string
  /** Of the checkout: in a linked worktree this differs from `commonDir`, which has the refs and objects. */
  gitDir: string
  commonDir: string
  objectsDir: string
  objectFormat: 'sha1' | 'sha256'
  shallow: boolean
  bare: boolean
  /** Null while HEAD is detached. */
  headBranch: string | null
  head: string
  identity: Identity
  /** Whether their git signs commits off by itself. */
  signsOff: boolean
  /** Where their git looks for hooks, if that is a folder that is under version control: from the top, with `/`. */
  hooks: string | null
  submodules: boolean
  sparse: boolean
  /** How files look on disk, from the user's configuration. */
  checkout: CheckoutSettings
  /** Ignore patterns that are not part of the repository: the user's own and those of `info/exclude`. */
  excludes: string
  warnings: Problem[]
}

const MINIMUM_GIT = [2, 38] as const

export async function inspect(path: string): Promise<Result<UserRepository>> {
  if (!(await stat(path).catch(() => null))?.isDirectory()) return refuse(`${path} is not a folder.`)
  const version = await gitText(['version'], { cwd: path }).catch(() => null)
  if (version === null) return refuse('git could not be started. Install git 2.38 or newer.')
  if (!isNewEnough(version)) return refuse(`${version} is too old: Espalier needs git 2.38 or newer (merge-tree).`)

  const user: GitOptions = { cwd: path, config: 'user' }
  const [layout, topOutcome, branch, head] = await Promise.all([
    git(LAYOUT, { ...user, okCodes: [0, 128] }),
    git(['rev-parse', '--show-toplevel'], { ...user, okCodes: [0, 128] }),
    git(['symbolic-ref', '-q', 'HEAD'], { ...user, okCodes: [0, 1, 128] }),
    git(['rev-parse', '-q', '--verify', 'HEAD^{commit}'], { ...user, okCodes: [0, 1, 128] }),
  ])
  if (layout.code !== 0) return refuse(whyNoRepository(path, layout.stderr))
  const lines = layout.stdout.toString('utf8').trimEnd().split('\n')
  const [objectFormat, shallow, bareText, gitDir, commonDir, objectsDir] = lines
  if (lines.length !== 6 || !gitDir || !commonDir || !objectsDir) {
    return refuse(
      `The path of ${path} has a line break in it, which git's own files cannot express. Move the repository.`,
    )
  }
  const bare = bareText === 'true'
  if (!bare && topOutcome.code !== 0) return refuse(`${path} is inside a git directory. Start in the checkout.`)
  if (objectFormat !== 'sha1' && objectFormat !== 'sha256') return refuse(`Unknown object format ${objectFormat}.`)
  const headRef = branch.code === 0 ? branch.stdout.toString('utf8').trim() : null
  if (head.code !== 0) {
    const where = headRef ? `The branch ${shortBranch(headRef)}` : 'The repository'
    return refuse(`${where} has no commit yet. Commit something first: a run starts from a commit.`)
  }

  const config = parseConfig((await git(['config', '--list', '-z'], user)).stdout)
  const top = bare ? gitDir : topOutcome.stdout.toString('utf8').replace(/\n$/, '')
  const { problems, warnings, submodules } = await contentOf(user, commonDir, config)
  if (problems.length > 0) return { ok: false, problems }
  return ok({
    top,
    gitDir,
    commonDir,
    objectsDir,
    objectFormat,
    shallow: shallow === 'true',
    bare,
    headBranch: headRef === null ? null : shortBranch(headRef),
    head: head.stdout.toString('utf8').trim(),
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

/** The commit a person means by `rev`, or a clear refusal. */
export async function resolveCommit(repo: UserRepository, rev: string): Promise<Result<string>> {
  if (rev === '' || rev.startsWith('-') || /[\0\n]/.test(rev))
    return refuse(`${JSON.stringify(rev)} is not a revision.`)
  const options = { cwd: repo.top, gitDir: repo.gitDir, config: 'user', okCodes: [0, 1, 128] } as const
  const { stdout } = await git(['rev-parse', '-q', '--verify', '--end-of-options', `${rev}^{commit}`], options)
  const commit = stdout.toString('utf8').trim()
  return COMMIT_PATTERN.test(commit) ? ok(commit) : refuse(`${rev} names no commit in ${repo.top}.`)
}

/** Where a branch of theirs is; null: there is none of that name. */
export async function branchCommit(repo: UserRepository, name: string): Promise<string | null> {
  const args = ['rev-parse', '-q', '--verify', `refs/heads/${name}^{commit}`]
  const { code, stdout } = await git(args, { gitDir: repo.commonDir, cwd: repo.commonDir, okCodes: [0, 1, 128] })
  return code === 0 ? stdout.toString('utf8').trim() : null
}

const LAYOUT = [
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

function shortBranch(ref: string): string {
  return ref.replace(/^refs\/heads\//, '')
}

function isNewEnough(version: string): boolean {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? []
  if (major === undefined || minor === undefined) return false
  return Number(major) > MINIMUM_GIT[0] || (Number(major) === MINIMUM_GIT[0] && Number(minor) >= MINIMUM_GIT[1])
}

function whyNoRepository(path: string, stderr: string): string {
  if (stderr.includes('dubious ownership')) {
    return `${path} belongs to another user, so git refuses to read it. If you trust it: git config --global --add safe.directory ${path}`
  }
  if (stderr.includes('not a git repository')) {
    return `${path} is not inside a git repository. Run \`git init\` and commit something, or name another folder with --repo.`
  }
  return `git cannot read ${path}: ${stderr.trim()}`
}

async function contentOf(user: GitOptions, commonDir: string, config: UserConfig) {
  const problems: Problem[] = []
  const warnings: Problem[] = []
  const promisor = [...config].some(([key, value]) => /^remote\..*\.promisor$/.test(key) && isTrue(value))
  if (promisor || config.has('extensions.partialclone')) {
    // Looking into its content could fetch from the network.
    problems.push(
      problem(
        'This is a partial clone: objects a task may need are not here. Run `git fetch --refetch --no-filter`, or use a full clone.',
      ),
    )
    return { problems, warnings, submodules: false }
  }
  const [filters, modules, blocking] = await Promise.all([
    findFilters(user, commonDir, config),
    gitText(['ls-tree', 'HEAD', '--', ':(top).gitmodules'], { ...user, okCodes: [0, 128] }).catch(failed),
    git(['show-ref', '--verify', '-q', 'refs/heads/espalier'], { ...user, okCodes: [0, 1, 128] }),
  ])
  problems.push(...filters.problems)
  warnings.push(...filters.warnings)
  if (blocking.code === 0) {
    problems.push(
      problem(
        'There is a branch named `espalier`, so git cannot make the branch espalier/<run> beside it. Rename it: git branch -m espalier my-espalier',
      ),
    )
  }
  if (modules !== '') {
    warnings.push(
      problem(
        'The repository has submodules. They are left empty in worktrees, and a task that changes one does not land.',
        {
          severity: 'warning',
        },
      ),
    )
  }
  return { problems, warnings, submodules: modules !== '' }
}

function failed(error: unknown): string {
  if (error instanceof GitFailure) return ''
  throw error
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
