// A run, being executed. The engine's tick: take in what came back, decide, write it all to the journal in one
// transaction (the end of a run takes two), then do it. Nothing is done that is not written, and nothing here decides anything: see scheduler/.
//
// Properties
// - Recovery is the same tick after a restart: attempts that the journal says are running are taken up again (their
//   supervisors have gone on), and a landing that was under way looks first whether the branch has moved already.
// - One writer: the lock of the state folder, and behind it the epoch and the journal's numbering. An engine whose epoch is
//   over or whose number is taken was replaced: it stops in order, does nothing of what it has just decided, and leaves agents, branch and plan file alone.
// Tolerated: being killed between any two lines of this file.
import { Pause } from '../../async/pause.ts'
import type { Settings } from '../../config.ts'
import type { AddedTasks, Event, Fact, Progress } from '../../event.ts'
import { isMachineTrouble, machineTroubleText } from '../../git/run/machine-trouble.ts'
import { filesAt } from '../../git/trees/tree-changes.ts'
import type { ClaimWait } from '../../held-claims.ts'
import type { LearningContext } from '../../learning/lessons-from-event.ts'
import type { Result } from '../../problem.ts'
import { keptText } from '../../process/secrets.ts'
import { apply, isStale } from '../../scheduler/apply/apply.ts'
import { answered } from '../../scheduler/claims/gained.ts'
import { claimWaits } from '../../scheduler/claims/view.ts'
import { type Decided, decide, nextWake } from '../../scheduler/decide.ts'
import { taskAt } from '../../scheduler/graph.ts'
import { record } from '../../scheduler/state.ts'
import { isResumable, taskView } from '../../scheduler/view.ts'
import { storeTrouble } from '../../store/open.ts'
import type { Plan, Task } from '../../task.ts'
import type { RunSummary, RunView, TaskView } from '../../view.ts'
import type { Tree } from '../../workloads/search/tree.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { learningContext } from '../expertise/learner.ts'
import { keepUp } from '../upkeep/clean.ts'
import { endAgentsAfterTakeover } from '../upkeep/leftovers-of-killed-engine.ts'
import { EventFeed, ProgressLog, type RunEvent } from './event-feed.ts'
import { takenOverText } from './journal.ts'
import { watchMachine } from './machine-watch.ts'
import { withModel } from './make-attempt-order.ts'
import { Performer } from './performer.ts'
import { recordSuite, tidySuite } from './record-suite.ts'
import type { RunContext, Telling } from './run-context.ts'
import { type RunResult, runResult, summaryOf, viewOf } from './run-result.ts'
import { OtherProcesses } from './take-requests-of-other-processes.ts'

export class Run implements AsyncDisposable {
  readonly orphansEnded: number
  readonly #context: RunContext
  readonly #facts: Fact[] = []
  readonly #pause = new Pause()
  readonly #feed = new EventFeed()
  readonly #progress: ProgressLog
  readonly #performer: Performer
  readonly #others: OtherProcesses
  readonly #learningContext: LearningContext
  #abandoned = false
  #stuck: string | null = null
  #bug: unknown = null
  #takenOver = false
  #executing: Promise<RunResult> | null = null

  /** `orphansEnded`: processes of earlier attempts that were ended when this run was opened. */
  constructor(context: RunContext, orphansEnded: number) {
    this.#context = context
    this.orphansEnded = orphansEnded
    context.locked.store.fenced.addEventListener('abort', () => this.#beTakenOver(), { once: true })
    this.#learningContext = learningContext(context.id, context)
    if (context.planFile.status)
      context.planFile.status.tell = (message) =>
        this.#feed.publish({ type: 'plan-file.unwritten', at: context.clock.now(), message })
    this.#progress = new ProgressLog(context.locked.store, context.id)
    const tell: Telling = {
      fact: (fact) => this.#take(fact),
      progress: (task, attempt, message) => this.#say(task, attempt, message),
      stuck: (message) => this.#stop(message),
      bug: (error) => this.#fail(error),
    }
    this.#performer = new Performer(context, tell)
    this.#others = new OtherProcesses(context, tell, this.#performer)
  }

  get id(): string {
    return this.#context.id
  }

  get workspace(): Workspace {
    return this.#context.locked.workspace
  }

  get branch(): string {
    return this.#context.state.branch
  }

  get plan(): Plan {
    return this.#context.growth.plan
  }

  get settings(): Settings {
    return this.#context.settings
  }

  /** The tree of a search so far; null: no search. */
  get tree(): Tree | null {
    return this.#context.growth.search?.tree ?? null
  }

  /** Runs until every task has ended, or the run was interrupted or abandoned. */
  execute(): Promise<RunResult> {
    this.#executing ??= this.#execute()
    return this.#executing
  }

  /** Current state without the tasks: cheap on a large plan. */
  summary(): RunSummary {
    return summaryOf(this.#context)
  }

  status(): RunView {
    return viewOf(this.#context, this.#context.clock.now())
  }

  find(task: string): { task: Task; view: TaskView } | null {
    const { state } = this.#context
    const index = state.graph.taskIndex.get(task)
    return index === undefined ? null : { task: taskAt(state.graph, index), view: taskView(state, index) }
  }

  /** Tasks that wait for claims of others, with those claims. */
  claimWaits(): ReadonlyMap<string, ClaimWait> {
    return new Map(claimWaits(this.#context.state).map((wait) => [wait.task, wait]))
  }

  /** Every event of the journal from the first on. Ends when `execute` does. */
  events(): AsyncGenerator<RunEvent, void, void> {
    return this.#feed.watch(() => this.#context.journal.events())
  }

  /** Answers with how many running tasks it ends; those that are already being ended do not count. */
  cancel(task?: string): number {
    const { graph, running } = this.#context.state
    const goingOn = [...running].filter((index) => !this.#isEnding(index))
    if (task === undefined) {
      this.#take({ type: 'run.cancelled', request: null })
      return goingOn.length
    }
    const index = graph.taskIndex.get(task)
    if (index === undefined) return 0
    this.#take({ type: 'task.cancelled', task, request: null })
    return goingOn.includes(index) ? 1 : 0
  }

  /** Adds tasks, which may need present ones and each other. Resolves when they are in the journal, or refused. */
  add(added: AddedTasks): Promise<Result<void>> {
    const answer = this.#context.growth.add(added)
    this.#pause.cutShort()
    return answer
  }

  /** Starts no more tasks, ends running ones, and leaves a run that can be resumed. */
  interrupt(): void {
    this.#take({ type: 'run.interrupted', request: null })
  }

  /** Lets go at once. Agents continue under their supervisors, and a later `resume` takes them over. */
  abandon(): void {
    this.#abandoned = true
    this.#pause.cutShort()
  }

  /** Lets running attempts go; nothing here touches them any more when the lock is released. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.abandon()
    await this.#executing?.catch(() => {}) // whoever called `execute` hears of it
    this.#context.growth.close()
    await this.#performer.letGo()
    await this.#progress[Symbol.asyncDispose]()
    await this.#context.landing.publisher[Symbol.asyncDispose]()
    await this.#context.planFile.status?.[Symbol.asyncDispose]()
    // The result has been reported, and the lock is still ours.
    const { state, locked, settings } = this.#context
    const isOver = state.finished !== null && !isResumable(state) && !this.#takenOver
    await this.#context.learner.settle(
      isOver ? (when) => filesAt(locked.engine, when === 'begin' ? state.base : state.head) : null,
    )
    if (isOver && this.#stuck === null && !this.#bug) await tidySuite(this.#context)
    if (isOver && this.#stuck === null && !this.#bug) await keepUp(locked, settings.history)
    if (this.#takenOver) await endAgentsAfterTakeover(locked.store, locked.folder, settings.graceMs)
    await locked.resources[Symbol.asyncDispose]()
  }

  async #execute(): Promise<RunResult> {
    const leaving = new AbortController()
    const following = this.#others.follow(leaving.signal)
    using _machine = watchMachine(this.#context, (change) =>
      this.#take({ type: 'slots.changed', ...change, request: null }),
    )
    try {
      this.#recover()
      await this.#others.readAll()
      await this.#loop()
    } catch (error) {
      this.#fail(error)
    } finally {
      leaving.abort()
      await following
      this.#context.growth.close()
      this.#feed.close()
    }
    if (this.#bug) throw this.#bug
    return runResult(this.#context.state, this.status(), {
      abandoned: this.#abandoned,
      stuck: this.#stuck,
      takenOver: this.#takenOver,
      publishTrouble: this.#context.landing.publisher.trouble,
    })
  }

  async #loop(): Promise<void> {
    for (;;) {
      if (this.#bug) throw this.#bug
      if (this.#abandoned) return
      const decided = await this.#tick()
      for (const fact of decided) this.#performer.perform(fact)
      if (this.#context.state.finished) return
      await this.#untilSomethingHappens()
    }
  }

  #take(fact: Fact): void {
    this.#facts.push(fact)
    this.#pause.cutShort()
  }

  /** Facts that the next tick takes in count, too. */
  #isEnding(index: number): boolean {
    const { state } = this.#context
    const { id } = taskAt(state.graph, index)
    const { state: current } = record(state, index)
    if (current.status === 'running' && current.stopping !== null) return true
    return this.#facts.some(
      (fact) => fact.type === 'run.cancelled' || (fact.type === 'task.cancelled' && fact.task === id),
    )
  }

  async #tick(): Promise<Decided[]> {
    const { state, journal, clock } = this.#context
    let now = clock.now()
    const events: Event[] = []
    const add = (fact: Fact) => {
      const event = journal.event(fact, now)
      events.push(event)
      apply(state, event)
      this.#context.learner.look(event, this.#learningContext)
    }
    if (this.#facts.some(({ type }) => type === 'attempt.finished')) await this.#others.readRequests()
    // Notes and questions of agents come first: after the end of their attempt they would not count. The set names each fact once.
    const ofAgents = this.#facts.filter(({ type }) => type === 'attempt.noted' || type === 'attempt.asked')
    for (const fact of new Set([...ofAgents, ...this.#facts.splice(0)]))
      if (!isStale(state, fact)) add(fact.type === 'attempt.asked' ? answered(state, fact, now) : fact)
    const grow = () => {
      const before = events.length
      for (const fact of this.#context.growth.facts()) add(fact)
      if (this.#context.growth.trouble !== null) this.#stop(this.#context.growth.trouble)
      return events.length > before
    }
    grow()
    const decided: Decided[] = []
    for (let next = decide(state, now); next; next = decide(state, now)) {
      if (next.type === 'run.finished') {
        if (!(await this.#publishAll(events.splice(0)))) return []
        // Publishing may take seconds, and facts that arrive meanwhile come before the end.
        now = clock.now()
        if (grow()) continue
        if (this.#context.growth.trouble !== null) break
      }
      decided.push(next)
      add(withModel(next, this.#context))
    }
    if (events.length > 0 && !(await this.#write(events))) return []
    return decided
  }

  /**
   * Writes a first part of the tick and waits until the work is in the repository and the statuses are in the plan file (which
   * `resume` writes later if that fails). Only then may anybody read that the run is finished. False: another engine has taken over.
   */
  async #publishAll(events: Event[]): Promise<boolean> {
    if (events.length > 0 && !(await this.#write(events))) return false
    const { landing, planFile, state } = this.#context
    // A user who interrupts does not want to wait, and `resume` writes the rest.
    const patienceMs = state.stop === 'interrupt' ? INTERRUPTED_PATIENCE_MS : undefined
    await Promise.all([landing.publisher.settled(), planFile.status?.settled(patienceMs), recordSuite(this.#context)])
    return true
  }

  /** False: another engine has taken over, and nothing was written. */
  async #write(events: Event[]): Promise<boolean> {
    const { state, journal, machine } = this.#context
    const tasks = await journal.append(state, events, this.summary())
    if (tasks === 'removed') {
      this.#leaveAlone()
      this.#stop(`the state folder ${machine.folder.root} was removed or replaced while the run worked`)
      return false
    }
    if (tasks === 'fenced') {
      this.#beTakenOver()
      return false
    }
    this.#context.growth.written()
    for (const event of events) this.#feed.publish(event)
    this.#performer.follow(events)
    this.#context.landing.publish(tasks)
    this.#context.planFile.status?.follow(tasks)
    this.#context.learner.keep(this.id, events.at(-1)?.seq ?? 0)
    return true
  }

  #beTakenOver(): void {
    this.#takenOver = true
    this.#leaveAlone()
    this.#stop(takenOverText(this.id))
  }

  /** The engine that has taken over publishes the rest and writes the plan file. */
  #leaveAlone(): void {
    this.#context.landing.publisher.abandon()
    this.#context.planFile.status?.abandon()
    this.#progress.abandon()
  }

  /** Takes up the work of the previous engine, and publishes what that had not yet. */
  #recover(): void {
    const { state, landing, planFile } = this.#context
    this.#performer.recover()
    const { counts } = state
    const isNew =
      counts.pending + counts.ready === counts.total && state.tasks.every(({ history }) => history.length === 0)
    if (isNew) return
    const tasks = state.tasks.map((_, index) => taskView(state, index))
    landing.publish(tasks)
    planFile.status?.follow(tasks)
  }

  /** Shows an agent's activity at once, and keeps it for watchers elsewhere. */
  #say(task: string, attempt: number, message: string): void {
    const { clock, secrets } = this.#context
    const progress: Progress = { type: 'attempt.progress', task, attempt, at: clock.now(), message }
    this.#feed.publish(progress)
    this.#progress.push({ ...progress, message: keptText(message, secrets) })
  }

  /** A journal that cannot be written stops the run in order: events that are not written have not happened. */
  #fail(error: unknown): void {
    const trouble = storeTrouble(this.#context.machine.folder.database, error)
    if (trouble !== null) this.#stop(trouble)
    else if (isMachineTrouble(error)) this.#stop(machineTroubleText(error))
    else this.#bug ??= error
    this.#pause.cutShort()
  }

  #stop(stuck: string): void {
    this.#stuck ??= stuck
    this.abandon()
  }

  async #untilSomethingHappens(): Promise<void> {
    const { growth, state, clock } = this.#context
    if (this.#facts.length > 0 || growth.isWaiting || this.#abandoned || this.#bug) return
    const due = nextWake(state)
    const ms = due === null ? Number.POSITIVE_INFINITY : Math.min(due - clock.now(), MAX_TIMER_MS)
    await this.#pause.take(Math.max(0, ms))
  }
}

const INTERRUPTED_PATIENCE_MS = 500
const MAX_TIMER_MS = 60_000
