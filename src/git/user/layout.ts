// Where the parts of the user's repository are, and what is checked out. Nothing is written.
import { ok, type Result, refuse } from '../../problem.ts'
import { type GitOptions, git } from '../run/git.ts'

export type Layout = {
  top: string
  /** Of the checkout: in a linked worktree this differs from `commonDir`, which has the refs and objects. */
  gitDir: string
  commonDir: string
  objectsDir: string
  objectFormat: 'sha1' | 'sha256'
  shallow: boolean
  bare: boolean
  headBranch: string | null
  head: string
}

export async function layoutOf(path: string, user: GitOptions): Promise<Result<Layout>> {
  const { code, stdout } = await git([...PARTS, '--show-toplevel', 'HEAD^{commit}', '--symbolic-full-name', 'HEAD'], {
    ...user,
    okCodes: [0, 128],
  })
  const lines = linesOf(stdout)
  const [top, head, headRef] = lines.slice(6)
  // One process for the usual case; what is unusual is asked about bit by bit, to say what is wrong.
  if (code !== 0 || lines.length !== 9 || !top || !head || !headRef) return unusualLayout(path, user)
  return layoutFrom(path, lines.slice(0, 6), top, headRef === 'HEAD' ? null : headRef, head)
}

async function unusualLayout(path: string, user: GitOptions): Promise<Result<Layout>> {
  const [parts, top, branch, head] = await Promise.all([
    git(PARTS, { ...user, okCodes: [0, 128] }),
    git(['rev-parse', '--show-toplevel'], { ...user, okCodes: [0, 128] }),
    git(['symbolic-ref', '-q', 'HEAD'], { ...user, okCodes: [0, 1, 128] }),
    git(['rev-parse', '-q', '--verify', 'HEAD^{commit}'], { ...user, okCodes: [0, 1, 128] }),
  ])
  if (parts.code !== 0) return refuse(whyNoRepository(path, parts.stderr))
  const topText = top.code === 0 ? top.stdout.toString('utf8').replace(/\n$/, '') : null
  const headRef = branch.code === 0 ? branch.stdout.toString('utf8').trim() : null
  const commit = head.code === 0 ? head.stdout.toString('utf8').trim() : null
  return layoutFrom(path, linesOf(parts.stdout), topText, headRef, commit)
}

function layoutFrom(
  path: string,
  lines: readonly string[],
  topText: string | null,
  headRef: string | null,
  head: string | null,
): Result<Layout> {
  const [objectFormat, shallow, bareText, gitDir, commonDir, objectsDir] = lines
  if (lines.length !== 6 || !gitDir || !commonDir || !objectsDir) {
    return refuse(
      `The path of ${path} has a line break in it, which git's own files cannot express. Move the repository.`,
    )
  }
  const bare = bareText === 'true'
  if (!bare && topText === null) return refuse(`${path} is inside a git directory. Start in the checkout.`)
  if (objectFormat !== 'sha1' && objectFormat !== 'sha256') return refuse(`Unknown object format ${objectFormat}.`)
  const headBranch = headRef?.replace(/^refs\/heads\//, '') ?? null
  if (head === null) {
    const where = headBranch ? `The branch ${headBranch}` : 'The repository'
    return refuse(`${where} has no commit yet. Commit something first: a run starts from a commit.`)
  }
  const top = bare || topText === null ? gitDir : topText
  const folders = { top, gitDir, commonDir, objectsDir }
  return ok({ ...folders, objectFormat, shallow: shallow === 'true', bare, headBranch, head })
}

function linesOf(stdout: Buffer): string[] {
  return stdout.toString('utf8').trimEnd().split('\n')
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
