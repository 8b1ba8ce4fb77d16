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
import { mkdir, rm, writeFile } from 'node:fs/promises'
import type { AgentReader, AgentResult } from '../agents/agent.ts'
import { buildPrompt } from '../agents/prompt.ts'
import type { Fact, StopReason } from '../event.ts'
import type { Failure } from '../failure.ts'
import { DiskTrouble, isDiskTrouble } from '../git/disk-trouble.ts'
import { markSetup, prepare } from '../git/pool.ts'
import { removeTree } from '../git/remove-tree.ts'
import { slotOf } from '../git/slot.ts'
import type { Snapshot } from '../git/snapshot.ts'
import { askedAt } from '../process/asked.ts'
import { type Exit, readStatus } from '../process/exit.ts'
import { lineSplitter } from '../process/lines.ts'
import { followOutput } from '../process/output.ts'
import { adopt, type Supervised, supervise } from '../process/supervise.ts'
import { touchedBy } from '../scheduler/undeclared.ts'
import {
  endedOnRequest,
  exitFailure,
  leftoversText,
  notesOf,
  outcomeOf,
  processEnd,
  stopped,
  withNotes,
} from './attempt-end.ts'
import { conflictFiles, resolutionOf } from './attempt-resolution.ts'
import { snapshotOnce } from './attempt-snapshot.ts'
import { type AttemptSpec, attemptEnvironment, bounds } from './attempt-spec.ts'
import { endSteps, type StepKind, startStep, stepFailure } from './attempt-step.ts'
import { claimsFailure } from './claims-failure.ts'
import { flaggedBy, protectedFailure } from './protected-paths.ts'
import { Silence } from './silence.ts'
import { temporaryFolder } from './state-folder.ts'
import { unless } from './unless.ts'

export type Finished = Extract<Fact, { type: 'attempt.finished' }>

export class Attempt {
  readonly #spec: AttemptSpec
  readonly result: Promise<Finished>
  readonly #released = new AbortController()
  /** What it is being stopped for. */
  #stopping: Failure | null = null
  /** The agent had not ended by itself when the stop came. */
  #cutShort = false
  #step: Supervised | null = null
  /** While the agent is at work: setup and checks may be as quiet as they like. */
  #silence: Silence | null = null
  readonly #notes: string[] = []

  constructor(spec: AttemptSpec) {
    this.#spec = spec
    this.result = this.#run()
  }

  /**
   * `at` is when it was decided: an engine before this one may have decided it. False: it goes on, because it was to
   * end for its silence and the agent had ended by itself before that.
   */
  stop(reason: StopReason, { at = Date.now(), silentMs = 0 } = {}): boolean {
    const status = readStatus(this.#spec.folder.work)
    const cutShort = status === null || status.endedAt > at
    if (reason === 'stalled' && !cutShort) return false
    this.#stopping ??= stopped(reason, silentMs)
    this.#cutShort ||= cutShort
    void this.#step?.stop()
    return true
  }

  /** For how long its agent has printed nothing, if that is `ms` or longer. */
  silentFor(ms: number): number | null {
    return this.#silence?.atLeast(ms) ?? null
  }

  /** Its agent is at work in its worktree: what it has changed there is its doing. */
  get isAtWork(): boolean {
    return this.#silence !== null
  }

  /** Leaves everything as it is for the next engine to adopt. The result is then never known here: it rejects. */
  letGo(): void {
    this.#released.abort()
    this.#step?.release()
  }

  async #run(): Promise<Finished> {
    // Released, or stopped by a full disk, it is for the next engine to take up where it is.
    let isOver = () => !this.#released.signal.aborted
    try {
      return await this.#work()
    } catch (error) {
      if (isDiskTrouble(error)) isOver = () => false
      if (isOver()) await this.#salvage()
      throw error
    } finally {
      // What is left of it is the machine's to clean up: it never decides what becomes of the attempt.
      if (isOver()) await removeTree(temporaryFolder(this.#spec.token)).catch(() => {})
    }
  }

  /** Whatever went wrong here: nothing of it goes on, and what the agent did is kept. */
  async #salvage(): Promise<void> {
    await this.#step?.stop()
    if (existsSync(this.#spec.folder.prepared)) await snapshotOnce(this.#spec, null)
  }

  async #work(): Promise<Finished> {
    const { folder, agent, settings, token } = this.#spec
    const { path } = slotOf(this.#spec.engine, this.#spec.slot)
    const foundAt = Date.now()
    await endSteps({ root: folder.root, token, settings }, 'verify')
    let work = existsSync(folder.prepared) ? await adopt(folder.work, token, bounds(settings)) : null
    if (!work) {
      await endSteps({ root: folder.root, token, settings }, 'setup')
      const trouble = await this.#prepare(path)
      if (trouble) return this.#finish(trouble)
      this.#released.signal.throwIfAborted()
      if (this.#stopping) return this.#finish(this.#stopping)
      work = await this.#start(path)
    }
    const reader = agent.reader()
    const exit = await this.#follow(work, reader)
    const said = reader.result(processEnd(exit))
    const snapshot = await resolutionOf(this.#spec, await snapshotOnce(this.#spec, said.summary), said.summary)
    const asked = { askedAt: this.#spec.askedToStopAt, foundAt, graceMs: settings.graceMs }
    const cutShort = this.#cutShort
      ? this.#stopping
      : endedOnRequest(exit, { ...asked, byOthers: askedAt(folder.work) })
    const failure =
      cutShort ??
      exitFailure(exit) ??
      said.failure ??
      (snapshot.ok ? null : snapshot.failure) ??
      protectedFailure(this.#spec.task, snapshot.paths) ??
      this.#claimsViolated(snapshot)
    return this.#finish(failure ?? (await this.#checks('verify', this.#spec.task.verify, path)), said, snapshot)
  }

  #claimsViolated({ paths }: Snapshot): Failure | null {
    const { task, settings } = this.#spec
    if (settings.claims !== 'enforce') return null
    const { undeclared } = touchedBy(task.claims, paths)
    return undeclared ? claimsFailure(task.claims, undeclared) : null
  }

  /** A worktree at the base, with its setup done, and the prompt where the agent finds it. */
  async #prepare(path: string): Promise<Failure | null> {
    const { folder, engine, slot, base, run, task, settings, include, token } = this.#spec
    const setupKey = await this.#spec.setupKey(base)
    // Nothing was ever started in there, or it would have been adopted; what may be there only marks that.
    await rm(folder.work, { recursive: true, force: true })
    await mkdir(folder.files, { recursive: true, mode: 0o700 })
    await mkdir(temporaryFolder(token), { recursive: true, mode: 0o700 })
    const branch = `espalier/${run}/${task.id}`
    const options = { branch, keep: settings.keep, include, setupKey, keepIgnored: this.#spec.continues }
    const prepared = await prepare(engine, slot, base, options)
    if (!prepared.ok) return prepared.failure
    if (prepared.needsSetup && setupKey !== null) {
      const failure = await this.#checks('setup', settings.setup, path)
      if (failure) return failure
      await markSetup(prepared.slot, setupKey)
    }
    if (task.work.kind === 'prompt') {
      const prompt = buildPrompt(task.work.prompt, await this.#spec.earlier(), await conflictFiles(this.#spec))
      await writeFile(folder.promptFile, prompt, { mode: 0o600 })
    }
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
      env: { ...attemptEnvironment(this.#spec, cwd), ...env },
      token,
      stderr,
      ...bounds(settings),
    })
  }

  /** Feeds the agent's output to its reader, to the end. */
  async #follow(work: Supervised, reader: AgentReader): Promise<Exit> {
    this.#attend(work)
    const done = new AbortController()
    this.#silence = new Silence(this.#spec.folder.work)
    const ended = work.done.finally(() => {
      this.#silence = null
      done.abort()
    })
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
    const exit = await unless(this.#released.signal, ended)
    await this.#heard(exit, this.#spec.folder.work)
    if (exit.leftovers > 0) this.#spec.progress(leftoversText(exit.leftovers))
    return exit
  }

  /** Commands that have to pass, one after the other. */
  async #checks(kind: StepKind, commands: readonly string[], cwd: string): Promise<Failure | null> {
    const { folder, token, settings } = this.#spec
    for (const [index, command] of commands.entries()) {
      this.#released.signal.throwIfAborted()
      if (this.#stopping) return this.#stopping
      const name = `${kind}-${index + 1}`
      const dir = folder.step(name)
      const step = await startStep({ dir, cwd, command, env: attemptEnvironment(this.#spec, cwd), token, settings })
      this.#attend(step)
      const exit = await unless(this.#released.signal, step.done)
      await this.#heard(exit, this.#spec.folder.step(name))
      if (this.#stopping) return this.#stopping
      const failure = await stepFailure(dir, command, kind, exit)
      if (failure) return failure
    }
    return null
  }

  /** A stop, or the order to let go, may have come while it was being started. */
  #attend(step: Supervised): void {
    this.#step = step
    if (this.#released.signal.aborted) step.release()
    else if (this.#stopping) void step.stop()
  }

  async #heard(exit: Exit, dir: string): Promise<void> {
    this.#step = null
    if (exit.kind === 'unwritable') {
      // Nothing of it ran, so nothing of it is to be adopted: it is started when there is room.
      await rm(dir, { recursive: true, force: true })
      throw new DiskTrouble(exit.message)
    }
    this.#notes.push(...notesOf(exit))
  }

  #finish(failed: Failure | null, said?: AgentResult, snapshot?: Snapshot): Finished {
    const { task, attempt } = this.#spec
    const commit = snapshot?.commit ?? null
    return {
      type: 'attempt.finished',
      task: task.id,
      attempt,
      outcome: failed ? outcomeOf(failed) : commit ? 'changed' : 'no-change',
      commit,
      diff: snapshot && commit ? snapshot.diff : null,
      usage: said?.usage ?? null,
      ...touchedBy(task.claims, snapshot?.paths ?? []),
      ...flaggedBy(task, snapshot?.paths ?? [], this.#spec.engine.user.hooks),
      ...withNotes({ failure: failed, summary: said?.summary ?? null }, this.#notes),
    }
  }
}
