// A worktree of the pool and the commands that run in it, one after the other: prepare, setup, commands, stop, let go.
// Attempts and verifications are made of this.
//
// Properties
// - A stop can come at any moment: it ends the process tree of the command that runs, and none starts any more.
// - After `letGo` nothing is touched: the command goes on under its supervisor for the next engine.
// - Each command has a folder for its output (workspace/state-folder.ts), made anew: after a restart it runs
//   from the start.
// - Machine trouble is nobody's failure: it is thrown, and everything stays to be taken up.

import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { untilAborted } from '../async/until-aborted.ts'
import { LIMITS, type Settings } from '../config.ts'
import type { Check, Failure } from '../event.ts'
import type { FailureReason } from '../failure.ts'
import { removeTree } from '../files/remove-tree.ts'
import { DiskTrouble, isMachineTrouble, shortageIn } from '../git/run/machine-trouble.ts'
import { markOwnSetup, markSetup, type PrepareOptions, prepare, setupKey } from '../git/slots/prepare-slot.ts'
import type { Slot } from '../git/slots/slot.ts'
import { agentEnvironment } from '../process/environment.ts'
import type { Exit } from '../process/supervise/exit.ts'
import { readTail } from '../process/supervise/read-output.ts'
import { adopt, type Bounds, type Supervised, supervise } from '../process/supervise/supervise.ts'
import { cut } from '../text/cut.ts'
import { tellingEnd } from '../text/telling-lines.ts'
import { isCheckOf, type StepKind, stepName, temporaryFolder } from '../workspace/state-folder.ts'
import { describeExit, notesOf } from './exit-failures.ts'

const GONE = 'that folder was removed while the run worked'

type StepPlace = {
  slot: Slot
  /** Folder for the output of the commands. */
  root: string
  token: string
  settings: Pick<Settings, 'graceMs' | 'keep' | 'logs' | 'setup' | 'setupInputs'>
}

type Preparation = Pick<PrepareOptions, 'branch' | 'include' | 'keepIgnored' | 'freshSetup' | 'fresh'> & {
  commit: string
  /** The commit the run began with. */
  runBase: string
  /** Setup of the task itself, after that of the run. */
  ownSetup?: readonly string[] | undefined
}

type Commands = {
  kind: StepKind
  env: Record<string, string>
  /** Number of earlier commands of this kind. */
  before?: number
  iteration?: number
}

/** `command`: in the words of its author. */
type Command = {
  command: string
  argv: readonly string[]
  env: Record<string, string>
  stderr?: 'merge' | 'separate'
}

type Ended = (kind: StepKind, check: Check, exit: Exit) => void

export class Steps {
  readonly #place: StepPlace
  readonly #ended: Ended
  readonly #released = new AbortController()
  #step: Supervised | null = null
  stopping: Failure | null = null
  /** The newest that was started. */
  command: string | null = null
  /** Remarks on the commands, for a person, besides their failures. */
  readonly notes: string[] = []

  constructor(place: StepPlace, ended: Ended) {
    this.#place = place
    this.#ended = ended
  }

  get released(): AbortSignal {
    return this.#released.signal
  }

  /** The first reason counts. `first`: awaited before the running command is ended. */
  stop(why: Failure, first?: Promise<void>): void {
    this.stopping ??= why
    const step = this.#step
    if (!first) void step?.stop()
    else void first.finally(() => (this.released.aborted ? undefined : step?.stop()))
  }

  letGo(): void {
    this.#released.abort()
    this.#step?.release()
  }

  /**
   * Runs `work`. On machine trouble it is not over: somebody takes it up, unless `isLast`. `salvage`: called once
   * nothing of it runs any more.
   */
  async carryOut<T>(work: () => Promise<T>, { salvage = async () => {}, isLast = false } = {}): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (isMachineTrouble(error) && !isLast) this.letGo()
      if (!this.released.aborted) {
        await this.#step?.stop()
        await salvage()
      }
      throw error
    } finally {
      // Best effort: this never decides about the work.
      if (!this.released.aborted) await removeTree(temporaryFolder(this.#place.token)).catch(() => {})
    }
  }

  /** Puts the commit into the worktree and runs setup. `environment`: asked once the worktree's place is known. */
  async prepare(
    { commit, runBase, ownSetup, ...options }: Preparation,
    environment: () => Commands['env'],
  ): Promise<Failure | null> {
    const { slot, token, settings } = this.#place
    if (this.stopping) return this.stopping
    await mkdir(temporaryFolder(token), { recursive: true, mode: 0o700 })
    const key = await setupKey(slot.engine, settings, { runBase, commit })
    const prepared = await prepare(slot, commit, { ...options, keep: settings.keep, setupKey: key })
    const env = environment()
    if (prepared.needsSetup && key !== null) {
      const failure = await this.run(settings.setup, { kind: 'setup', env })
      if (failure) return failure
      await markSetup(slot, key)
    }
    if (!ownSetup) return null
    const failure = await this.run(ownSetup, { kind: 'setup', env, before: settings.setup.length })
    if (!failure) await markOwnSetup(slot)
    return failure
  }

  async run(commands: readonly string[], { kind, env, before = 0, iteration }: Commands): Promise<Failure | null> {
    for (const [index, command] of commands.entries()) {
      this.released.throwIfAborted()
      if (this.stopping) return this.stopping
      const dir = join(this.#place.root, stepName(kind, before + index + 1, iteration))
      const startedAt = Date.now()
      const exit = await this.exitOf(await this.#start(dir, { command, argv: shellArgs(command), env }), dir)
      if (this.stopping) return this.stopping
      const failure = await commandFailure(dir, command, `${kind}-failed`, exit)
      const durationMs = Math.max(0, exit.endedAt - startedAt)
      this.#ended(kind, { command, durationMs, passed: failure === null }, exit)
      if (failure) return failure
    }
    return null
  }

  /** Runs one command in a folder of its own, or takes up that of an earlier engine: it never starts twice. */
  async once(name: string, command: Command): Promise<{ dir: string; exit: Exit }> {
    this.released.throwIfAborted()
    const dir = join(this.#place.root, name)
    const begun = await this.adopt(dir)
    return { dir, exit: await this.exitOf(begun ?? (await this.#start(dir, command)), dir) }
  }

  /** Whether `once` would take up something, or has it done already. */
  hasBegun(name: string): boolean {
    return existsSync(join(this.#place.root, name, 'supervisor'))
  }

  async #start(dir: string, { command, argv, env, stderr = 'merge' }: Command): Promise<Supervised> {
    this.command = command
    await rm(dir, { recursive: true, force: true })
    await mkdir(dir, { recursive: true, mode: 0o700 })
    return this.supervise({ dir, cwd: this.#place.slot.path, argv: [...argv], stdin: null, env, stderr, plain: true })
  }

  supervise(command: Omit<Parameters<typeof supervise>[0], 'token' | keyof Bounds>): Supervised {
    const { token, settings } = this.#place
    return this.#attend(supervise({ ...command, token, ...bounds(settings) }))
  }

  /** Takes up the command that an earlier engine started in `dir`; null: none. */
  async adopt(dir: string): Promise<Supervised | null> {
    const step = await adopt(dir, this.#place.token, bounds(this.#place.settings))
    return step && this.#attend(step)
  }

  /** A stop or `letGo` may have come while it was being started. */
  #attend(step: Supervised): Supervised {
    this.#step = step
    if (this.released.aborted) step.release()
    else if (this.stopping) void step.stop()
    return step
  }

  /** `done`: the end of the step, also awaited by the caller. */
  async exitOf(step: Supervised, dir: string, done = step.done): Promise<Exit> {
    const exit = await untilAborted(this.released, done)
    this.#step = null
    if (exit.kind === 'unwritable') {
      // Nothing of it ran, so nothing of it is to be adopted: it is started when there is room.
      await rm(dir, { recursive: true, force: true })
      throw new DiskTrouble(exit.message, existsSync(this.#place.root) ? undefined : GONE)
    }
    const shortage = exit.kind === 'spawn-failed' ? shortageIn(exit.message) : null
    if (shortage !== null) {
      await rm(dir, { recursive: true, force: true })
      throw shortage
    }
    this.notes.push(...notesOf(exit))
    return exit
  }

  /**
   * Ends commands of an earlier engine, which may still write to the worktree, and returns whether there were any. Only
   * for an iteration whose agent is not at work: the processes of an attempt share a token.
   */
  async endLeftovers(kind: StepKind, iteration = 1): Promise<boolean> {
    const { root, token, settings } = this.#place
    const names = (await readdir(root).catch(() => [])).filter((name) => isCheckOf(name, kind, iteration))
    for (const name of names) await (await adopt(join(root, name), token, bounds(settings)))?.stop()
    return names.length > 0
  }
}

/**
 * A command that ends in `| tail` or `| head` would exit with 0 whatever went wrong before that. With bash it exits
 * with the status of what failed; being cut short by `head` (141) is no failure.
 */
function shellArgs(command: string): string[] {
  return ['sh', '-c', /\|[ \t]*(?:tail|head|tee|cat)\b[^|;&\n]*$/.test(command) ? PIPE_FAILS : command, command]
}

const PIPE_FAILS =
  'command -v bash >/dev/null || exec sh -c "$0"; bash -o pipefail -c "$0"; status=$?; [ $status -ne 141 ] || exit 0; exit $status'

/** `own`: variables of the attempt or verification. */
export function stepEnvironment(
  place: Pick<StepPlace, 'slot' | 'token'> & {
    run: string
    settings: Pick<Settings, 'envAllow' | 'maxConcurrency' | 'ports'>
    environment: NodeJS.ProcessEnv
  },
  allow: readonly string[],
  own: Record<string, string>,
): Record<string, string> {
  const { slot, token, run, settings, environment } = place
  const { first, perSlot } = settings.ports
  const position = portPlace(slot, settings.maxConcurrency)
  return agentEnvironment(environment, [...settings.envAllow, ...allow], {
    ...own,
    TMPDIR: temporaryFolder(token),
    ESPALIER_RUN: run,
    ESPALIER_WORKTREE: slot.path,
    ESPALIER_PORT: String(first + position * perSlot),
    ESPALIER_PORT_LAST: String(first + (position + 1) * perSlot - 1),
  })
}

/** Verifications have ports after those of the attempts, and slots added during the run come last. */
function portPlace({ kind, number }: Slot, maxConcurrency: number): number {
  if (kind === 'verification') return maxConcurrency + number - 1
  return number > maxConcurrency ? number + LIMITS.window - 1 : number - 1
}

/** Null: it passed. */
export async function commandFailure(
  dir: string,
  command: string,
  reason: FailureReason,
  exit: Exit,
): Promise<Failure | null> {
  if (exit.kind === 'exited' && exit.code === 0) return null
  // No work is to blame for a command whose end nobody knows.
  if (exit.kind === 'lost') return { reason: 'supervisor-lost', message: `nobody knows how \`${command}\` ended` }
  const output = `${await readTail(dir, READ_BYTES)}${await readTail(dir, READ_BYTES, 'errors')}`
  const tail = tellingEnd(output, TAIL_CHARS)
  return { reason, message: `\`${cut(command, COMMAND_CHARS)}\` ${describeExit(exit)}${tail ? `:\n${tail}` : ''}` }
}

// Together less than LIMITS.messageChars.
const TAIL_CHARS = 1_500
/** The error may stand far above the end of the output. */
const READ_BYTES = 256_000
const COMMAND_CHARS = 300

function bounds({ logs, graceMs }: Pick<Settings, 'logs' | 'graceMs'>): Bounds {
  return { chunkBytes: logs.chunkBytes, maxBytes: logs.maxBytes, graceMs }
}
