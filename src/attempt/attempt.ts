// One attempt, from its worktree to a commit: prepare, set up, work, snapshot, verify. Where a check fails and the task
// lets its agent continue (`iterations`), the worktree is put back to the snapshot and the agent works, is snapshotted and
// verified again, in the same conversation if it has one. What follows, up to the branch, is at the top of
// landing/landing.ts.
//
// Properties
// - The agent's work is safe in a ref before anything else happens to the worktree (I10), also when it failed. Until then
//   the folder carries a note that keeps everybody from emptying it (git/slots/folders-set-aside.ts), whatever goes wrong here.
// - Nothing of the attempt runs any more when its result is known (I9).
// - After a restart the same function takes over: what was started is adopted, never started twice (I2).
// - A stop can come at any moment; it ends the current step's process tree and decides the result. Only work that had
//   ended by itself before the stop counts: many programs answer SIGTERM with status 0. So a stop is written down before
//   anybody is told: in the journal, or, where what the agent prints is the reason, beside its logs (agent-process.ts).
// - What verify commands do to the worktree is never part of the work, also when the engine dies while they run.
// - An iteration has begun once its `prepared` file is there. Those before the newest are over for good: a restarted
//   engine only reads what they left, because adopting them would end the process that runs now (they share a token).
//   A check that nobody heard the end of is made again, on what the snapshot holds; an agent never works twice for it.
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import type { AttemptResult, Check, Failure } from '../event.ts'
import { writeAtomically } from '../files/write-atomically.ts'
import { attemptRef } from '../git/engine/ref-names.ts'
import { noteUnkept } from '../git/slots/folders-set-aside.ts'
import { restore, restoreWork } from '../git/slots/restore-snapshot.ts'
import type { Snapshot } from '../git/slots/snapshot.ts'
import { NO_DIFF } from '../git/trees/tree-changes.ts'
import { endedWithoutWork } from '../outcome-of-failure.ts'
import { askedAt, readStatus } from '../process/supervise/exit.ts'
import { type Supervised, supervisorPid } from '../process/supervise/supervise.ts'
import { followUpPrompt } from '../prompts/task-prompt.ts'
import { Templates } from '../prompts/templates.ts'
import { withGranted } from '../scheduler/claims/gained.ts'
import { LOCAL } from '../status.ts'
import { type IterationFolder, newestIteration } from '../workspace/state-folder.ts'
import { type AgentEnd, AgentProcesses, notedEnding } from './agent-process.ts'
import { type AttemptContext, attemptContext, attemptEnvironment, type Machine, mayWrite } from './attempt-context.ts'
import { type FailedIteration, finishedFact } from './attempt-finished-event.ts'
import type { AttemptBudget, AttemptFinished, AttemptOrder, AttemptRunner, RunningAttempt } from './attempt-order.ts'
import { endedOnRequest, exitFailure } from './exit-failures.ts'
import { collectResult, keepWorktree, prepareIdeas, proposedIdeas, takeBackWorktree } from './files-of-agent.ts'
import { blockedFailure, doneText, outsideFailure, unchangedFailure, workFailure } from './inspect-work.ts'
import { Judgement } from './judge/gates-and-scores.ts'
import { type NotedSnapshot, resolutionOf, snapshotOnce } from './snapshot-once.ts'
import { Steps } from './worktree-commands.ts'

export function localRunner(machine: Machine): AttemptRunner {
  return {
    start: (order, host, { isLast = false } = {}) => {
      const context = attemptContext(machine, order, host)
      return order.search?.role === 'judge' ? new Judgement(context, order.search) : new Attempt(context, isLast)
    },
  }
}

/** Runs attempts here only: those of workers are lost to an engine without a way to workers. */
export function onlyLocal(machine: Machine): AttemptRunner {
  const local = localRunner(machine)
  return {
    start: (order, host, options) => (order.worker === LOCAL ? local.start(order, host, options) : outOfReach(order)),
  }
}

function outOfReach({ task, attempt, worker }: AttemptOrder): RunningAttempt {
  const failure: Failure = { reason: 'worker-lost', message: `its worker ${worker} cannot be reached from here` }
  return {
    result: Promise.resolve(endedWithoutWork({ task: task.id, attempt }, failure)),
    stop: async () => true,
    letGo: () => {},
  }
}

class Attempt implements RunningAttempt {
  readonly #context: AttemptContext
  readonly #steps: Steps
  readonly #agent: AgentProcesses
  readonly result: Promise<AttemptFinished>
  #iteration: IterationFolder
  /** The agent had not ended by itself when the stop came. */
  #cutShort = false
  /** The budget ran out after the agent had ended by itself: it is not asked to continue. */
  #isOutOfMoney = false
  #done: string | null = null
  /** Verify commands, as they ended; and the iterations that failed them. */
  readonly #checks: Check[] = []
  readonly #failed: FailedIteration[] = []

  constructor(context: AttemptContext, isLastStart: boolean) {
    const { order, slot, folder } = context
    this.#context = context
    const place = { slot, root: folder.root, token: order.token, settings: order.settings }
    this.#steps = new Steps(place, (kind, check) => {
      if (kind === 'verify') this.#checks.push(check)
    })
    this.#agent = new AgentProcesses(context, this.#steps)
    this.#iteration = newestIteration(folder)
    // An earlier engine may have ended the agent: whatever came after that, this was first.
    const ending = notedEnding(this.#iteration)
    if (ending) this.#cut(ending)
    this.result = this.#steps.carryOut(() => this.#work(), { salvage: () => this.#salvage(), isLast: isLastStart })
  }

  async stop(why: Failure, decidedAt: number): Promise<boolean> {
    const status = readStatus(this.#iteration.work)
    const cutShort = status === null || status.endedAt > decidedAt
    if (why.reason === 'budget' && !cutShort) this.#isOutOfMoney = true
    if ((why.reason === 'stalled' || why.reason === 'budget') && !cutShort) return false
    this.#cutShort ||= cutShort
    this.#steps.stop(why, why.reason === 'budget' ? this.#agent.untilCounted() : undefined)
    return true
  }

  #cut(why: Failure): void {
    this.#cutShort = true
    this.#steps.stop(why)
  }

  async allow(globs: readonly string[]): Promise<void> {
    this.#context.claims = withGranted(this.#context.claims, globs)
    await this.#writeMayWrite()
  }

  setBudget(budget: AttemptBudget): void {
    this.#context.budget = budget
  }

  letGo(): void {
    this.#steps.letGo()
  }

  async #salvage(): Promise<void> {
    const { prepared, snapshot } = this.#iteration
    if (existsSync(prepared) && !this.#context.order.discards) await snapshotOnce(this.#context, snapshot, null)
  }

  async #work(): Promise<AttemptFinished> {
    const { order, folder } = this.#context
    const { task } = order
    if (task.outside) return this.#finish(outsideFailure(task.outside))
    const foundAt = Date.now()
    let { work, snapshot, checksBegun } = await this.#takeUp()
    if (!work && !snapshot) {
      const trouble = await this.#prepare()
      if (trouble) return this.#finish(trouble)
    }
    for (;;) {
      this.#steps.released.throwIfAborted()
      if (!work && this.#steps.stopping) return this.#finish(this.#steps.stopping, snapshot)
      const ended = await this.#iterate(work ?? (await this.#agent.start(this.#iteration)), { foundAt, checksBegun })
      snapshot = ended.snapshot
      const { failure, noted } = ended
      const hasMoney = !this.#isOutOfMoney && this.#agent.hasMoney
      const isLastIteration = this.#iteration.number >= (task.iterations ?? 1) || !hasMoney
      if (!failure || !UNFINISHED.has(failure.reason) || isLastIteration) return this.#finish(failure, snapshot)
      this.#failed.push({ failure, snapshot })
      const trouble = await this.#askAgain(failure, noted, folder.iteration(this.#iteration.number + 1))
      if (trouble) return this.#finish(trouble, snapshot)
      work = null
      checksBegun = false
    }
  }

  /** Takes up what an earlier engine has left: the agent at work, its checks under way, or nothing. */
  async #takeUp(): Promise<{ work: Supervised | null; snapshot: Snapshot | undefined; checksBegun: boolean }> {
    const { order, folder } = this.#context
    const { number, prepared, work: dir } = this.#iteration
    await takeBackWorktree(this.#context.slot, folder)
    const checksBegun = await this.#steps.endLeftovers('verify', number)
    const work = existsSync(prepared) ? await this.#steps.adopt(dir) : null
    // An earlier engine may have granted more and died before it could write that down.
    if (work && order.prompt !== null) await this.#writeMayWrite()
    if (!work && number === 1) await this.#steps.endLeftovers('setup')
    if (existsSync(prepared)) this.#agent.recallConversation()
    for (let past = 1; past < number; past++) await this.#agent.recall(folder.iteration(past))
    const before = number === 1 ? undefined : await this.#snapshot(folder.iteration(number - 1), null)
    return { work, snapshot: before?.snapshot, checksBegun }
  }

  /** Makes a worktree at the base, runs setup, and writes the prompt. */
  async #prepare(): Promise<Failure | null> {
    const { order, folder, machine } = this.#context
    const { run, runBase, task, base: commit, continues, fresh, prompt, continuePrompt, lessons } = order
    const branch = `espalier/${run}/${task.id}`
    await mkdir(folder.files, { recursive: true, mode: 0o700 })
    await prepareIdeas(order.search, folder)
    const trouble = await this.#steps.prepare(
      { commit, runBase, branch, include: machine.include, keepIgnored: continues, fresh, ownSetup: task.setup },
      () => attemptEnvironment(this.#context, this.#iteration),
    )
    if (trouble) return trouble
    const lost = await this.#restoreInterrupted()
    if (lost) return lost
    if (prompt !== null) {
      await this.#agent.chooseConversation(this.#iteration)
      if (lessons.length > 0) await writeFile(folder.lessons, JSON.stringify(lessons), { mode: 0o600 })
      const isContinued = this.#agent.record.continued !== null && continuePrompt !== null
      await writeFile(this.#iteration.promptFile, isContinued ? continuePrompt : prompt, { mode: 0o600 })
      await this.#writeMayWrite()
    }
    await this.#begin(this.#iteration)
    return null
  }

  async #restoreInterrupted(): Promise<Failure | null> {
    const { order, slot } = this.#context
    const { run, task, attempt, base, interrupted } = order
    if (!interrupted?.commit) return null
    const work = { base, commit: interrupted.commit, task: task.id, attempt: interrupted.attempt }
    return restoreWork(slot, { ...work, ref: attemptRef(run, task.id, attempt) })
  }

  /** From now on the worktree holds the agent's work. */
  async #begin({ prepared }: IterationFolder): Promise<void> {
    const { order, slot } = this.#context
    if (!order.discards) await noteUnkept(slot.path, { run: order.run, task: order.task.id, attempt: order.attempt })
    await writeFile(prepared, '')
  }

  /**
   * Follows one process of the agent and runs the checks on its work. `checksBegun`: an engine before this one had begun the
   * checks. The first failure counts, in an order in which each makes the later ones meaningless: a stop, the exit, the
   * agent's own words, its work, and only for sound work the checks. That nothing was changed is asked last: checks that pass may
   * show that it is right.
   */
  async #iterate(
    work: Supervised,
    { foundAt, checksBegun }: { foundAt: number; checksBegun: boolean },
  ): Promise<{ failure: Failure | null; snapshot: Snapshot; noted: NotedSnapshot }> {
    const end = await this.#agent.follow(work, this.#iteration, (why) => this.#cut(why))
    const notes = await this.#context.host.notes()
    this.#done = doneText(notes)
    const { noted, snapshot } = await this.#snapshot(this.#iteration, end.said.summary ?? this.#done)
    const failure =
      this.#cutFailure(end, foundAt) ??
      exitFailure(end.exit, end.isWaiting) ??
      this.#resumeFailure(end) ??
      blockedFailure(notes) ??
      workFailure(this.#context, end.said, snapshot) ??
      (await this.#checkFailure(checksBegun ? noted : null)) ??
      unchangedFailure(this.#context, end.said, snapshot)
    return { failure, snapshot, noted }
  }

  /** Runs the checks. `putBackTo`: the snapshot, if earlier checks may have changed the files since. */
  async #checkFailure(putBackTo: NotedSnapshot | null): Promise<Failure | null> {
    const lost = putBackTo && (await this.#putBack(putBackTo))
    if (lost) return lost
    const env = attemptEnvironment(this.#context, this.#iteration)
    const { number: iteration } = this.#iteration
    return this.#steps.run(this.#context.order.task.verify, { kind: 'verify', env, iteration })
  }

  /** Why the agent did not end by itself; null: it did. */
  #cutFailure({ exit }: AgentEnd, foundAt: number): Failure | null {
    const { askedToStopAt, settings } = this.#context.order
    const asked = { askedAt: askedToStopAt, foundAt, graceMs: settings.graceMs }
    const onRequest = endedOnRequest(exit, { ...asked, byOthers: askedAt(this.#iteration.work) })
    // Cancelled since: then nothing starts it again.
    const isCancelled = onRequest !== null && this.#steps.stopping?.reason === 'cancelled'
    return this.#cutShort || isCancelled ? this.#steps.stopping : onRequest
  }

  /** The program ended at once, without a question to its model, when it should have continued a conversation. */
  #resumeFailure({ said }: AgentEnd): Failure | null {
    const { record } = this.#agent
    const isOwn = said.failure?.reason === 'agent-failed' || said.failure?.reason === 'agent-crashed'
    const hasWorked = record.count > 1 || said.summary !== null || said.usage !== null
    if (record.continued === null || !isOwn || hasWorked) return null
    return { reason: 'resume-failed', message: `its conversation could not be continued: ${said.failure?.message}` }
  }

  /** `noted`: the work as it is in the worktree; `snapshot`: as it would land. */
  async #snapshot(iteration: IterationFolder, summary: string | null) {
    if (this.#context.order.discards) return { noted: NOTHING_KEPT, snapshot: NOTHING_KEPT }
    const noted = await snapshotOnce(this.#context, iteration.snapshot, summary)
    return { noted, snapshot: await resolutionOf(this.#context, noted, summary) }
  }

  /** Asks the agent to continue. The iteration has begun once `next.prepared` is there. */
  async #askAgain(failure: Failure, noted: NotedSnapshot, next: IterationFolder): Promise<Failure | null> {
    const { folder, order, host } = this.#context
    const { task } = order
    const trouble = failure.reason === 'verify-failed' ? await this.#putBack(noted) : null
    if (trouble) return trouble
    const remembers = this.#agent.record.resumes !== null || task.work.kind === 'command'
    const first = remembers ? null : await readFile(folder.iteration(1).promptFile, 'utf8')
    const templates = Templates.of(order.templates)
    if (!templates.ok) throw new Error('the templates of an order are checked before a run starts')
    const text = followUpPrompt(templates.value, { failure, completion: task.completion ?? null, first })
    await writeFile(next.promptFile, text, { mode: 0o600 })
    await this.#begin(next)
    this.#iteration = next
    const [why = ''] = failure.message.split('\n', 1)
    host.progress(`continues (${next.number} of ${task.iterations}): ${why}`)
    return null
  }

  /** Puts the worktree back to the snapshot: files of checks are no work. */
  async #putBack(noted: NotedSnapshot): Promise<Failure | null> {
    if (!noted.ok) return noted.failure
    const { tree, commit, head } = noted
    return restore(this.#context.slot, { tree, commit: commit ?? this.#context.order.base, head })
  }

  /** Writes the globs that the agent may write, which may grow, for its hooks (agents/outside-claims-hook.ts). */
  async #writeMayWrite(): Promise<void> {
    const globs = mayWrite(this.#context)
    const text = JSON.stringify({ enforce: globs !== null, write: globs ?? [] })
    await writeAtomically(this.#context.folder.mayWrite, text)
  }

  async #finish(failed: Failure | null, snapshot?: Snapshot): Promise<AttemptFinished> {
    const lessons = await namesIn(this.#context.folder.lessons)
    const seen = { checks: this.#checks, before: this.#failed, done: this.#done, notes: this.#steps.notes }
    const { order, slot, folder } = this.#context
    const result = order.task.search
      ? await this.#searchResult(failed)
      : await collectResult(order.task, slot.path, folder)
    if (failed && order.keepFailed && KEPT_FOR.has(failed.reason)) await keepWorktree(slot, folder)
    return finishedFact(this.#context, { failed, snapshot, record: this.#agent.record, lessons, ...seen, result })
  }

  async #searchResult(failed: Failure | null): Promise<AttemptResult> {
    const { order, folder } = this.#context
    const pid = supervisorPid(this.#iteration.work)
    const ideas = failed ? null : await proposedIdeas(order.search, folder)
    return { ...(pid === null ? {} : { pid }), ...(ideas ? { ideas } : {}) }
  }
}

/** The agent has ended well, but something is missing: it may continue. */
const UNFINISHED: ReadonlySet<Failure['reason']> = new Set(['verify-failed', 'incomplete'])

const NOTHING_KEPT: NotedSnapshot = { ok: true, commit: null, tree: '', ...NO_DIFF, agentCommits: 0, head: null }

/** Failures of what ran in the worktree: a person may want to look at it. */
const KEPT_FOR: ReadonlySet<Failure['reason']> = new Set([
  'agent-failed',
  'command-failed',
  'agent-crashed',
  'verify-failed',
  'timeout',
])

/** Lessons of the prompt, perhaps written by an earlier engine. */
async function namesIn(file: string): Promise<string[]> {
  try {
    const names: unknown = JSON.parse(await readFile(file, 'utf8'))
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}
