// The engine's repository, shared with coordinators on other machines: a bare repository at a path or a git remote.
// Each coordinator keeps its own engine.git, which is fast and borrows the objects of its user's repository; every ref
// moves in the shared one first, by compare-and-swap, with its objects. So a new leader has all that the journal names,
// and of two that believe to lead only one moves a branch.
import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { GitFailure, type GitOptions, git, gitLines, gitText } from '../run/git.ts'
import { type EngineRepository, inEngine } from './engine-repository.ts'
import { fleetRefs } from './ref-names.ts'

const REFS = ['refs/heads/espalier/*', 'refs/espalier/runs/*']

/** Fetches what other coordinators have kept and pushes what only this one has, when it begins to lead. */
export async function shareRefs(engine: EngineRepository): Promise<string | null> {
  const { shared, user } = engine
  if (shared === null) return null
  try {
    if (isAbsolute(shared) && !existsSync(shared))
      await git(['init', '-q', '--bare', `--object-format=${user.objectFormat}`, '--', shared])
    await fetchShared(engine, ...REFS)
    // By patterns: a list of thousands is longer than a command may be. A pattern that matches nothing is an error.
    for (const ref of REFS)
      if (await hasRef(engine, ref))
        await git(['push', '--quiet', '--no-verify', '--', shared, `${ref}:${ref}`], reaching(engine))
    return null
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    return `the engine repository ${withoutPassword(shared)} cannot be used (${lastLine(error)}): name a bare repository that all coordinators reach`
  }
}

async function hasRef(engine: EngineRepository, pattern: string): Promise<boolean> {
  const args = ['for-each-ref', '--count=1', '--format=%(refname)', pattern.replace(/\/\*$/, '')]
  return (await gitText(args, inEngine(engine))) !== ''
}

export async function fetchShared(engine: EngineRepository, ...refs: string[]): Promise<void> {
  if (engine.shared === null) return
  const wanted = refs.map((ref) => `+${ref}:${ref}`)
  await git(
    ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--', engine.shared, ...wanted],
    reaching(engine),
  )
}

/** Fetches all refs of coordinators and those given to the workers of a run. */
export function fetchForWorkers(engine: EngineRepository, run: string): Promise<void> {
  return fetchShared(engine, ...REFS, `${fleetRefs(run)}given/*`)
}

/** Fetches the commit of a ref without the ref. */
export async function fetchCommitOf(engine: EngineRepository, ref: string): Promise<void> {
  if (engine.shared === null) return
  const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--', engine.shared, ref]
  await isDone(engine, args, /couldn't find remote ref/)
}

/** False: the ref has another value there. */
export async function pushShared(
  engine: EngineRepository,
  { ref, to, from }: { ref: string; to: string; from?: string | null | undefined },
): Promise<boolean> {
  if (engine.shared === null) return true
  const lease = from === undefined ? '--force' : `--force-with-lease=${ref}:${from ?? ''}`
  const args = ['push', '--quiet', '--no-verify', '--porcelain', lease, '--', engine.shared, `${to}:${ref}`]
  return isDone(engine, args, /^!.*\[(rejected|remote rejected)\]/m)
}

/** False: the other side refuses. Tries for a while if it cannot be reached. */
async function isDone(engine: EngineRepository, args: readonly string[], refusal: RegExp): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    const { code, stdout, stderr } = await git(args, { ...reaching(engine), okCodes: [0, 1, 128] })
    if (code === 0) return true
    if (refusal.test(`${stdout}\n${stderr}`)) return false
    if (tries === TRIES) throw new GitFailure(args, code, stderr)
    await wait(WAIT_MS * tries)
  }
}

/** Deletes refs of removed runs. If it fails, the next removal of such a run does it. */
export async function deleteShared(engine: EngineRepository, patterns: readonly string[]): Promise<void> {
  if (engine.shared === null) return
  // Servers of other machines have put refs there that are not here.
  const args = ['ls-remote', '--quiet', '--refs', '--', engine.shared, ...patterns]
  const options = { ...reaching(engine), okCodes: [0, 1, 2, 128] }
  const refs = (await gitLines(args, options)).flatMap((line) => line.split('\t')[1] ?? [])
  for (let position = 0; position < refs.length; position += AT_ONCE) {
    const removed = refs.slice(position, position + AT_ONCE).map((ref) => `:${ref}`)
    await git(['push', '--quiet', '--no-verify', '--', engine.shared, ...removed], options)
  }
}

/** Options with the user's own way to reach other machines (ssh, credentials), and no hooks. */
function reaching(engine: EngineRepository): GitOptions {
  return { ...inEngine(engine), config: 'user' }
}

function withoutPassword(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/@:]*):[^/@]*@/i, '$1@')
}

function lastLine({ stderr, message }: GitFailure): string {
  return withoutPassword(stderr.trim().split('\n').at(-1) || message)
}

const AT_ONCE = 500
const TRIES = 6
const WAIT_MS = 500
