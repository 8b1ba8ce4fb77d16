// Runs a command under a detached supervisor (supervisor-script.ts), and finds it again after a restart.
// States of a supervised command: running → ended (status.tmp) → published (exit) → done, or running → lost.
// `done` resolves once, and only when nothing of the command's tree is left: whoever gets it may reuse the worktree.
// Tolerated races: the engine dies at any moment (the supervisor goes on; `adopt` takes over); the supervisor is
// killed (its tree is ended, `lost`); a background process keeps the output open (ended after a short linger).
// After `release` this process neither watches nor ends the command; a later engine may adopt it. Each wait ends with a look for that.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Pause } from '../../async/pause.ts'
import { makeGroup, recordedGroup, removeGroup } from '../tree/control-group.ts'
import { endTree } from '../tree/end-tree.ts'
import { isAlive, isOfOtherNamespace, type ProcessIdentity, parseIdentity, processIdentity } from '../tree/identity.ts'
import { findSupervisor, isEmpty, type Tree } from '../tree/tree.ts'
import { type Ending, type Exit, isOutputLost, publishLost, publishStatus, readStatus } from './exit.ts'
import { outputPruner } from './read-output.ts'
import { startSupervisor } from './starter.ts'
import { HIDDEN_TOKEN_VARIABLE, supervisorArguments, TOKEN_VARIABLE } from './supervisor-script.ts'

export type Supervised = {
  /** The supervisor's process; 0: it could not be started. */
  pid: Promise<number>
  done: Promise<Exit>
  /** Ends the whole tree: SIGTERM, grace, SIGKILL. Resolves with `done`. May be called more than once. */
  stop(): Promise<void>
  /**
   * Lets go of the command, whatever its state, for another process to adopt. Afterwards nothing of it is ended or
   * written from here, nothing keeps this process alive, and neither `done` nor `stop` resolves any more.
   */
  release(): void
}

export type Bounds = { chunkBytes: number; maxBytes: number; graceMs: number }

type SuperviseSpec = Bounds & {
  /** Absolute, exists, and used for this command only. */
  dir: string
  cwd: string
  argv: string[]
  stdin: string | null
  /** All variables, besides PWD and its token. Names must be those a shell can have. */
  env: Record<string, string>
  token: string
  stderr: 'merge' | 'separate'
  /** No control group, which takes some ms to enter: for commands that are not an agent's. */
  plain?: boolean
}

export function supervise(spec: SuperviseSpec): Supervised {
  const pause = new Pause()
  return watch(start(spec, pause), spec, pause)
}

/** A command that is watched, or the exit of one that was never started. */
type Begun = { tree: Tree; pid: number; alive: () => boolean; unref: () => void } | { exit: Exit }

async function start(spec: SuperviseSpec, pause: Pause): Promise<Begun> {
  const { dir, token } = spec
  // A supervisor with the token would be ended with its command, and could not say how it ended.
  const { [TOKEN_VARIABLE]: _, ...others } = spec.env
  const env = { ...others, [HIDDEN_TOKEN_VARIABLE]: token }
  const group = spec.plain ? null : makeGroup(dir, token)
  const engine = processIdentity(process.pid)
  const started = await startSupervisor({ args: supervisorArguments({ ...spec, group, engine }), cwd: dir, env })
  if (started.kind === 'failed') return notStarted(spec, started.message)
  if (started.kind === 'unknown') {
    for (let looks = 0; !existsSync(join(dir, 'supervisor')) && looks < LIMITS.startLooks; looks++)
      await pause.take(LIMITS.lookMs)
    const found = await find(dir, token, pause)
    return found ?? notStarted(spec, 'the process that starts others was ended')
  }
  const { pid, identity, ended, unref } = started.process
  const tree = { token, dir, supervisor: identity }
  let alive = () => true
  ended.then((how) => {
    alive = how === 'ended' ? () => false : () => identity !== null && isAlive(identity)
    pause.cutShort()
  })
  return { tree, pid, alive: () => alive(), unref }
}

/**
 * Takes up a command that an earlier engine started in `dir`: running, finished, or lost. Null: nothing was ever
 * started there, and from now on nothing will be.
 */
export async function adopt(dir: string, token: string, bounds: Bounds): Promise<Supervised | null> {
  const pause = new Pause()
  const found = await find(dir, token, pause)
  return found && watch(Promise.resolve(found), bounds, pause, isLost(dir, found))
}

/**
 * Whether a signal that ended the command after its supervisor was lost may have been the engine's, which ends the rest
 * of a lost one: no later engine can tell.
 */
function isLost(dir: string, found: Begun): boolean {
  const status = readStatus(dir)
  return !('exit' in found) && !found.alive() && status?.final === false && status.ending.kind === 'signalled'
}

/** Whether the command in `dir` goes on. False: it ended, or was lost at a power cut. */
export function goesOn(dir: string): boolean {
  const supervisor = readIdentity(dir)
  return readStatus(dir) === null && supervisor !== null && isAlive(supervisor)
}

/** Whether it was started in another PID namespace, so that nobody here can know whether it goes on. */
export function isOutOfSight(dir: string): boolean {
  const file = join(dir, 'supervisor')
  return readStatus(dir) === null && existsSync(file) && isOfOtherNamespace(readFileSync(file, 'utf8'))
}

async function find(dir: string, token: string, pause: Pause): Promise<Begun | null> {
  const file = join(dir, 'supervisor')
  try {
    writeFileSync(file, '{}\n', { flag: 'wx' })
    removeGroupOf({ dir, token })
    return null
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null // no folder, so no supervisor that could work in it
    if (code !== 'EEXIST') throw error
  }
  let text = readFileSync(file, 'utf8')
  // Empty for the instant between its creation and its first byte.
  for (let looks = 0; text === '' && looks < LIMITS.identityLooks; looks++) {
    await pause.take(LIMITS.lookMs)
    text = readFileSync(file, 'utf8')
  }
  const supervisor = parseIdentity(text)
  if (!supervisor && text.startsWith('{}')) return null
  const alive = () => supervisor !== null && isAlive(supervisor)
  return { tree: { token, dir, supervisor }, pid: supervisor?.pid ?? 0, alive, unref: () => {} }
}

const LIMITS = {
  lookMs: 100,
  /** For background processes after the command has ended. */
  lingerMs: 500,
  identityLooks: 20,
  startLooks: 20,
}

function watch(begun: Promise<Begun>, bounds: Bounds, pause: Pause, isLost = false): Supervised {
  const released = new AbortController()
  let stopping = false
  const done = begun
    .then((one) => {
      released.signal.throwIfAborted()
      return 'exit' in one ? one.exit : untilDone({ ...one, isLost }, bounds, pause, () => stopping, released.signal)
    })
    .catch((error) => {
      if (released.signal.aborted) return new Promise<never>(() => {})
      throw error
    })
  return {
    pid: begun.then((one) => ('exit' in one ? 0 : one.pid)),
    done,
    async stop() {
      stopping = true
      pause.cutShort()
      await done
    },
    release() {
      released.abort()
      void begun.then((one) => ('exit' in one ? null : one.unref()))
      pause.cutShort()
    },
  }
}

/** Rejects when it was released. */
async function untilDone(
  { tree, alive, isLost }: { tree: Tree; alive: () => boolean; isLost: boolean },
  bounds: Bounds,
  pause: Pause,
  stopping: () => boolean,
  released: AbortSignal,
): Promise<Exit> {
  const { dir } = tree
  const prune = outputPruner(dir, bounds)
  const commandEnded = () => readStatus(dir) !== null
  let ended = 0
  let survivors: number[] = []
  let lingerUntil: number | null = null
  let lost = isLost
  for (;;) {
    prune()
    // In this order: a supervisor that ends between the two looks has left its status.
    const supervised = alive()
    const status = readStatus(dir)
    const over = !supervised || status?.final === true
    // From here on the command's end is our own doing.
    if (!supervised && !status) lost = true
    // Without a status the rest of a killed supervisor may be about to start the command.
    const mayBegin = () => status === null && findSupervisor(tree).length > 0
    if (over && !mayBegin() && isEmpty(tree)) break
    if (status) lingerUntil ??= performance.now() + LIMITS.lingerMs
    const lingering = lingerUntil !== null && performance.now() < lingerUntil
    if (stopping() || (!lingering && (over || status))) {
      const end = await endTree(tree, bounds.graceMs, { commandEnded, abandon: released })
      if (status || !stopping()) ended = end.ended
      survivors = end.survivors
      break
    }
    await pause.take(LIMITS.lookMs)
    released.throwIfAborted()
  }
  released.throwIfAborted()
  prune()
  removeGroupOf(tree)
  if (lost && readIdentity(dir)) publishLost(dir)
  else publishStatus(dir)
  const { ending, endedAt } = readStatus(dir) ?? { ending: withoutStatus(dir), endedAt: Date.now() }
  return { ...ending, endedAt, leftovers: ended, survivors, outputLost: isOutputLost(dir) }
}

function removeGroupOf(command: { dir: string; token: string }): void {
  const group = recordedGroup(command)
  if (group) removeGroup(group)
}

function withoutStatus(dir: string): Ending {
  if (readIdentity(dir)) return { kind: 'lost' }
  return { kind: 'unwritable', message: `nothing could be written to ${dir}` }
}

export function supervisorPid(dir: string): number | null {
  return readIdentity(dir)?.pid ?? null
}

function readIdentity(dir: string): ProcessIdentity | null {
  try {
    return parseIdentity(readFileSync(join(dir, 'supervisor'), 'utf8'))
  } catch {
    return null
  }
}

function notStarted(spec: SuperviseSpec, message: string): Begun {
  removeGroupOf(spec)
  const nothing = { endedAt: Date.now(), leftovers: 0, survivors: [], outputLost: false }
  return { exit: { kind: 'spawn-failed', message, ...nothing } }
}
