// Does what was decided: starts attempts, stops them, lands their work, and tells the run what came of it. After a
// restart it takes up what the journal says is under way. It decides nothing and writes nothing.
//
// Properties: an attempt or a landing is under way here at most once. Once it has let go, nothing here touches what
// runs any more.
import { join } from 'node:path'
import { LIMITS } from '../config.ts'
import type { Fact, StopReason } from '../event.ts'
import { diskTroubleText, isDiskTrouble } from '../git/disk-trouble.ts'
import { slotOf } from '../git/slot.ts'
import { touchedPaths } from '../git/worktree-changes.ts'
import type { LandItem } from '../landing/build.ts'
import type { Landing } from '../landing/land-again.ts'
import { secretValues } from '../process/secrets.ts'
import { allowanceOf, tightestBudget } from '../scheduler/accounts.ts'
import { grantedTo } from '../scheduler/asked-claims.ts'
import type { Decision } from '../scheduler/decide.ts'
import { record, unitState } from '../scheduler/state.ts'
import type { Note } from '../status.ts'
import { modelOf } from './agents-of-plan.ts'
import { Attempt } from './attempt.ts'
import { attemptsBefore, earlierFailure } from './earlier.ts'
import { OverlapWatch } from './overlaps.ts'
import { keptText } from './plain-text.ts'
import { promptFacts } from './prompt-facts.ts'
import type { RunContext } from './run-context.ts'
import { attemptFolder, attemptToken, newestIteration, verificationFolder, verificationToken } from './state-folder.ts'
import { Throttle } from './throttle.ts'
import { usedUpText } from './used-up-text.ts'
import { RunningVerification } from './verification.ts'

export type Telling = {
  fact(fact: Fact): void
  /** What an agent says while it works. */
  progress(task: string, attempt: number, message: string): void
  /** The machine does not let it go on; what is under way can be taken up later. */
  stuck(message: string): void
  bug(error: unknown): void
}

export class Performer {
  readonly #at: RunContext
  readonly #tell: Telling
  readonly #attempts = new Map<string, Attempt>()
  readonly #verifications = new Map<number, RunningVerification>()
  /** A verification has passed in this engine's time. */
  #hasPassed = false
  readonly #underWay = new Set<Promise<void>>()
  readonly #overlaps: OverlapWatch
  #gone = false

  constructor(context: RunContext, tell: Telling) {
    this.#at = context
    this.#tell = tell
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
        this.#track(this.#verify(decision.verification, decision.commit, decision.slot))
        break
      case 'halt':
        this.#verifications.get(decision.verification)?.halt()
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
    const { state, stoppedAt } = this.#at
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
    const { building, moving, items, verifications } = this.#at.state.batch
    if (building)
      this.perform({ kind: 'build', ...building, items: building.items.map((one) => this.#named(one.unit, one.work)) })
    if (moving !== null) {
      const named = items.map((one) => this.#named(one.unit, one.commit))
      this.perform({ kind: 'move', items: named, commit: moving, onto: this.#at.state.head })
    }
    for (const { number, commit, slot } of verifications) {
      this.#track(this.#verify(number, commit, slot))
      this.#verifications.get(number)?.halt()
    }
  }

  #named(unit: number, commit: string): { tasks: string[]; commit: string } {
    const { graph } = this.#at.state
    return { tasks: graph.units[unit]?.members.map((member) => graph.tasks[member]?.id ?? '') ?? [], commit }
  }

  /** Tells of agents that have fallen silent, and of those that have stirred again. */
  lookForStalls(): void {
    for (const [task, attempt] of this.#attempts) {
      const current = this.#running(task)
      if (!current || current.stopping) continue
      const silentMs = attempt.silentFor(this.#at.settings.stallAfterMs)
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
      const index = this.#at.state.graph.taskIndex.get(task) ?? -1
      const last = record(this.#at.state, index).history.at(-1)
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
    for (const verification of this.#verifications.values()) verification.letGo()
    await Promise.all(this.#underWay)
  }

  #stop(task: string, reason: StopReason, at = Date.now()): void {
    const current = this.#running(task)
    const silentMs = Math.max(0, at - (current?.stalledSince ?? at))
    const budget = reason === 'budget' ? usedUpText(this.#at.state, task) : ''
    const goesOn = this.#attempts.get(task)?.stop(reason, { at, silentMs, budget }) === false
    if (goesOn && current) this.#tell.fact({ type: 'attempt.stirred', task, attempt: current.attempt })
  }

  #running(task: string) {
    const { state } = this.#at
    const { state: current } = record(state, state.graph.taskIndex.get(task) ?? -1)
    return current.status === 'running' ? current : null
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#underWay.delete(tracked))
    this.#underWay.add(tracked)
  }

  async #start(id: string, number: number, slot: number, base: string): Promise<void> {
    const say = new Throttle((message: string) => this.#tell.progress(id, number, message))
    const attempt = this.#attempt(id, number, slot, base, say)
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

  #attempt(id: string, number: number, slot: number, base: string, say: Throttle): Attempt {
    const { id: run, state, folder, settings, environment, engine, include, setupKey } = this.#at
    const index = state.graph.taskIndex.get(id) ?? -1
    const task = taskOf(this.#at, index)
    const unit = state.graph.units[state.graph.unitOf[index] ?? -1]
    const outputOf = (attempt: number) => newestIteration(attemptFolder(folder, run, id, attempt)).work
    const resolves = this.#resolves(index)
    const secrets = secretValues({ ...environment, ...task.env })
    const { agent, choice } = record(state, index).history.find((view) => view.attempt === number) ?? {}
    return new Attempt({
      run,
      task,
      attempt: number,
      slot,
      base,
      askedToStopAt: this.#running(id)?.askedToStopAt ?? null,
      continues: unit !== undefined && unit.members[0] !== index,
      setupKey,
      include,
      engine,
      agent: this.#at.agentOf(task, agent),
      model: choice?.model ?? modelOf(task, settings, agent),
      resolves: resolves?.commit === base ? resolves : null,
      templates: this.#at.templates,
      told: () => promptFacts(this.#at, index, agent),
      expertise: () => this.#at.learner.expertise(task),
      earlier: () => earlierFailure(attemptsBefore(record(state, index).history, base, resolves), number, outputOf),
      view: () => record(state, index).history.find((view) => view.attempt === number),
      notes: () => this.#notesOf(id, number),
      granted: () => grantedTo(record(state, index).history),
      stateRoot: folder.root,
      folder: attemptFolder(folder, run, id, number),
      token: attemptToken(run, state.seed, id, number),
      settings,
      environment,
      secrets,
      progress: (message) => say.push(keptText(message, secrets)),
      budgets: {
        tightestUsd: () => tightestBudget(state, index),
        allowanceUsd: () => allowanceOf(state, index),
        spent: (costUsd, ended) =>
          this.#tell.fact({ type: 'attempt.spent', task: id, attempt: number, costUsd, ...(ended ? { ended } : {}) }),
      },
    })
  }

  /** What was left in the store in this very moment counts too: the agent may have ended right after it. */
  async #notesOf(id: string, attempt: number): Promise<Note[]> {
    const { id: run, state, store } = this.#at
    const waiting = (await store.requests(run, state.lastRequest)).filter((one) => one.type === 'note')
    const index = state.graph.taskIndex.get(id) ?? -1
    const { notes = [] } = record(state, index).history.find((view) => view.attempt === attempt) ?? {}
    const mine = waiting.filter((note) => note.task === id && note.attempt === attempt)
    return [...notes, ...mine.map(({ kind, text, details }) => ({ kind, text, details, at: Date.now() }))]
  }

  async #build(items: Named[], onto: string, verify: boolean): Promise<void> {
    const merged = items.map(({ tasks, commit }) => {
      return { tasks: this.#attemptsOf(tasks, onto), work: commit, hasAgent: this.#hasAgent(tasks) }
    })
    await this.#landing(items, () => (verify ? this.#at.build(merged, onto) : this.#at.land(merged, onto)))
  }

  async #move(items: Named[], onto: string): Promise<void> {
    const moved = items.map((item) => ({ ...item, attempts: this.#attemptsOf(item.tasks, onto) }))
    await this.#landing(items, () => this.#at.move(moved, onto))
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

  #resolves(index: number) {
    const { state } = this.#at
    return unitState(state, state.graph.unitOf[index] ?? -1)?.resolves ?? null
  }

  #hasAgent([task = '', ...more]: string[]): boolean {
    const index = this.#at.state.graph.taskIndex.get(task) ?? -1
    return more.length === 0 && taskOf(this.#at, index).work.kind === 'prompt'
  }

  /** A resolution is a change to what it was resolved on, whatever commit the attempt began with. */
  #attemptsOf(tasks: string[], onto: string): LandItem['tasks'] {
    const { state } = this.#at
    return tasks.map((id) => {
      const index = state.graph.taskIndex.get(id) ?? -1
      const last = record(state, index).history.at(-1)
      const { title, decisions } = taskOf(this.#at, index)
      const { attempt = 1, base = onto, summary = null } = last ?? {}
      return { id, title, summary, decisions, attempt, base: this.#resolves(index)?.onto ?? base }
    })
  }

  async #verify(number: number, commit: string, slot: number): Promise<void> {
    const { state } = this.#at
    const isRepeated = (state.batch.items.find((item) => item.commit === commit)?.failures ?? 0) > 0
    try {
      const { verdict, fact } = await this.#runVerification(number, commit, slot, isRepeated)
      if (verdict?.passed) this.#hasPassed = true
      if (verdict && !verdict.passed && !this.#hasPassed && (await this.#failsAnyway(number, slot))) return
      this.#tell.fact(fact)
    } catch (error) {
      // Nobody's work is to blame: the run stops here and can be taken up.
      if (!this.#gone) this.#tell.stuck(`${commit.slice(0, 12)} could not be verified: ${messageOf(error)}`)
    }
  }

  /**
   * As long as nothing has passed it may be that nothing can. Where no other work is to come that could put it right,
   * nobody's work is sent back for it.
   */
  async #failsAnyway(number: number, slot: number): Promise<boolean> {
    const { state } = this.#at
    const { verdict } = await this.#runVerification(number, state.head, slot, true)
    this.#hasPassed = verdict?.passed ?? false
    const { pending, ready, running } = state.counts
    if (!verdict?.failure || pending + ready + running > 0) return false
    const [why = ''] = verdict.failure.message.split('\n')
    this.#tell.stuck(
      `\`landing.verify\` does not pass on ${state.head.slice(0, 12)} either, which none of this work is in (${why.replace(/:$/, '')}). Put the machine right and \`espalier resume\`, or give another command with \`ESPALIER_LANDING_VERIFY='…' espalier resume\``,
    )
    return true
  }

  async #runVerification(number: number, commit: string, slot: number, isRepeated: boolean) {
    const { id: run, state, folder, engine, store, settings, environment, include, setupKey } = this.#at
    const place = verificationFolder(folder, run, number)
    const verification = new RunningVerification({
      ...{ run, number, commit, slot, engine, store, settings, environment, include, setupKey, isRepeated },
      folder: commit === state.head ? join(place, 'branch') : place,
      token: verificationToken(run, state.seed, number),
    })
    this.#verifications.set(number, verification)
    try {
      const fact = await verification.result
      return { fact, verdict: fact.verdict }
    } finally {
      this.#verifications.delete(number)
    }
  }
}

/** `commit`: the work, or what it was merged to. */
type Named = { tasks: string[]; commit: string }

function taskOf({ state }: RunContext, index: number) {
  const task = state.graph.tasks[index]
  if (!task) throw new Error(`there is no task ${index}`)
  return task
}

/** A folder that may not be written: the attempt failed, the run goes on. */
function unexpected(task: string, attempt: number, error: unknown): Fact {
  const failure = { reason: 'spawn-failed' as const, message: `the engine could not run it: ${messageOf(error)}` }
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
