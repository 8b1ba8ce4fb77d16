// The commit, or commits, that bring a merged tree onto the branch.
//
// Properties
// - The tree is the same in every mode. The last commit has it, and carries the trailers that name the tasks (I3).
// - Who made the commits keeps the name on them; the committer is always the user.
// - Only commits the engine makes are on the first-parent chain, so nothing an agent writes into a message counts there.
import { LIMITS, type Settings } from '../../config.ts'
import { type EngineRepository, inEngine } from '../engine/engine-repository.ts'
import { type Author, writeCommit } from '../engine/write-object.ts'
import { gitLines } from '../run/git.ts'
import { readObjects } from '../run/read-objects.ts'
import { checkDelta } from '../trees/tree-changes.ts'
import { treeOf } from '../trees/tree-of.ts'
import type { Identity } from '../user/repository.ts'
import { type CommitWords, commitMessage, isEngineMade, takenOver } from './commit-message.ts'
import { mergeSides } from './conflict-commit.ts'

export type MergeMode = Settings['landing']['merge']

type LandingCommit = {
  head: string
  work: string
  base: string
  /** The merged tree; null: the tree of the work. */
  tree: string | null
  message: string | CommitWords
  mode: MergeMode
}

export async function landingCommit(engine: EngineRepository, landing: LandingCommit): Promise<string> {
  const { head, work, message, mode } = landing
  const tree = landing.tree ?? (await treeOf(engine, work))
  if (mode === 'regular' || typeof message === 'string') {
    const text = typeof message === 'string' ? message : commitMessage(message)
    return writeCommit(engine, { tree, parents: [head, work], message: text })
  }
  const steps = mode === 'rebase' ? await replayCommits(engine, { ...landing, tree }) : null
  if (steps) return rebased(engine, head, steps, message)
  const [author, ...coAuthors] = await authorsOf(engine, landing)
  return writeCommit(engine, { tree, parents: [head], message: commitMessage({ ...message, coAuthors }), author })
}

async function rebased(
  engine: EngineRepository,
  head: string,
  steps: readonly Step[],
  words: CommitWords,
): Promise<string> {
  let top = head
  for (const [n, { tree, of }] of steps.entries()) {
    const message = takenOver(of.message, n === steps.length - 1 ? words : null, words.signOff ?? null)
    top = writeCommit(engine, { tree, parents: [top], message, author: of.author ?? undefined })
  }
  return top
}

/** Authors of the agent's own commits, each once, in order. None: the engine made all commits. */
async function authorsOf(
  engine: EngineRepository,
  { base, work }: { base: string; work: string },
): Promise<Identity[]> {
  const commits = await workCommits(engine, { base, work })
  const authors = new Map<string, Identity>()
  for (const { author, message } of commits ?? []) {
    if (author && !isEngineMade(message)) authors.set(author.email, authors.get(author.email) ?? nameOf(author))
  }
  return [...authors.values()]
}

function nameOf({ name, email }: Author): Identity {
  return { name, email }
}

// Replays an agent's commits one by one onto the branch, without a checkout: what `git rebase` would do.
// - What comes out is the tree that a merge of the whole work gives. Where the commits one by one lead elsewhere, or
//   one of them conflicts although their sum does not, nothing is replayed.
// - G3 holds for every commit: it changes no path that the commit it is made of did not change.
// - A commit that changes nothing is left out; work that has a merge in it is not replayed.

/** `of.tree` against `before` is the agent's change; `tree` against `onto` is the replayed one. */
type Step = { of: WorkCommit; before: string; onto: string; tree: string }

/** `tree`: the expected result. Null: the commits cannot be replayed. */
async function replayCommits(
  engine: EngineRepository,
  { head, base, work, tree }: { head: string; base: string; work: string; tree: string },
): Promise<Step[] | null> {
  const chain = await workCommits(engine, { base, work })
  if (!chain?.every(({ parents }, n) => parents.length === 1 && parents[0] === (chain[n - 1]?.commit ?? base)))
    return null
  const steps: Step[] = []
  let [onto, from] = await Promise.all([treeOf(engine, head), treeOf(engine, base)])
  for (const of of chain) {
    const next = of.tree === from ? onto : onto === from ? of.tree : await picked(engine, of, onto)
    if (next === null) return null
    if (next !== onto) steps.push({ of, before: from, onto, tree: next })
    onto = next
    from = of.tree
  }
  if (onto !== tree || steps.length === 0) return null
  return (await keepsDelta(engine, steps)) ? steps : null
}

/**
 * merge-tree finds the base itself (only git 2.40 can be told), so it gets a commit right after the base. Null: a
 * conflict.
 */
async function picked(engine: EngineRepository, of: WorkCommit, onto: string): Promise<string | null> {
  const parents = of.parents.slice(0, 1)
  const ours = writeCommit(engine, { tree: onto, parents, message: 'the branch\n' })
  const { tree, isClean } = await mergeSides(engine, ours, of.commit)
  return isClean ? tree : null
}

async function keepsDelta(engine: EngineRepository, steps: readonly Step[]): Promise<boolean> {
  for (const { of, before, onto, tree } of steps) {
    const { strange } = await checkDelta(engine, { landing: tree, head: onto, work: of.tree, base: before })
    if (strange.length > 0) return false
  }
  return true
}

type WorkCommit = {
  commit: string
  tree: string
  parents: string[]
  /** Null: git would refuse the name. */
  author: Author | null
  message: string
}

/** Commits after `base`, oldest first. Null: too many, or one is too large. */
export async function workCommits(
  engine: EngineRepository,
  { base, work }: { base: string; work: string },
): Promise<WorkCommit[] | null> {
  const max = LIMITS.replayedCommits + 1
  const args = ['rev-list', '--topo-order', `--max-count=${max}`, work, `^${base}`]
  const ids = await gitLines(args, inEngine(engine))
  if (ids.length === max) return null
  const objects = await readObjects(engine, ids, MAX_COMMIT_BYTES)
  const commits: WorkCommit[] = []
  for (const id of ids.reverse()) {
    const object = objects.get(id)
    if (!object) return null
    commits.push(parseCommit(id, object.toString('utf8')))
  }
  return commits
}

const MAX_COMMIT_BYTES = 1 << 20

function parseCommit(commit: string, text: string): WorkCommit {
  const end = text.indexOf('\n\n')
  const headers = (end < 0 ? text : text.slice(0, end)).split('\n')
  const all = (name: string) =>
    headers.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []))
  return {
    commit,
    tree: all('tree')[0] ?? '',
    parents: all('parent'),
    author: authorOf(all('author')[0] ?? ''),
    message: end < 0 ? '' : text.slice(end + 2),
  }
}

function authorOf(line: string): Author | null {
  const [, name = '', email = '', date] = /^(.*?) ?<([^>]*)>(?: (\d{1,12} [+-]\d{4}))?/.exec(line) ?? []
  if (/^[\s.,:;<>"\\']*$/.test(name)) return null
  return { name, email, date }
}
