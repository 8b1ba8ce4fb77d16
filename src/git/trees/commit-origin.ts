// The origin of a commit, as far as git knows. Only reads, with or without an engine at work.
import { COMMIT_PATTERN } from '../engine/ref-names.ts'
import { readTrailers, type Trailers } from '../landing/commit-message.ts'
import { type GitOptions, gitLines, gitText, isAncestor } from '../run/git.ts'

type CommitLine = { commit: string; author: string; at: number; subject: string }

export async function readCommit(
  place: GitOptions,
  commit: string,
): Promise<(CommitLine & { trailers: Trailers | null }) | null> {
  const args = ['log', '-1', '--no-show-signature', `--format=${FORMAT}%x00%B`, commit]
  const [line = '', message = ''] = (await gitText(args, { ...place, okCodes: [0, 128] })).split('\0')
  const found = parse(line)
  return found && { ...found, trailers: readTrailers(message) }
}

/** The newest commits, oldest first. Empty if one of the two does not exist any more. */
export async function commitsBetween(
  place: GitOptions,
  { from, to, chain = false }: { from: string; to: string; chain?: boolean },
): Promise<CommitLine[]> {
  const which = ['--topo-order', `--max-count=${MAX_COMMITS}`, ...(chain ? ['--first-parent'] : [])]
  const args = ['log', '--no-show-signature', `--format=${FORMAT}`, ...which, to, `^${from}`]
  const lines = await gitLines(args, { ...place, okCodes: [0, 128] })
  return lines.flatMap((line) => parse(line) ?? []).reverse()
}

export async function isPartOf(place: GitOptions, commit: string, later: string): Promise<boolean> {
  return isAncestor(commit, later, { ...place, okCodes: [0, 1, 128] })
}

/** The landing that brought a commit onto the branch: the first whose history has it. */
export async function landingWith(
  place: GitOptions,
  { commit, base, head, landings }: { commit: string; base: string; head: string; landings: ReadonlySet<string> },
): Promise<string | null> {
  const list = (...args: string[]) => gitLines(['rev-list', ...args], place)
  const later = new Set([commit, ...(await list('--ancestry-path', `${commit}..${head}`))])
  const chain = await list('--first-parent', '--reverse', `${base}..${head}`)
  return chain.find((one) => landings.has(one) && later.has(one)) ?? null
}

const FORMAT = '%H%x09%an%x09%ct%x09%s'
const MAX_COMMITS = 200

function parse(line: string): CommitLine | null {
  const [commit = '', author = '', seconds = '', ...subject] = line.trim().split('\t')
  if (!COMMIT_PATTERN.test(commit)) return null
  return { commit, author, at: Number(seconds) * 1000, subject: subject.join('\t') }
}

/** The branch that is checked out (or `HEAD`), and which of the commits are in it. Only reads. */
export async function headWith(
  cwd: string,
  commits: readonly string[],
): Promise<{ head: string; has: ReadonlySet<string> }> {
  const user: GitOptions = { cwd, config: 'user' }
  const has = new Set<string>()
  for (const commit of new Set(commits)) if (await isPartOf(user, commit, 'HEAD')) has.add(commit)
  const branch = await gitText(['symbolic-ref', '-q', '--short', 'HEAD'], { ...user, okCodes: [0, 1, 128] })
  return { head: branch || 'HEAD', has }
}
