// Places of all files of one repository's runs: beside the checkout, never inside it.
// Names of the folders in which commands of an attempt leave their output: `setup-1`, `work`, `verify-1`; where the agent
// was asked to go on: `work-2`, `verify-2.1`. For a candidate that is judged: `gate-1`, `score-1`.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { LIMITS } from '../config.ts'
import { namesIn, textIn } from '../files/if-there.ts'
import { writeAtomically } from '../files/write-atomically.ts'

export type StateFolder = ReturnType<typeof stateFolder>

/** `store`: the named one; default: the one that was used last, or the file in the folder. */
export function stateFolder(top: string, stateDir: string | null, store: string | null = null) {
  const root = stateDir === null ? defaultRoot(top) : resolve(top, stateDir)
  return {
    root,
    /** Opened by `openStore`: a file in it, or the URL of a store on Postgres, which may hold a password. */
    database: store ?? notedStore(root) ?? ownStore(root),
    lock: join(root, 'engine.lock'),
    runs: join(root, 'runs'),
    reports: join(root, 'reports'),
    /** Worktrees in which people resolve conflicts, and notes about them. */
    resolving: join(root, 'resolving'),
    /** Worktrees that people have opened to look at the work of a task, by run. */
    opened: join(root, 'opened'),
    /** Here an agent makes a plan; empty while none does. */
    planning: join(root, 'planning'),
    upkeep: join(root, 'upkeep.json'),
  }
}

/**
 * Linked worktrees of a repository share its refs, so they share the engine and all it knows (I16): the folder lies beside
 * the main checkout, or beside the git directory if that is bare or elsewhere.
 */
function defaultRoot(top: string): string {
  const [, gitDir] = /^gitdir: (.+)$/m.exec(textIn(join(top, '.git'))) ?? []
  if (gitDir === undefined) return `${top}.espalier` // a folder, as in most main checkouts
  const own = resolve(top, gitDir)
  return besideRepository(resolve(own, textIn(join(own, 'commondir')).trim()))
}

/** A submodule is a repository of its own. Its folder has the place in that of its superproject that its git directory has there. */
function besideRepository(gitDir: string): string {
  if (basename(gitDir) === '.git') return `${dirname(gitDir)}.espalier`
  for (let around = dirname(gitDir); around !== dirname(around); around = dirname(around))
    if (existsSync(join(around, 'HEAD')) && existsSync(join(around, 'objects')))
      return join(besideRepository(around), relative(around, gitDir))
  const [, worktree] = /^\s*worktree\s*=\s*"?([^"\n]+)"?\s*$/m.exec(textIn(join(gitDir, 'config'))) ?? []
  return `${worktree === undefined ? gitDir : resolve(gitDir, worktree)}.espalier`
}

export type AttemptFolder = ReturnType<typeof attemptFolder>

/** Files of one attempt. The agent's own have a folder, so that none is taken for the engine's. */
export function attemptFolder(folder: StateFolder, run: string, task: string, attempt: number) {
  const root = join(folder.runs, run, task, String(attempt))
  return {
    root,
    /** ESPALIER_LOG_DIR. */
    files: join(root, 'files'),
    /** The worktree of an entry of a suite that failed, as it was. */
    kept: join(root, 'kept'),
    /** Collected files: those that its task names, and JUnit XML. */
    artifacts: join(root, 'artifacts'),
    junit: join(root, 'junit'),
    mayWrite: join(root, 'may-write.json'),
    /** Questions of its agent to the task manager, if that is on another machine; else missing. */
    asks: join(root, 'asks'),
    /** The conversation of an interrupted attempt that it continues; missing if it begins one. */
    conversation: join(root, 'conversation.json'),
    /** The names of the lessons in its prompt; missing if there are none. */
    lessons: join(root, 'lessons.json'),
    /** In a search: the file of the idea that is tried, by its path, and the folder for ideas that are proposed. */
    idea: (path: string) => join(root, 'idea', basename(path)),
    ideas: join(root, 'ideas'),
    /** Fingerprint of a candidate's setup before anything ran; only where one is judged. */
    setupPrint: join(root, 'setup-print'),
    step: (name: string) => join(root, name),
    /** Folder of one process of the agent, from 1; there are more if it was asked to go on. */
    iteration: (number: number) => iterationFolder(root, number),
  }
}

/** Every attempt that has a folder: there are many. */
export function* attemptsIn(folder: StateFolder): Generator<{ run: string; task: string; attempt: string }> {
  for (const run of namesIn(folder.runs))
    for (const task of namesIn(join(folder.runs, run)))
      for (const attempt of namesIn(join(folder.runs, run, task))) yield { run, task, attempt }
}

export type IterationFolder = ReturnType<typeof iterationFolder>

function iterationFolder(root: string, number: number) {
  const suffix = number === 1 ? '' : `-${number}`
  return {
    number,
    promptFile: join(root, `prompt${suffix}.md`),
    /** Written once the worktree is ready for the agent: from then on its content is the agent's work. */
    prepared: join(root, `prepared${suffix}`),
    work: join(root, workName(number)),
    snapshot: join(root, `snapshot${suffix}.json`),
    /** Why the engine ended the agent because of its output, if it did. */
    ending: join(root, `ending${suffix}.json`),
    /** How the conversation ended, if the agent's program says so. */
    sessionEnd: join(root, workName(number), 'session-end.json'),
  }
}

/** The iteration that runs, ran last, or is to be started. */
export function newestIteration(folder: AttemptFolder): IterationFolder {
  let newest = folder.iteration(1)
  while (newest.number < LIMITS.iterations) {
    const next = folder.iteration(newest.number + 1)
    if (!existsSync(next.prepared)) break
    newest = next
  }
  return newest
}

/** Output of one verification of the landing queue. No task has a name like that. */
export function verificationFolder(folder: StateFolder, run: string, number: number): string {
  return join(folder.runs, run, LANDING, String(number))
}

export function verificationToken(run: string, seed: number, number: number): string {
  return attemptToken(run, seed, LANDING, number)
}

const LANDING = '_landing'

/** Carried by every process of an attempt, and the same after a restart. The seed tells runs of the same name apart. */
export function attemptToken(run: string, seed: number, task: string, attempt: number): string {
  return createHash('sha256').update([run, seed, task, attempt].join('\0')).digest('hex').slice(0, 32)
}

/** TMPDIR of an attempt: short, because sockets are made in it; outside the state folder, because it is thrown away. */
export function temporaryFolder(token: string): string {
  return join(tmpdir(), `espalier-${token.slice(0, 12)}`)
}

// The store of a state folder, if that is not the file in it: `store.json`. Written by the engine, so that every other
// command finds the store by the folder alone. It may hold a password: only its owner can read it.

/** Null: the file in the folder. */
export function notedStore(root: string): string | null {
  try {
    const { store } = JSON.parse(readFileSync(storeNote(root), 'utf8')) as { store?: unknown }
    return typeof store === 'string' ? store : null
  } catch {
    return null
  }
}

export async function noteStore(root: string, store: string): Promise<void> {
  if (notedStore(root) === store) return
  if (store === ownStore(root)) await rm(storeNote(root), { force: true })
  else await writeAtomically(storeNote(root), `${JSON.stringify({ store })}\n`)
}

export function ownStore(root: string): string {
  return join(root, 'state.db')
}

export function storeNote(root: string): string {
  return join(root, 'store.json')
}

export type StepKind = 'setup' | 'verify'

export function stepName(kind: StepKind | 'gate' | 'score', number: number, iteration = 1): string {
  return iteration === 1 ? `${kind}-${number}` : `${kind}-${iteration}.${number}`
}

function workName(iteration: number): string {
  return iteration === 1 ? 'work' : `work-${iteration}`
}

export function isWork(step: string): boolean {
  return /^work(-\d+)?$/.test(step)
}

/** Sorted by the order in which they ran; other folders are left out. */
export async function stepsIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => [])
  const steps = entries.flatMap((entry) => (entry.isDirectory() ? (parse(entry.name) ?? []) : []))
  const rank = ({ kind }: Parsed) => KINDS.indexOf(kind)
  steps.sort((a, b) => a.iteration - b.iteration || rank(a) - rank(b) || a.number - b.number)
  return steps.map(({ name }) => name)
}

export function isCheckOf(name: string, kind: StepKind, iteration: number): boolean {
  const step = parse(name)
  return step?.kind === kind && step.iteration === iteration
}

const KINDS = ['setup', 'gate', 'score', 'work', 'verify']

type Parsed = { name: string; kind: string; iteration: number; number: number }

function parse(name: string): Parsed | null {
  const [, kind = '', first = '1', second] = /^(setup|gate|score|work|verify)(?:-(\d+)(?:\.(\d+))?)?$/.exec(name) ?? []
  if (kind === '') return null
  if (kind === 'work' || second !== undefined)
    return { name, kind, iteration: Number(first), number: Number(second ?? 1) }
  return { name, kind, iteration: 1, number: Number(first) }
}
