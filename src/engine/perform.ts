// Does what was decided: starts attempts, stops them, lands their work, and tells the run what came of it. After a
// restart it takes up what the journal says is under way. It decides nothing and writes nothing.
//
// Properties: an attempt or a landing is under way here at most once. Once it has let go, nothing here touches what
// runs any more.
import type { Fact, StopReason } from '../event.ts'
import { diskTroubleText, isDiskTrouble } from '../git/disk-trouble.ts'
import type { Decision } from '../scheduler/decide.ts'
import { record } from '../scheduler/state.ts'
import { Attempt } from './attempt.ts'
import { earlierFailure } from './earlier.ts'
import type { RunContext } from './run-context.ts'
import { attemptFolder, attemptToken } from './state-folder.ts'
import { Throttle } from './throttle.ts'

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
  readonly #underWay = new Set<Promise<void>>()
  #gone = false

  constructor(context: RunContext, tell: Telling) {
    this.#at = context
    this.#tell = tell
  }

  perform(decision: Decision): void {
    switch (decision.kind) {
      case 'start':
        this.#track(this.#start(decision.task, decision.attempt, decision.slot, decision.base))
        break
      case 'stop':
        this.#stop(decision.task, decision.reason)
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
    if (state.landing) {
      const { unit, commit, onto } = state.landing
      const tasks = state.graph.units[unit]?.members.map((member) => state.graph.tasks[member]?.id ?? '') ?? []
      this.#track(this.#land(tasks, commit, onto))
    }
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

  /** Leaves what runs to the next engine. Resolves when nothing is under way here any more. */
  async letGo(): Promise<void> {
    this.#gone = true
    for (const attempt of this.#attempts.values()) attempt.letGo()
    await Promise.all(this.#underWay)
  }

  #stop(task: string, reason: StopReason, at = Date.now()): void {
    const current = this.#running(task)
    const silentMs = Math.max(0, at - (current?.stalledSince ?? at))
    const goesOn = this.#attempts.get(task)?.stop(reason, { at, silentMs }) === false
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
    const outputOf = (attempt: number) => attemptFolder(folder, run, id, attempt).work
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
      agent: this.#at.agentOf(task),
      earlier: () => earlierFailure(record(state, index).history, number, outputOf),
      folder: attemptFolder(folder, run, id, number),
      token: attemptToken(run, state.seed, id, number),
      settings,
      environment,
      progress: (message) => say.push(message),
    })
  }

  async #land(ids: string[], commit: string, onto: string): Promise<void> {
    const { state, land } = this.#at
    const tasks = ids.map((id) => {
      const index = state.graph.taskIndex.get(id) ?? -1
      const last = record(state, index).history.at(-1)
      return { id, title: taskOf(this.#at, index).title, attempt: last?.attempt ?? 1, base: last?.base ?? onto }
    })
    try {
      const landing = await land(tasks, commit, onto)
      if (landing.ok) this.#tell.fact(landing.fact)
      else this.#tell.stuck(`${ids.join(', ')} could not land: ${landing.message}`)
    } catch (error) {
      this.#tell.bug(error)
    }
  }
}

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
