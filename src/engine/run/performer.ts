// Does what was decided: starts attempts, stops them, lands their work, and tells the run what came of it. After a
// restart it takes up what the journal says is under way. It decides nothing and writes nothing.
//
// Properties: an attempt or a landing is under way here at most once. Once it has let go, nothing here touches what
// runs any more.
import { Throttle } from '../../async/throttle.ts'
import { Attempt } from '../../attempt/attempt.ts'
import { budgetName } from '../../budget.ts'
import { LIMITS } from '../../config.ts'
import type { Fact, StopReason } from '../../event.ts'
import { diskTroubleText, isDiskTrouble } from '../../git/run/disk-trouble.ts'
import { slotOf } from '../../git/slots/slot.ts'
import { touchedPaths } from '../../git/slots/worktree-changes.ts'
import type { LandItem } from '../../landing/build.ts'
import type { Landing } from '../../landing/retry.ts'
import { budgetToEndFor } from '../../scheduler/budgets/accounts.ts'
import type { Decision } from '../../scheduler/decide.ts'
import { type RunState, record } from '../../scheduler/state.ts'
import { money } from '../../text/usage-text.ts'
import { attemptSpec, resolvesOf, taskOf } from './attempt-order.ts'
import type { RunContext, Telling } from './context.ts'
import { OverlapWatch } from './overlaps.ts'
import { Verifying } from './verifications.ts'

export class Performer {
  readonly #run: RunContext
  readonly #tell: Telling
  readonly #attempts = new Map<string, Attempt>()
  readonly #verifying: Verifying
  readonly #underWay = new Set<Promise<void>>()
  readonly #overlaps: OverlapWatch
  #gone = false

  constructor(context: RunContext, tell: Telling) {
    this.#run = context
    this.#tell = tell
    this.#verifying = new Verifying(context, tell)
    const touched = (slot: number) => touchedPaths(slotOf(context.engine, slot), LIMITS.lookMs)
    this.#overlaps = new OverlapWatch(context.state, touched, (fact) => tell.fact(fact))
  }

  perform(decision: Decision): void {
    switch (decision.kind) {
      case 'start':
        this.#track(this.#start(decision.task, decision.attempt, decision.slot, decision.base))
        break
      case 'stop':
        this.#stop(decision.task, decision.reason)
        break
      case 'build':
        this.#track(this.#build(decision.items, decision.onto, decision.verify))
        break
      case 'verify':
        this.#track(this.#verifying.verify(decision.verification, decision.commit, decision.slot))
        break
      case 'halt':
        this.#verifying.halt(decision.verification)
        break
      case 'move':
        this.#track(this.#move(decision.items, decision.onto))
        break
      case 'eject':
        break
      case 'reach':
        break
      case 'finish':
        break
      default:
        decision satisfies never
    }
  }

  /** What the journal says is under way, is: take it up. */
  recover(): void {
    const { state, stoppedAt } = this.#run
    for (const index of state.running) {
      const { state: current, history } = record(state, index)
      const last = history.at(-1)
      const task = state.graph.tasks[index]
      if (current.status !== 'running' || !last || !task) continue
      this.#track(this.#start(task.id, last.attempt, last.slot, last.base))
      // The engine that was interrupted is gone, and this one was asked to go on: what outlived that goes on too.
      if (current.stopping && current.stopping !== 'interrupted')
        this.#stop(task.id, current.stopping, stoppedAt.get(task.id))
    }
    this.#recoverLanding()
  }

  /** A branch that may have moved, and commands that verify: those are ended, their batch is made anew. */
  #recoverLanding(): void {
    const { building, moving, items, verifications } = this.#run.state.batch
    if (building)
      this.perform({ kind: 'build', ...building, items: building.items.map((one) => this.#named(one.unit, one.work)) })
    if (moving !== null) {
      const named = items.map((one) => this.#named(one.unit, one.commit))
      this.perform({ kind: 'move', items: named, commit: moving, onto: this.#run.state.head })
    }
    for (const { number, commit, slot } of verifications) {
      this.#track(this.#verifying.verify(number, commit, slot))
      this.#verifying.halt(number)
    }
  }

  #named(unit: number, commit: string): { tasks: string[]; commit: string } {
    const { graph } = this.#run.state
    return { tasks: graph.units[unit]?.members.map((member) => graph.tasks[member]?.id ?? '') ?? [], commit }
  }

  /** Tells of agents that have fallen silent, and of those that have stirred again. */
  lookForStalls(): void {
    for (const [task, attempt] of this.#attempts) {
      const current = this.#running(task)
      if (!current || current.stopping) continue
      const silentMs = attempt.silentFor(this.#run.settings.stallAfterMs)
      if ((silentMs === null) === (current.stalledSince === null)) continue
      const which = { task, attempt: current.attempt }
      if (silentMs === null) this.#tell.fact({ type: 'attempt.stirred', ...which })
      else this.#tell.fact({ type: 'attempt.stalled', ...which, since: Math.round(Date.now() - silentMs) })
    }
  }

  /** Tells of agents that change the same paths. The worktrees are looked at in the background, one time at a time. */
  lookForOverlaps(): void {
    const working = [...this.#attempts].flatMap(([task, attempt]) => {
      const current = this.#running(task)
      if (!attempt.isAtWork || !current || current.stopping) return []
      const index = this.#run.state.graph.taskIndex.get(task) ?? -1
      const last = record(this.#run.state, index).history.at(-1)
      return last
        ? [{ task, attempt: current.attempt, slot: last.slot, isAtWork: () => !this.#gone && attempt.isAtWork }]
        : []
    })
    this.#track(this.#overlaps.look(working))
  }

  /** The agent of a task may write more from now on. */
  granted(task: string): void {
    const attempt = this.#attempts.get(task)
    if (!attempt) return
    const trouble = (error: unknown) => {
      if (isDiskTrouble(error)) this.#tell.stuck(`${task} could not be granted more: ${diskTroubleText(error)}`)
      else this.#tell.bug(error)
    }
    this.#track(attempt.writeMayWrite().catch(trouble))
  }

  /** Leaves what runs to the next engine. Resolves when nothing is under way here any more. */
  async letGo(): Promise<void> {
    this.#gone = true
    for (const attempt of this.#attempts.values()) attempt.letGo()
    this.#verifying.letGo()
    await Promise.all(this.#underWay)
  }

  #stop(task: string, reason: StopReason, at = Date.now()): void {
    const current = this.#running(task)
    const silentMs = Math.max(0, at - (current?.stalledSince ?? at))
    const budget = reason === 'budget' ? usedUpText(this.#run.state, task) : ''
    const goesOn = this.#attempts.get(task)?.stop(reason, { at, silentMs, budget }) === false
    if (goesOn && current) this.#tell.fact({ type: 'attempt.stirred', task, attempt: current.attempt })
  }

  #running(task: string) {
    const { state } = this.#run
    const { state: current } = record(state, state.graph.taskIndex.get(task) ?? -1)
    return current.status === 'running' ? current : null
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#underWay.delete(tracked))
    this.#underWay.add(tracked)
  }

  async #start(id: string, number: number, slot: number, base: string): Promise<void> {
    const say = new Throttle((message: string) => this.#tell.progress(id, number, message))
    const tell = { progress: (message: string) => say.push(message), fact: (fact: Fact) => this.#tell.fact(fact) }
    const attempt = new Attempt(attemptSpec(this.#run, { id, number, slot, base }, tell))
    this.#attempts.set(id, attempt)
    try {
      this.#tell.fact(await attempt.result)
    } catch (error) {
      if (this.#gone) return
      // Not a failure of the task: it would cost every task its attempts, one after the other.
      if (isDiskTrouble(error)) this.#tell.stuck(`${id} could not go on: ${diskTroubleText(error)}`)
      else this.#tell.fact(unexpected(id, number, error))
    } finally {
      say.end()
      if (this.#attempts.get(id) === attempt) this.#attempts.delete(id)
    }
  }

  async #build(items: Named[], onto: string, verify: boolean): Promise<void> {
    const merged = items.map(({ tasks, commit }) => {
      return { tasks: this.#attemptsOf(tasks, onto), work: commit, hasAgent: this.#hasAgent(tasks) }
    })
    await this.#landing(items, () => (verify ? this.#run.build(merged, onto) : this.#run.land(merged, onto)))
  }

  async #move(items: Named[], onto: string): Promise<void> {
    const moved = items.map((item) => ({ ...item, attempts: this.#attemptsOf(item.tasks, onto) }))
    await this.#landing(items, () => this.#run.move(moved, onto))
  }

  async #landing(items: Named[], land: () => Promise<Landing>): Promise<void> {
    try {
      const landing = await land()
      if (landing.ok) for (const fact of landing.facts) this.#tell.fact(fact)
      else this.#tell.stuck(`${items.flatMap((item) => item.tasks).join(', ')} could not land: ${landing.message}`)
    } catch (error) {
      this.#tell.bug(error)
    }
  }

  #hasAgent([task = '', ...more]: string[]): boolean {
    const index = this.#run.state.graph.taskIndex.get(task) ?? -1
    return more.length === 0 && taskOf(this.#run, index).work.kind === 'prompt'
  }

  /** A resolution is a change to what it was resolved on, whatever commit the attempt began with. */
  #attemptsOf(tasks: string[], onto: string): LandItem['tasks'] {
    const { state } = this.#run
    return tasks.map((id) => {
      const index = state.graph.taskIndex.get(id) ?? -1
      const last = record(state, index).history.at(-1)
      const { title, decisions } = taskOf(this.#run, index)
      const { attempt = 1, base = onto, summary = null } = last ?? {}
      return { id, title, summary, decisions, attempt, base: resolvesOf(this.#run, index)?.onto ?? base }
    })
  }
}

/** `commit`: the work, or what it was merged to. */
type Named = { tasks: string[]; commit: string }

/** A folder that may not be written: the attempt failed, the run goes on. */
function unexpected(task: string, attempt: number, error: unknown): Fact {
  const why = error instanceof Error ? error.message : String(error)
  const failure = { reason: 'spawn-failed' as const, message: `the engine could not run it: ${why}` }
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

/** Which budget an attempt is ended for, and what to do about it. */
export function usedUpText(state: RunState, task: string): string {
  const budget = budgetToEndFor(state, state.graph.taskIndex.get(task) ?? -1)
  // It was told to end, and then the run was resumed with more money.
  if (!budget) return 'a budget was used up when it was told to end; there is more now, so it starts again'
  const what = `${budgetName(budget)} (${money(budget.budgetUsd)}) is used up`
  return `${what}: ${ADVICE[budget.scope]}`
}

const ADVICE = {
  task: 'give it more with `budgetUsd:`',
  epic: 'give it more with `budgetUsd:` in the plan, and `espalier resume --replan` goes on',
  run: '`espalier resume --budget-usd N` goes on with more',
}
