// Carries out decisions: hands orders to the runner, stops attempts, lands their work, and reports the results to the run.
// After a restart it takes up the attempts and landings of the journal. It decides nothing and writes nothing.
//
// Properties: an attempt or a landing is active here at most once. After `letGo` nothing here touches running attempts.
import { retry } from '../../async/retry.ts'
import { Throttle } from '../../async/throttle.ts'
import type { AttemptFinished, AttemptHost, AttemptReport, RunningAttempt } from '../../attempt/attempt-order.ts'
import { stopped } from '../../attempt/exit-failures.ts'
import { budgetName } from '../../budget.ts'
import type { Event, Fact, Failure, RequestedFact, StopReason } from '../../event.ts'
import { namingEngineTrouble } from '../../git/engine/engine-trouble.ts'
import { isMachineTrouble, machineTroubleText } from '../../git/run/machine-trouble.ts'
import { endedWithoutWork } from '../../outcome-of-failure.ts'
import { formatProblem, type Result } from '../../problem.ts'
import { isNewsOf } from '../../scheduler/apply/attempt.ts'
import { budgetToEndFor, hasBudgets } from '../../scheduler/budgets/accounts.ts'
import type { Decided } from '../../scheduler/decide.ts'
import { taskAt } from '../../scheduler/graph.ts'
import { indexOf, type RunState, record } from '../../scheduler/state.ts'
import { LOCAL } from '../../status.ts'
import { money } from '../../text/usage-text.ts'
import type { Note } from '../../view.ts'
import { attemptFolder } from '../../workspace/state-folder.ts'
import { attemptOrder, budgetOf, type Which } from './make-attempt-order.ts'
import { afterMachineTrouble, isOfOneAttempt } from './retry-on-machine-trouble.ts'
import type { RunContext, Telling } from './run-context.ts'

export class Performer {
  readonly #run: RunContext
  readonly #tell: Telling
  /** Running attempts by task. Messages for one whose order is still being made wait for it. */
  readonly #attempts = new Map<string, Promise<RunningAttempt>>()
  readonly #underWay = new Set<Promise<void>>()
  /** Reasons to end attempts, by task: a restarted attempt gets its reason again. */
  readonly #stops = new Map<string, { attempt: number; why: Failure; at: number }>()
  readonly #leaving = new AbortController()
  #gone = false

  constructor(context: RunContext, tell: Telling) {
    this.#run = context
    this.#tell = tell
  }

  perform(fact: Decided): void {
    switch (fact.type) {
      case 'attempt.started':
        this.#track(this.#start(fact))
        break
      case 'attempt.stopping':
        this.#stop(fact.task, fact.reason)
        break
      case 'attempt.finished': // decided only where a worker was lost; other ends come from `#start`
        this.#with(fact.task, async (attempt) => (attempt.giveUp ? attempt.giveUp() : attempt.letGo()))
        break
      case 'landing.started':
        this.#land(this.#run.landing.build(fact))
        break
      case 'landing.verifying':
        this.#land(
          this.#run.landing.verify(fact.verification, fact.commit, { worker: fact.worker ?? LOCAL, slot: fact.slot }),
        )
        break
      case 'landing.halting':
        this.#run.landing.halt(fact.verification)
        break
      case 'landing.moving':
        this.#land(this.#run.landing.move(fact))
        break
      case 'landing.refused':
      case 'budget.reached':
      case 'run.finished':
        break
      default:
        fact satisfies never
    }
  }

  recover(): void {
    const { state, landing } = this.#run
    for (const index of state.running) {
      const { state: current, history } = record(state, index)
      const last = history.at(-1)
      const task = state.graph.tasks[index]
      if (current.status !== 'running' || !last || !task) continue
      this.#track(this.#start({ ...last, task: task.id }))
      // The interrupted engine is gone, and this one was asked to continue: so does an attempt that survived the interruption.
      if (current.stopping && current.stopping !== 'interrupted')
        this.#stop(task.id, current.stopping, current.stoppingSince)
    }
    for (const result of landing.recover()) this.#land(result)
  }

  follow(events: readonly Event[]): void {
    const { state } = this.#run
    for (const event of events) if (event.type === 'attempt.asked' && event.holder === null) this.#allow(event)
    const hasSpent = events.some(({ type }) => type === 'attempt.spent' || type === 'attempt.finished')
    if (!hasSpent || !hasBudgets(state)) return
    for (const task of this.#attempts.keys()) {
      const budget = budgetOf(state, indexOf(state, task))
      this.#with(task, async (attempt) => attempt.setBudget?.(budget))
    }
  }

  /** Handles a worker's request. If its attempt is not the live one (I2), only its cost counts. */
  hear(fact: FactOfWorker, request: number): void {
    const { state, runner } = this.#run
    if (fact.type === 'landing.verified') {
      runner.deliver?.(fact)
      return
    }
    const index = state.graph.taskIndex.get(fact.task)
    if (index === undefined) return
    const isAlive = this.#running(fact.task)?.attempt === fact.attempt
    if (fact.type !== 'attempt.finished') {
      if (isAlive) this.#tell.fact(fact)
      return
    }
    const { isNew, ...finished } = fact
    if (isAlive) runner.deliver?.(finished, isNew)
    else {
      const { task, attempt, usage } = finished
      const view = record(state, index).history.find((one) => one.attempt === attempt)
      if (usage && view && isNewsOf(view)) this.#tell.fact({ type: 'attempt.late', task, attempt, usage, request })
    }
  }

  #allow({ task, paths }: { task: string; paths: readonly string[] }): void {
    this.#with(task, async (attempt) =>
      attempt.allow?.(paths).catch((error) => {
        if (isMachineTrouble(error)) this.#tell.stuck(`${task} could not be granted more: ${machineTroubleText(error)}`)
        else this.#tell.bug(error)
      }),
    )
  }

  /** Leaves running attempts to the next engine. Resolves when nothing is active here any more. */
  async letGo(): Promise<void> {
    this.#gone = true
    this.#leaving.abort()
    for (const task of this.#attempts.keys()) this.#with(task, async (attempt) => attempt.letGo())
    this.#run.landing.letGo()
    await Promise.all(this.#underWay)
  }

  #stop(task: string, reason: StopReason, at = Date.now()): void {
    const { state } = this.#run
    const current = this.#running(task)
    const silentMs = Math.max(0, at - (current?.stalledSince ?? at))
    const budget = reason === 'budget' ? usedUpText(state, task) : ''
    const why = stopped(reason, {
      timeoutMs: taskAt(state.graph, indexOf(state, task)).timeoutMs ?? state.limits.timeoutMs,
      silentMs,
      budget,
    })
    if (current) this.#stops.set(task, { attempt: current.attempt, why, at })
    this.#with(task, async (attempt) => {
      const isStopping = await attempt.stop(why, at)
      if (!isStopping) this.#stops.delete(task)
      if (!isStopping && current) this.#tell.fact({ type: 'attempt.stirred', task, attempt: current.attempt })
    })
  }

  /** If the attempt could not be started, `#start` reports that. */
  #with(task: string, use: (attempt: RunningAttempt) => Promise<void>): void {
    const attempt = this.#attempts.get(task)
    if (attempt) this.#track(attempt.then(use, () => {}))
  }

  #running(task: string) {
    const { state } = this.#run
    const { state: current } = record(state, indexOf(state, task))
    return current.status === 'running' ? current : null
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#underWay.delete(tracked))
    this.#underWay.add(tracked)
  }

  async #start(which: Which): Promise<void> {
    const { task: id, attempt: number } = which
    const { id: run } = this.#run
    const { folder } = this.#run.machine
    const say = new Throttle((message: string) => this.#tell.progress(id, number, message))
    const host: AttemptHost = {
      report: (fact) => this.#report(fact),
      progress: (message) => say.push(message),
      notes: () => this.#notes(which),
    }
    const isOfAttempt = (error: Error) => isOfOneAttempt(folder, attemptFolder(folder, run, id, number), error)
    try {
      const result = (tries: number, isLast: boolean) =>
        namingEngineTrouble(this.#run.machine.engine, () => this.#result(which, host, { isAgain: tries > 0, isLast }))
      const fact = await retry(result, afterMachineTrouble(isOfAttempt), this.#leaving.signal)
      this.#tell.fact(fact)
    } catch (error) {
      if (this.#gone) return
      // Not a failure of the task: it would cost every task its attempts, one after the other.
      if (isMachineTrouble(error) && !isOfAttempt(error))
        this.#tell.stuck(`${id} could not continue: ${machineTroubleText(error)}`)
      else this.#tell.fact(unexpected(id, number, error))
    } finally {
      say.end()
      if (this.#stops.get(id)?.attempt === number) this.#stops.delete(id)
    }
  }

  /** Starting the same order again takes up what the first start has left. */
  async #result(
    which: Which,
    host: AttemptHost,
    { isAgain, isLast }: { isAgain: boolean; isLast: boolean },
  ): Promise<AttemptFinished> {
    const { task } = which
    const started = attemptOrder(this.#run, which).then((order) => {
      if (this.#gone) throw new Error(`${task} is left to the next engine`)
      return this.#run.runner.start(order, host, { isLast })
    })
    this.#attempts.set(task, started)
    try {
      const attempt = await started
      const stop = isAgain ? this.#stops.get(task) : undefined
      if (stop?.attempt === which.attempt) await attempt.stop(stop.why, stop.at)
      return await attempt.result
    } finally {
      if (this.#attempts.get(task) === started) this.#attempts.delete(task)
    }
  }

  /** Output of an attempt that is being stopped does not mean that it continues. */
  #report(fact: AttemptReport): void {
    if (fact.type !== 'attempt.spent' && this.#running(fact.task)?.stopping) return
    this.#tell.fact(fact)
  }

  /** Includes requests of this very moment: the agent may have ended right after them. */
  async #notes(which: Which): Promise<Note[]> {
    const { id: run, state, locked } = this.#run
    const requests = await locked.store.requests(run, state.lastRequest)
    const { history } = record(state, indexOf(state, which.task))
    const { notes = [] } = history.find(({ attempt }) => attempt === which.attempt) ?? {}
    const mine = requests
      .map(({ fact }) => fact)
      .filter((fact) => fact.type === 'attempt.noted')
      .filter(({ task, attempt }) => task === which.task && attempt === which.attempt)
    return [...notes, ...mine.map(({ kind, text, details }) => ({ kind, text, details, at: Date.now() }))]
  }

  #land(landing: Promise<Result<Fact[]>>): void {
    const told = landing.then((result) => {
      if (result.ok) for (const fact of result.value) this.#tell.fact(fact)
      else this.#tell.stuck(result.problems.map(formatProblem).join('; '))
    })
    this.#track(told.catch((error) => this.#tell.bug(error)))
  }
}

type ResultOfWorker = Extract<RequestedFact, { type: 'attempt.finished' | 'landing.verified' }>
/** Facts that a worker requests: reports of an attempt, and results. */
type FactOfWorker = ResultOfWorker | Extract<RequestedFact, Pick<AttemptReport, 'type'>>

export function isResult(fact: RequestedFact): fact is ResultOfWorker {
  return fact.type === 'attempt.finished' || fact.type === 'landing.verified'
}

export function isOfWorker(fact: RequestedFact): fact is FactOfWorker {
  const { type } = fact
  return isResult(fact) || type === 'attempt.spent' || type === 'attempt.stalled' || type === 'attempt.stirred'
}

/**
 * The attempt is over, the run continues: the attempt's files were damaged, or the engine has a bug. Work that is in no
 * ref is set aside before another attempt gets the worktree.
 */
function unexpected(task: string, attempt: number, error: unknown): AttemptFinished {
  const why = error instanceof Error ? error.message : String(error)
  const reason = isMachineTrouble(error) ? ('worktree-broken' as const) : ('engine-failed' as const)
  const failure = { reason, message: `the engine could not carry it out: ${why}` }
  return endedWithoutWork({ task, attempt }, failure)
}

/** Names the budget that an attempt is ended for, and what to do about it. */
function usedUpText(state: RunState, task: string): string {
  const budget = budgetToEndFor(state, state.graph.taskIndex.get(task) ?? -1)
  // The run was resumed with more money after the attempt was told to end.
  if (!budget) return 'a budget was used up when it was stopped; there is more now, so it starts again'
  const what = `${budgetName(budget)} (${money(budget.budgetUsd)}) is used up`
  return `${what}: ${ADVICE[budget.scope]}`
}

const ADVICE = {
  task: 'give it more with `budgetUsd:`',
  epic: 'give it more with `budgetUsd:` in the plan, then `espalier resume --replan`',
  run: '`espalier resume --budget-usd N` continues with more',
}
