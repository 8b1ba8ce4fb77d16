// One attempt, from its worktree to a commit: prepare, set up, work, snapshot, verify.
//
// Properties
// - The agent's work is safe in a ref before anything else happens to the worktree (I10), also when it failed.
// - Nothing of the attempt runs any more when its result is known (I9).
// - After a restart the same function takes over: what was started is adopted, never started twice (I2).
// - A stop can come at any moment; it ends the current step's process tree and decides the result. Only work that had
//   ended by itself before the stop counts: many programs answer SIGTERM with status 0.
// - What verify commands do to the worktree is never part of the work, also when the engine dies while they run.

import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { Agent, AgentReader, AgentResult, ProcessEnd } from '../agents/agent.ts'
import { buildPrompt, type Earlier } from '../agents/prompt.ts'
import { LIMITS, type Settings } from '../config.ts'
import type { Fact, StopReason } from '../event.ts'
import type { Failure } from '../failure.ts'
import type { EngineRepository } from '../git/engine-repository.ts'
import { markSetup, prepare } from '../git/pool.ts'
import { slotOf } from '../git/slot.ts'
import { type Snapshot, snapshot } from '../git/snapshot.ts'
import { writeAtomically } from '../git/write-atomically.ts'
import { agentEnvironment } from '../process/environment.ts'
import { type Exit, readStatus } from '../process/exit.ts'
import { lineSplitter } from '../process/lines.ts'
import { followOutput, readTail } from '../process/output.ts'
import { adopt, type Supervised, supervise } from '../process/supervise.ts'
import type { Outcome, Usage } from '../status.ts'
import type { Task } from '../task.ts'
import { type AttemptFolder, temporaryFolder } from './state-folder.ts'

export type AttemptSpec = {
  run: string
  task: Task
  attempt: number
  slot: number
  base: string
  /** It goes on in the worktree of the task before it, whose ignored files it finds there. */
  continues: boolean
  /** Of the setup commands and what they depend on: they run once per worktree and key. */
  setupKey: string | null
  /** Untracked files of the user's checkout that every worktree gets. */
  include: readonly string[]
  engine: EngineRepository
  agent: Agent
  /** What the attempt before this one failed of. */
  earlier(): Promise<Earlier | null>
  folder: AttemptFolder
  token: string
  settings: Settings
  environment: NodeJS.ProcessEnv
  progress(message: string): void
}

export type Finished = Extract<Fact, { type: 'attempt.finished' }>

export class Attempt {
  readonly #spec: AttemptSpec
  readonly result: Promise<Finished>
  readonly #released = new AbortController()
  #stopping: StopReason | null = null
  /** The agent had not ended by itself when the stop came. */
  #cutShort = false
  #worked = false
  #step: Supervised | null = null

  constructor(spec: AttemptSpec) {
    this.#spec = spec
    this.result = this.#run()
  }

  stop(reason: StopReason): void {
    this.#stopping ??= reason
    this.#cutShort ||= !this.#worked && (this.#step === null || readStatus(this.#spec.folder.work) === null)
    void this.#step?.stop()
  }

  /** Leaves everything as it is for the next engine to adopt. The result is then never known here: it rejects. */
  letGo(): void {
    this.#released.abort()
  }

  async #run(): Promise<Finished> {
    try {
      return await this.#work()
    } finally {
      if (!this.#released.signal.aborted) await rm(temporaryFolder(this.#spec.token), { recursive: true, force: true })
    }
  }

  async #work(): Promise<Finished> {
    const { folder, agent, settings } = this.#spec
    const { path } = slotOf(this.#spec.engine, this.#spec.slot)
    let work = existsSync(folder.prepared) ? await adopt(folder.work, this.#spec.token, bounds(settings)) : null
    if (!work) {
      const trouble = await this.#prepare(path)
      if (trouble) return this.#finish(outcomeOf(trouble), trouble)
      this.#released.signal.throwIfAborted()
      if (this.#stopping) return this.#finish(outcomeOf(stopped(this.#stopping)), stopped(this.#stopping))
      work = await this.#start(path)
    }
    const reader = agent.reader()
    const exit = await this.#follow(work, reader)
    const said = reader.result(processEnd(exit))
    const snapshot = await this.#snapshot(said)
    const failure = this.#failureOf(exit, said) ?? (snapshot.ok ? null : snapshot.failure)
    if (failure) return this.#finish(outcomeOf(failure), failure, said, snapshot)
    const unverified = await this.#verify(path)
    if (unverified) return this.#finish(outcomeOf(unverified), unverified, said, snapshot)
    return this.#finish(snapshot.ok && snapshot.commit ? 'changed' : 'no-change', null, said, snapshot)
  }

  /** A worktree at the base, with its setup done, and the prompt where the agent finds it. */
  async #prepare(path: string): Promise<Failure | null> {
    const { folder, engine, slot, base, run, task, settings, setupKey, include, token } = this.#spec
    // Nothing was ever started in there, or it would have been adopted; what may be there only marks that.
    await rm(folder.work, { recursive: true, force: true })
    await mkdir(folder.root, { recursive: true, mode: 0o700 })
    await mkdir(temporaryFolder(token), { recursive: true, mode: 0o700 })
    const branch = `espalier/${run}/${task.id}`
    const options = { branch, keep: settings.keep, include, setupKey, keepIgnored: this.#spec.continues }
    const prepared = await prepare(engine, slot, base, options)
    if (!prepared.ok) return prepared.failure
    if (prepared.needsSetup && setupKey !== null) {
      for (const [index, command] of settings.setup.entries()) {
        const failure = await this.#check(`setup-${index + 1}`, command, path, 'setup-failed')
        if (failure) return failure
      }
      await markSetup(prepared.slot, setupKey)
    }
    if (task.work.kind === 'prompt')
      await writeFile(folder.promptFile, buildPrompt(task.work.prompt, await this.#spec.earlier()), { mode: 0o600 })
    await writeFile(folder.prepared, '')
    return null
  }

  async #start(cwd: string): Promise<Supervised> {
    const { agent, folder, token, settings } = this.#spec
    const { argv, stdin, stderr, env } = agent.invoke({ promptFile: folder.promptFile })
    await mkdir(folder.work, { recursive: true, mode: 0o700 })
    return supervise({
      dir: folder.work,
      cwd,
      argv,
      stdin: stdin === 'prompt' ? folder.promptFile : null,
      env: { ...this.#environment(cwd), ...env },
      token,
      stderr,
      ...bounds(settings),
    })
  }

  /** Feeds the agent's output to its reader, to the end. */
  async #follow(work: Supervised, reader: AgentReader): Promise<Exit> {
    this.#step = work
    if (this.#stopping) void work.stop()
    const done = new AbortController()
    const ended = work.done.finally(() => done.abort())
    const splitter = lineSplitter()
    const say = (lines: string[]) => {
      for (const line of lines) {
        const message = reader.line(line)
        if (message !== null) this.#spec.progress(message)
      }
    }
    const signal = AbortSignal.any([done.signal, this.#released.signal])
    for await (const chunk of followOutput(this.#spec.folder.work, { signal })) say(splitter.push(chunk))
    this.#released.signal.throwIfAborted()
    say(splitter.end())
    const exit = await ended
    this.#worked = true
    this.#step = null
    return exit
  }

  /** Taken once: verify commands that ran before a restart may have changed the files since. */
  async #snapshot(said: AgentResult): Promise<Snapshot> {
    const { engine, slot, run, task, attempt, base, folder } = this.#spec
    const before = await readFile(folder.snapshot, 'utf8').catch(() => null)
    if (before !== null) return JSON.parse(before) as Snapshot
    const words = { run, task: task.id, attempt, title: task.title, body: said.summary ?? undefined }
    const taken = await snapshot(slotOf(engine, slot), { base, ...words })
    await writeAtomically(folder.snapshot, JSON.stringify(taken))
    return taken
  }

  async #verify(path: string): Promise<Failure | null> {
    for (const [index, command] of this.#spec.task.verify.entries()) {
      const failure = await this.#check(`verify-${index + 1}`, command, path, 'verify-failed')
      if (failure) return failure
    }
    return null
  }

  /** A command that has to pass. Its folder is made anew: after a restart the check is made again from the start. */
  async #check(
    name: string,
    command: string,
    cwd: string,
    reason: 'setup-failed' | 'verify-failed',
  ): Promise<Failure | null> {
    this.#released.signal.throwIfAborted()
    if (this.#stopping) return stopped(this.#stopping)
    const { folder, settings, token } = this.#spec
    const dir = folder.step(name)
    await (await adopt(dir, token, bounds(settings)))?.stop()
    await rm(dir, { recursive: true, force: true })
    await mkdir(dir, { recursive: true, mode: 0o700 })
    const env = this.#environment(cwd)
    const step = supervise({
      dir,
      cwd,
      argv: ['sh', '-c', command],
      stdin: null,
      env,
      token,
      stderr: 'merge',
      ...bounds(settings),
    })
    this.#step = step
    const exit = await unless(this.#released.signal, step.done)
    this.#step = null
    if (this.#stopping) return stopped(this.#stopping)
    if (exit.kind === 'exited' && exit.code === 0) return null
    const tail = (await readTail(dir, TAIL_BYTES)).trimEnd()
    return { reason, message: `\`${cut(command, COMMAND_CHARS)}\` ${describe(exit)}${tail ? `:\n${tail}` : ''}` }
  }

  #environment(worktree: string): Record<string, string> {
    const { run, task, attempt, slot, folder, settings, environment, token } = this.#spec
    const first = settings.ports.first + (slot - 1) * settings.ports.perSlot
    return agentEnvironment(environment, settings.envAllow, {
      ...task.env,
      TMPDIR: temporaryFolder(token),
      ESPALIER_RUN: run,
      ESPALIER_TASK: task.id,
      ESPALIER_ATTEMPT: String(attempt),
      ESPALIER_WORKTREE: worktree,
      ESPALIER_LOG_DIR: folder.root,
      ...(task.work.kind === 'prompt' ? { ESPALIER_PROMPT_FILE: folder.promptFile } : {}),
      ESPALIER_SLOT: String(slot),
      ESPALIER_PORT: String(first),
      ESPALIER_PORT_LAST: String(first + settings.ports.perSlot - 1),
    })
  }

  #failureOf(exit: Exit, said: AgentResult): Failure | null {
    if (this.#stopping && this.#cutShort) return stopped(this.#stopping)
    switch (exit.kind) {
      case 'lost':
        return { reason: 'supervisor-lost', message: 'its supervisor is gone and left no exit status' }
      case 'no-cwd':
        return { reason: 'worktree-broken', message: 'its worktree vanished before it could start' }
      case 'spawn-failed':
        return { reason: 'spawn-failed', message: exit.message }
      default:
        return said.failure
    }
  }

  #finish(outcome: Outcome, failure: Failure | null, said?: AgentResult, snapshot?: Snapshot): Finished {
    const { task, attempt } = this.#spec
    const usage: Usage | null = said?.usage ?? null
    return {
      type: 'attempt.finished',
      task: task.id,
      attempt,
      outcome,
      commit: snapshot?.commit ?? null,
      failure: failure && trim(failure),
      diff: snapshot?.commit ? snapshot.diff : null,
      usage,
      summary: said?.summary ?? null,
    }
  }
}

// Together less than LIMITS.messageChars: the end of the output is what says why.
const TAIL_BYTES = 1_500
const COMMAND_CHARS = 300

function bounds({ logs, graceMs }: Settings) {
  return { chunkBytes: logs.chunkBytes, maxBytes: logs.maxBytes, graceMs }
}

function stopped(reason: StopReason): Failure {
  switch (reason) {
    case 'timeout':
      return { reason, message: 'it ran longer than its timeout; give it more with `timeout:`' }
    case 'cancelled':
      return { reason, message: 'cancelled on request' }
    case 'interrupted':
      return { reason, message: 'the engine was stopped; `espalier resume` starts it again' }
    case 'strict-stop':
      return { reason, message: 'another task failed and the run is strict' }
    default:
      return reason satisfies never
  }
}

function outcomeOf({ reason }: Failure): Outcome {
  if (reason === 'timeout') return 'timeout'
  if (reason === 'cancelled' || reason === 'interrupted' || reason === 'strict-stop') return 'cancelled'
  if (reason === 'agent-crashed' || reason === 'supervisor-lost' || reason === 'worktree-broken') return 'crashed'
  return 'failed'
}

function processEnd(exit: Exit): ProcessEnd {
  if (exit.kind === 'exited') return { code: exit.code, signal: null }
  return { code: null, signal: exit.kind === 'signalled' ? exit.signal : null }
}

function describe(exit: Exit): string {
  if (exit.kind === 'exited') return `exited with status ${exit.code}`
  return exit.kind === 'signalled' ? `was ended by ${exit.signal}` : `could not be run (${exit.kind})`
}

function trim(failure: Failure): Failure {
  const message = cut(failure.message, LIMITS.messageChars)
  const paths = failure.paths?.slice(0, LIMITS.failurePaths)
  return { ...failure, message, ...(paths ? { paths } : {}) }
}

function cut(text: string, chars: number): string {
  return text.length > chars ? `${text.slice(0, chars)}…` : text
}

/** What it resolves with; rejects at once when the signal comes first. */
async function unless<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const { promise: released, reject } = Promise.withResolvers<never>()
  const leave = () => reject(signal.reason)
  signal.addEventListener('abort', leave)
  try {
    return await Promise.race([promise, released])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
