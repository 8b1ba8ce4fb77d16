// One attempt, from its worktree to a commit: prepare, set up, work, snapshot, verify. Where a check fails and the task
// lets its agent go on (`iterations`), the worktree is put back to the snapshot and the agent works, is snapshotted and
// verified again, in the same conversation if it has one.
//
// Properties
// - The agent's work is safe in a ref before anything else happens to the worktree (I10), also when it failed.
// - Nothing of the attempt runs any more when its result is known (I9).
// - After a restart the same function takes over: what was started is adopted, never started twice (I2).
// - A stop can come at any moment; it ends the current step's process tree and decides the result. Only work that had
//   ended by itself before the stop counts: many programs answer SIGTERM with status 0. So a stop is written down before
//   anybody is told: in the journal, or, where what the agent prints is the reason, beside its logs (ending-note.ts).
// - What verify commands do to the worktree is never part of the work, also when the engine dies while they run.
// - An iteration has begun once its `prepared` file is there. Those before the newest are over for good: a restarted
//   engine only reads what they left, because adopting them would end the process that runs now (they share a token).
//   A check that nobody heard the end of is made again, on what the snapshot holds; an agent never works twice for it.

import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { AgentReader, AgentResult } from '../agents/agent.ts'
import { untilAborted } from '../async/until-aborted.ts'
import type { StopReason } from '../event.ts'
import type { Failure } from '../failure.ts'
import { removeTree } from '../files/remove-tree.ts'
import { DiskTrouble, isDiskTrouble } from '../git/run/disk-trouble.ts'
import { markOwnSetup, markSetup, prepare } from '../git/slots/pool.ts'
import { restore } from '../git/slots/restore.ts'
import { slotOf } from '../git/slots/slot.ts'
import type { Snapshot } from '../git/slots/snapshot.ts'
import { askedAt } from '../process/supervise/asked-to-end.ts'
import { type Ending, type Exit, readStatus } from '../process/supervise/exit.ts'
import { feedLines } from '../process/supervise/output.ts'
import { adopt, type Supervised } from '../process/supervise/supervise.ts'
import { followUpPrompt } from '../prompts/follow-up.ts'
import { taskPrompt } from '../prompts/task-prompt.ts'
import type { Check } from '../status.ts'
import { type IterationFolder, newestIteration, temporaryFolder } from '../workspace/folder.ts'
import { type StepKind, stepName } from '../workspace/step-name.ts'
import { endedOnRequest, exitFailure, leftoversText, notesOf, processEnd, stopped } from './end.ts'
import { notedEnding, noteEnding } from './ending-note.ts'
import { type Finished, finishedFact } from './finished-fact.ts'
import { keptText } from './kept-text.ts'
import { type FailedIteration, fixesOf, notedLessons, noteLessons } from './lessons.ts'
import { writeSessionNote } from './note.ts'
import { type AttemptSpec, attemptEnvironment, bounds, mayWrite } from './order.ts'
import { conflictFiles, resolutionOf } from './resolution.ts'
import { type NotedSnapshot, snapshotOnce } from './snapshot-once.ts'
import { startAgent, writeMayWrite } from './start-agent.ts'
import { endSteps, startStep, stepFailure } from './step.ts'
import { AgentRecord } from './watch/agent-record.ts'
import { ProviderWait } from './watch/provider-wait.ts'
import { Silence } from './watch/silence.ts'
import { SpendingWatch, spentBy, UnpricedModel } from './watch/spending.ts'
import { WrittenUsage, withUsageOnDisk } from './watch/usage-on-disk.ts'
import { blockedFailure, doneText, outsideFailure, workFailure } from './work-failure.ts'

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
  /** The newest there is. */
  #iteration: IterationFolder
  readonly #record = new AgentRecord()
  /** What its agent told the task manager when it was done. */
  #done: string | null = null
  /** Its verify commands, as they ended; and what was there when they failed and the agent went on. */
  readonly #checked: Check[] = []
  readonly #failed: FailedIteration[] = []
  readonly #spending: SpendingWatch
  readonly #unpricedModel: UnpricedModel
  /** It was to end for want of money when its agent had ended already: that agent is not asked to go on. */
  #isOutOfMoney = false

  constructor(spec: AttemptSpec) {
    this.#spec = spec
    this.#iteration = newestIteration(spec.folder)
    // An engine before this one may have ended its agent: whatever else came after that, this was first.
    this.#stopping = notedEnding(this.#iteration.ending)
    this.#cutShort = this.#stopping !== null
    this.#spending = new SpendingWatch(spec)
    this.#unpricedModel = new UnpricedModel(spec)
    this.result = this.#run()
  }

  /**
   * `at` is when it was decided: an engine before this one may have decided it. False: it goes on, because it was to
   * end for its silence or for money, and the agent had ended by itself before that: its checks cost nothing.
   */
  stop(reason: StopReason, { at = Date.now(), silentMs = 0, budget = '' } = {}): boolean {
    const status = readStatus(this.#iteration.work)
    const cutShort = status === null || status.endedAt > at
    if (reason === 'budget' && !cutShort) this.#isOutOfMoney = true
    if ((reason === 'stalled' || reason === 'budget') && !cutShort) return false
    this.#stopping ??= stopped(reason, { timeoutMs: this.#spec.task.timeoutMs, silentMs, budget })
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

  /** Tells whoever asks while it works what its agent may write by now. */
  async writeMayWrite(): Promise<void> {
    await writeMayWrite(this.#spec.folder, mayWrite(this.#spec))
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
    const { prepared, snapshot } = this.#iteration
    if (existsSync(prepared)) await snapshotOnce(this.#spec, snapshot, null)
  }

  async #work(): Promise<Finished> {
    const { folder, task } = this.#spec
    if (task.outside) return this.#finish(outsideFailure(task.outside))
    const { path } = slotOf(this.#spec.engine, this.#spec.slot)
    const foundAt = Date.now()
    let { work, snapshot, checked } = await this.#takeUp()
    if (!work && !snapshot) {
      const trouble = await this.#prepare(path)
      if (trouble) return this.#finish(trouble)
    }
    for (;;) {
      this.#released.signal.throwIfAborted()
      if (!work && this.#stopping) return this.#finish(this.#stopping, snapshot)
      const ended = await this.#iterate(work ?? (await startAgent(this.#spec, this.#iteration, path, this.#record)), {
        path,
        foundAt,
        checked,
      })
      snapshot = ended.snapshot
      const { failure, noted } = ended
      const isLast = this.#iteration.number >= (task.iterations ?? 1) || !this.#hasMoney()
      if (!failure || !UNFINISHED.has(failure.reason) || isLast) return this.#finish(failure, snapshot)
      this.#failed.push({ failure, snapshot })
      const trouble = await this.#goOn(failure, noted, folder.iteration(this.#iteration.number + 1))
      if (trouble) return this.#finish(trouble, snapshot)
      work = null
      checked = false
    }
  }

  /** What an engine before this one has left of it: the agent at work, its checks under way, or nothing at all. */
  async #takeUp(): Promise<{ work: Supervised | null; snapshot: Snapshot | undefined; checked: boolean }> {
    const { folder, settings, task, token } = this.#spec
    const { number, prepared, work: dir } = this.#iteration
    const steps = { root: folder.root, token, settings }
    const checked = await endSteps(steps, 'verify', number)
    const work = existsSync(prepared) ? await adopt(dir, token, bounds(settings)) : null
    if (work) this.#attend(work)
    // An engine before this one may have granted more and died before it could say so.
    if (work && task.work.kind === 'prompt') await this.writeMayWrite()
    if (!work && number === 1) await endSteps(steps, 'setup')
    for (let past = 1; past < number; past++) await this.#recall(folder.iteration(past))
    const before = number === 1 ? undefined : await this.#snapshot(folder.iteration(number - 1), null)
    return { work, snapshot: before?.snapshot, checked }
  }

  /** One process of the agent and its checks. `checked`: an engine before this one had begun with them. */
  async #iterate(
    work: Supervised,
    { path, foundAt, checked }: { path: string; foundAt: number; checked: boolean },
  ): Promise<{ failure: Failure | null; snapshot: Snapshot; noted: NotedSnapshot }> {
    const { agent, settings, task } = this.#spec
    const reader = agent.reader(settings.prices)
    const { exit, isWaiting } = await this.#follow(work, reader)
    const said = await this.#resultOf(reader, exit, this.#iteration)
    this.#record.add(said, reader)
    if (task.verify.length > 0) this.#spending.ended(this.#record)
    const notes = await this.#spec.notes()
    this.#done = doneText(notes)
    const { noted, snapshot } = await this.#snapshot(this.#iteration, said.summary ?? this.#done)
    const asked = { askedAt: this.#spec.askedToStopAt, foundAt, graceMs: settings.graceMs }
    const onRequest = endedOnRequest(exit, { ...asked, byOthers: askedAt(this.#iteration.work) })
    // Cancelled since: then nothing starts it again.
    const isCancelled = onRequest !== null && this.#stopping?.reason === 'cancelled'
    const cutShort = this.#cutShort || isCancelled ? this.#stopping : onRequest
    const failure =
      cutShort ??
      exitFailure(exit, isWaiting) ??
      blockedFailure(notes) ??
      workFailure(this.#spec, said, snapshot) ??
      (checked ? await this.#putBack(noted) : null) ??
      (await this.#checks('verify', task.verify, path))
    return { failure, snapshot, noted }
  }

  /** `noted`: the work as it is in the worktree; `snapshot`: as it would land. */
  async #snapshot(iteration: IterationFolder, summary: string | null) {
    const noted = await snapshotOnce(this.#spec, iteration.snapshot, summary)
    return { noted, snapshot: await resolutionOf(this.#spec, noted, summary) }
  }

  /** Takes in what a process told that is over for good. */
  async #recall(iteration: IterationFolder): Promise<void> {
    const { work } = iteration
    const reader = this.#spec.agent.reader(this.#spec.settings.prices)
    await feedLines(work, AbortSignal.abort(), (line) => void reader.line(line))
    this.#record.add(await this.#resultOf(reader, readStatus(work)?.ending ?? LOST, iteration), reader)
  }

  async #resultOf(reader: AgentReader, ending: Ending, iteration: IterationFolder): Promise<AgentResult> {
    const { result, note } = await withUsageOnDisk(reader.result(processEnd(ending)), this.#spec, iteration)
    if (note !== null) this.#notes.push(note)
    return { ...result, summary: result.summary === null ? null : keptText(result.summary, this.#spec.secrets) }
  }

  /** Asks the agent to go on. From the moment `next.prepared` is there it has begun. */
  async #goOn(failure: Failure, noted: NotedSnapshot, next: IterationFolder): Promise<Failure | null> {
    const { folder, task } = this.#spec
    const trouble = failure.reason === 'verify-failed' ? await this.#putBack(noted) : null
    if (trouble) return trouble
    const { promptFile } = folder.iteration(1)
    const remembers = this.#record.resumes !== null || task.work.kind === 'command'
    const first = remembers ? null : await readFile(promptFile, 'utf8')
    const text = followUpPrompt(this.#spec.templates, { failure, completion: task.completion ?? null, first })
    await writeFile(next.promptFile, text, { mode: 0o600 })
    await writeFile(next.prepared, '')
    this.#iteration = next
    const [why = ''] = failure.message.split('\n', 1)
    this.#spec.progress(`goes on (${next.number} of ${task.iterations}): ${why}`)
    return null
  }

  /** What checks wrote is no work of the agent's: its worktree is put back to what the snapshot holds. */
  async #putBack(noted: NotedSnapshot): Promise<Failure | null> {
    const { engine, slot, base } = this.#spec
    if (!noted.ok) return noted.failure
    const { tree, commit, head } = noted
    return restore(slotOf(engine, slot), { tree, commit: commit ?? base, head })
  }

  /** A worktree at the base, with its setup done, and the prompt where the agent finds it. */
  async #prepare(path: string): Promise<Failure | null> {
    const { folder, engine, slot, base, run, task, settings, include, token } = this.#spec
    const setupKey = await this.#spec.setupKey(base)
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
    if (task.setup) {
      const failure = await this.#checks('setup', task.setup, path, settings.setup.length)
      if (failure) return failure
      await markOwnSetup(prepared.slot)
    }
    if (task.work.kind === 'prompt') {
      const [earlier, conflict] = [await this.#spec.earlier(), await conflictFiles(this.#spec)]
      const lessons = await this.#spec.expertise()
      const expertise = lessons.map(({ text }) => text)
      const prompt = taskPrompt(this.#spec.templates, { ...this.#spec.told(), expertise, earlier, conflict })
      await noteLessons(folder, lessons)
      await writeFile(this.#iteration.promptFile, prompt, { mode: 0o600 })
      await this.writeMayWrite()
    }
    await writeFile(this.#iteration.prepared, '')
    return null
  }

  #hasMoney(): boolean {
    const allowanceUsd = this.#spec.budgets.allowanceUsd()
    return !this.#isOutOfMoney && (allowanceUsd === null || spentBy(this.#record, this.#spec) < allowanceUsd)
  }

  /** Feeds the agent's output to its reader, to the end. One that goes round in circles is ended. */
  async #follow(work: Supervised, reader: AgentReader): Promise<{ exit: Exit; isWaiting: boolean }> {
    const { work: dir, ending } = this.#iteration
    this.#attend(work)
    const done = new AbortController()
    this.#silence = new Silence(dir)
    const ended = work.done.finally(() => {
      this.#silence = null
      done.abort()
    })
    const signal = AbortSignal.any([done.signal, this.#released.signal])
    const wait = new ProviderWait(signal, () => void work.stop())
    const hasEnded = () => readStatus(dir) !== null
    const written = new WrittenUsage(this.#spec, this.#iteration, signal, (usageSoFar) => {
      this.#spending.look(this.#record, { usageSoFar }, hasEnded)
    })
    await feedLines(dir, signal, (line) => {
      // What comes after that is for the next engine to hear.
      if (this.#released.signal.aborted) return
      const message = reader.line(line)
      if (message !== null) this.#spec.progress(message)
      this.#unpricedModel.look(reader)
      wait.look(reader)
      this.#spending.look(this.#record, reader, hasEnded)
      written.look(reader)
      const looping = this.#stopping ? null : this.#record.looping(reader, this.#spec.task)
      if (!looping) return
      noteEnding(ending, looping)
      this.#stopping = looping
      this.#cutShort = true
      void work.stop()
    })
    const exit = await untilAborted(this.#released.signal, ended)
    await this.#heard(exit, dir)
    if (exit.leftovers > 0) this.#spec.progress(leftoversText(exit.leftovers))
    return { exit, isWaiting: wait.hasEnded }
  }

  /** Commands that have to pass, one after the other. `before`: how many of this kind went before them. */
  async #checks(kind: StepKind, commands: readonly string[], cwd: string, before = 0): Promise<Failure | null> {
    const { folder, token, settings } = this.#spec
    for (const [index, command] of commands.entries()) {
      this.#released.signal.throwIfAborted()
      if (this.#stopping) return this.#stopping
      const dir = folder.step(stepName(kind, before + index + 1, this.#iteration.number))
      const env = attemptEnvironment(this.#spec, cwd, this.#iteration)
      const startedAt = Date.now()
      const step = await startStep({ dir, cwd, command, env, token, settings })
      this.#attend(step)
      const exit = await untilAborted(this.#released.signal, step.done)
      await this.#heard(exit, dir)
      if (this.#stopping) return this.#stopping
      const failure = await stepFailure(dir, command, kind, exit)
      if (kind === 'verify')
        this.#checked.push({ command, durationMs: Math.max(0, exit.endedAt - startedAt), passed: failure === null })
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

  async #finish(failed: Failure | null, snapshot?: Snapshot): Promise<Finished> {
    const lessons = await notedLessons(this.#spec.folder)
    const seen = { checks: this.#checked, fixes: failed ? [] : fixesOf(this.#failed, snapshot), lessons }
    const end = { failed, snapshot, record: this.#record, done: this.#done, notes: this.#notes, ...seen }
    const fact = finishedFact(this.#spec, end)
    await writeSessionNote(this.#spec, fact)
    return fact
  }
}

/** The agent may go on: it has ended well, and something is still missing. */
const UNFINISHED: ReadonlySet<Failure['reason']> = new Set(['verify-failed', 'incomplete'])

const LOST: Ending = { kind: 'lost' }
