// A run, being executed. The engine's tick: take in what came back, decide, write it all to the journal in one
// transaction, then do it. Nothing is done that is not written, and nothing here decides anything: see scheduler/.
//
// Properties
// - Recovery is the same tick after a restart: attempts that the journal says are running are taken up again (their
//   supervisors have gone on), and a landing that was under way looks first whether the branch has moved already.
// - One writer: the lock of the state folder, and behind it the journal's numbering.
// Tolerated: being killed between any two lines of this file.
import type { Agent } from '../agents/agent.ts'
import { LIMITS, type Settings } from '../config.ts'
import type { Event, Fact } from '../event.ts'
import type { EngineRepository } from '../git/engine-repository.ts'
import type { LandUnit } from '../landing/land.ts'
import { readTail } from '../process/output.ts'
import { apply } from '../scheduler/apply.ts'
import { type Decision, decide, nextWake } from '../scheduler/decide.ts'
import { type RunState, record } from '../scheduler/state.ts'
import { runSummary, taskView, toFact } from '../scheduler/view.ts'
import type { RunSummary, RunView, TaskView } from '../status.ts'
import type { Store } from '../store/store.ts'
import type { Plan, Task } from '../task.ts'
import { Attempt } from './attempt.ts'
import { EventFeed } from './event-feed.ts'
import type { Publisher } from './publisher.ts'
import type { RunEvent } from './run-event.ts'
import { type RunResult, runResult } from './run-result.ts'
import { attemptFolder, attemptToken, type StateFolder } from './state-folder.ts'
import { Throttle } from './throttle.ts'

export type RunContext = {
  id: string
  repo: string
  plan: Plan
  state: RunState
  /** Events already in the journal. */
  seq: number
  store: Store
  folder: StateFolder
  /** The store, the lock and what else is given back when the run is let go. */
  held: AsyncDisposable
  settings: Settings
  environment: NodeJS.ProcessEnv
  engine: EngineRepository
  include: readonly string[]
  setupKey: string | null
  agentOf(task: Task): Agent
  land(tasks: LandUnit['tasks'], work: string, onto: string): Promise<Fact>
  publisher: Publisher
}

export class Run implements AsyncDisposable {
  readonly #at: RunContext
  readonly #feed = new EventFeed()
  readonly #attempts = new Map<string, Attempt>()
  readonly #kept = new Set<string>()
  /** Attempts and landings that are being performed. */
  readonly #underWay = new Set<Promise<void>>()
  #inbox: Fact[] = []
  #wake: (() => void) | null = null
  #seq: number
  #lastAt = 0
  #abandoned = false
  #bug: unknown = null
  #executing: Promise<RunResult> | null = null
  #unanswered = new Set<number>()

  constructor(context: RunContext) {
    this.#at = context
    this.#seq = context.seq
  }

  get id(): string {
    return this.#at.id
  }

  get branch(): string {
    return this.#at.state.branch
  }

  get plan(): Plan {
    return this.#at.plan
  }

  /** Runs until every task has come to rest, or the run was interrupted or abandoned. */
  execute(): Promise<RunResult> {
    this.#executing ??= this.#execute()
    return this.#executing
  }

  /** How it stands now, without the tasks: costs nothing on a large plan. */
  summary(): RunSummary {
    const { state, id, plan, repo } = this.#at
    return runSummary(state, { run: id, name: plan.name, repo, enginePid: process.pid })
  }

  /** How it stands now. */
  status(): RunView {
    const { state } = this.#at
    const summary = this.summary()
    const durationMs = (state.finishedAt ?? Date.now()) - state.startedAt
    const tasks = state.graph.tasks.map((_, index) => taskView(state, index))
    return { ...summary, engine: { pid: process.pid }, durationMs, tasks }
  }

  /** From the first event of the journal on. Ends when `execute` does. */
  async *events(): AsyncGenerator<RunEvent, void, void> {
    const live = this.#feed.watch([])
    try {
      const past = await this.#at.store.events(this.#at.id)
      const last = past.at(-1)?.seq ?? 0
      yield* past
      for await (const event of live) if (!('seq' in event) || event.seq > last) yield event
    } finally {
      await live.return?.()
    }
  }

  /** The whole run, or one task of it. */
  cancel(task?: string): void {
    if (task === undefined) this.#tell({ type: 'run.cancelled', request: null })
    else if (this.#at.state.graph.taskIndex.has(task)) this.#tell({ type: 'task.cancelled', task, request: null })
  }

  /** Stop dispatching, end what runs, leave a run that can be resumed. */
  interrupt(): void {
    this.#tell({ type: 'run.interrupted', request: null })
  }

  /** Let go at once. Agents go on under their supervisors, and a later `resume` takes them over. */
  abandon(): void {
    this.#abandoned = true
    this.#wake?.()
  }

  /** Whatever still runs is let go, and nothing here touches it any more when the lock is given back. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.abandon()
    await this.#executing?.catch(() => {}) // whoever called `execute` hears of it
    for (const attempt of this.#attempts.values()) attempt.letGo()
    await Promise.all(this.#underWay)
    await this.#at.held[Symbol.asyncDispose]()
  }

  async #execute(): Promise<RunResult> {
    const requests = setInterval(
      () => void this.#readRequests().catch((error) => this.#fail(error)),
      LIMITS.requestPollMs,
    )
    try {
      this.#recover()
      await this.#readRequests()
      await this.#loop()
    } finally {
      clearInterval(requests)
      this.#feed.close()
    }
    const { id, state, publisher } = this.#at
    return runResult(id, state, { abandoned: this.#abandoned, publishTrouble: publisher.trouble, now: Date.now() })
  }

  async #loop(): Promise<void> {
    for (;;) {
      if (this.#bug) throw this.#bug
      if (this.#abandoned) return
      const decisions = await this.#tick()
      for (const decision of decisions) this.#perform(decision)
      if (this.#at.state.finished) return
      await this.#untilSomethingHappens()
    }
  }

  async #tick(): Promise<Decision[]> {
    const { state } = this.#at
    const now = this.#now()
    const events: Event[] = []
    const add = (fact: Fact) => {
      const event: Event = { ...fact, seq: this.#seq + events.length + 1, at: now }
      events.push(event)
      apply(state, event)
    }
    for (const fact of this.#inbox.splice(0)) if (!this.#isStale(fact)) add(fact)
    const decisions: Decision[] = []
    for (let next = decide(state, now); next; next = decide(state, now)) {
      if (next.kind === 'finish') await this.#publishAll(events.splice(0))
      decisions.push(next)
      add(toFact(next))
    }
    if (events.length > 0) await this.#write(events)
    return decisions
  }

  /** A run that is over is not resumed, so whoever reads that it is over must find all of it in the repository. */
  async #publishAll(events: Event[]): Promise<void> {
    if (events.length > 0) await this.#write(events)
    await this.#at.publisher.settled()
  }

  /** A result of an attempt that is not the one alive is refused (I2). */
  #isStale(fact: Fact): boolean {
    if (fact.type !== 'attempt.finished') return false
    const { state } = this.#at
    const current = record(state, state.graph.taskIndex.get(fact.task) ?? -1).state
    return current.status !== 'running' || current.attempt !== fact.attempt
  }

  async #write(events: Event[]): Promise<void> {
    const { state, store, id } = this.#at
    const tasks = [...state.changed].map((index) => taskView(state, index))
    state.changed.clear()
    await store.append(id, events, { run: this.summary(), tasks })
    this.#seq += events.length
    for (const event of events) {
      if (event.type === 'landing.landed') this.#at.publisher.moved(event.commit)
      this.#feed.publish(event)
    }
    for (const task of tasks) this.#keep(task)
  }

  /** Work that will not land: of a failed attempt, of a task that went down with its epic, of one that never should. */
  #keep({ id, status, history }: TaskView): void {
    const isOut = status === 'failed' || status === 'blocked' || status === 'cancelled'
    for (const { attempt, commit, failure } of history) {
      const name = `${id}/${attempt}`
      if (commit === null || !(failure || isOut || status === 'passed') || this.#kept.has(name)) continue
      this.#kept.add(name)
      this.#at.publisher.keep({ task: id, attempt, commit, kind: failure || isOut ? 'failed' : 'kept' })
    }
  }

  #perform(decision: Decision): void {
    switch (decision.kind) {
      case 'start':
        this.#track(this.#start(decision.task, decision.attempt, decision.slot, decision.base))
        break
      case 'stop':
        this.#attempts.get(decision.task)?.stop(decision.reason)
        break
      case 'land':
        this.#track(this.#land(decision.tasks, decision.commit, decision.onto))
        break
      case 'finish':
        break
      default:
        decision satisfies never
    }
  }

  /** What the journal says is under way, is: take it up. */
  #recover(): void {
    const { state } = this.#at
    for (const index of state.running) {
      const { state: current, history } = record(state, index)
      const last = history.at(-1)
      const task = state.graph.tasks[index]
      if (current.status !== 'running' || !last || !task) continue
      this.#track(this.#start(task.id, last.attempt, last.slot, last.base))
      if (current.stopping) this.#attempts.get(task.id)?.stop(current.stopping)
    }
    if (state.landing) {
      const { unit, commit, onto } = state.landing
      const tasks = state.graph.units[unit]?.members.map((member) => state.graph.tasks[member]?.id ?? '') ?? []
      this.#track(this.#land(tasks, commit, onto))
    }
    // Whatever of it the engine before this one did not get to publish.
    if (state.head !== state.base) this.#at.publisher.moved(state.head)
    state.tasks.forEach((task, index) => {
      if (task.history.length > 0) this.#keep(taskView(state, index))
    })
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#underWay.delete(tracked))
    this.#underWay.add(tracked)
  }

  async #start(id: string, number: number, slot: number, base: string): Promise<void> {
    const { state, plan, folder, settings, environment, engine, include, setupKey } = this.#at
    const index = state.graph.taskIndex.get(id) ?? -1
    const task = plan.tasks[index] as Task
    const unit = state.graph.units[state.graph.unitOf[index] ?? -1]
    const say = new Throttle((message: string) =>
      this.#feed.publish({ type: 'attempt.progress', task: id, attempt: number, at: this.#now(), message }),
    )
    const attempt = new Attempt({
      run: this.id,
      task,
      attempt: number,
      slot,
      base,
      continues: unit !== undefined && unit.members[0] !== index,
      setupKey,
      include,
      engine,
      agent: this.#at.agentOf(task),
      earlier: () => this.#earlier(task, number),
      folder: attemptFolder(folder, this.id, id, number),
      token: attemptToken(this.id, state.seed, id, number),
      settings,
      environment,
      progress: (message) => say.push(message),
    })
    this.#attempts.set(id, attempt)
    try {
      this.#tell(await attempt.result)
    } catch (error) {
      if (!this.#abandoned) this.#tell(unexpected(id, number, error))
    } finally {
      say.end()
      if (this.#attempts.get(id) === attempt) this.#attempts.delete(id)
    }
  }

  /** What the attempt before this one failed of, for the prompt. */
  async #earlier(task: Task, attempt: number) {
    const { state, folder } = this.#at
    const history = record(state, state.graph.taskIndex.get(task.id) ?? -1).history
    const last = history.filter((view) => view.attempt < attempt && view.failure).at(-1)
    if (!last?.failure) return null
    const outputTail = await readTail(attemptFolder(folder, this.id, task.id, last.attempt).work, EARLIER_OUTPUT_BYTES)
    return { attempt: last.attempt, failure: last.failure, outputTail }
  }

  async #land(ids: string[], commit: string, onto: string): Promise<void> {
    const { state, plan, land } = this.#at
    const tasks = ids.map((id) => {
      const index = state.graph.taskIndex.get(id) ?? -1
      const last = record(state, index).history.at(-1)
      const title = (plan.tasks[index] as Task).title
      return { id, title, attempt: last?.attempt ?? 1, base: last?.base ?? onto }
    })
    try {
      this.#tell(await land(tasks, commit, onto))
    } catch (error) {
      this.#fail(error)
    }
  }

  async #readRequests(): Promise<void> {
    const { store, id, state } = this.#at
    const seen = Math.max(state.lastRequest, ...this.#unanswered)
    for (const request of await store.requests(id, seen)) {
      this.#unanswered.add(request.id)
      if (request.type === 'interrupt') this.#tell({ type: 'run.interrupted', request: request.id })
      else if (request.task === null) this.#tell({ type: 'run.cancelled', request: request.id })
      else if (state.graph.taskIndex.has(request.task))
        this.#tell({ type: 'task.cancelled', task: request.task, request: request.id })
    }
  }

  #tell(fact: Fact): void {
    this.#inbox.push(fact)
    this.#wake?.()
  }

  #fail(error: unknown): void {
    this.#bug ??= error
    this.#wake?.()
  }

  async #untilSomethingHappens(): Promise<void> {
    if (this.#inbox.length > 0 || this.#abandoned || this.#bug) return
    const due = nextWake(this.#at.state)
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      if (due !== null) timer = setTimeout(resolve, Math.min(Math.max(0, due - this.#now()), MAX_TIMER_MS))
    })
    clearTimeout(timer)
    this.#wake = null
  }

  /** Never goes back, whatever the clock does. */
  #now(): number {
    this.#lastAt = Math.max(this.#lastAt, Date.now())
    return this.#lastAt
  }
}

const EARLIER_OUTPUT_BYTES = 4_000
const MAX_TIMER_MS = 60_000

/** A disk that is full, a folder that may not be written: the attempt failed, the run goes on. */
function unexpected(task: string, attempt: number, error: unknown): Fact {
  const message = error instanceof Error ? error.message : String(error)
  const failure = { reason: 'spawn-failed' as const, message: `the engine could not run it: ${message}` }
  return {
    type: 'attempt.finished',
    task,
    attempt,
    outcome: 'failed',
    commit: null,
    failure,
    diff: null,
    usage: null,
    summary: null,
  }
}
