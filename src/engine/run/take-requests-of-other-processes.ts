// Requests of other processes to a run while it works: commands of people, notes and questions of agents, claims that people
// hold, and workers that come, go and deliver.
//
// Property: an engine takes a request in once, however many of its looks find it. Two looks may be active at the same time.

import type { Fact } from '../../event.ts'
import { keptText } from '../../process/secrets.ts'
import type { WorkerOffer } from '../../scheduler/dispatch/workers.ts'
import { taskAt } from '../../scheduler/graph.ts'
import type { RunState } from '../../scheduler/state.ts'
import { LOCAL } from '../../status.ts'
import { attemptToken, verificationToken } from '../../workspace/state-folder.ts'
import { isOfWorker, isResult, type Performer } from './performer.ts'
import type { RunContext, Telling } from './run-context.ts'

export class OtherProcesses {
  readonly #context: RunContext
  readonly #tell: Telling
  readonly #performer: Performer
  #lastSeen: number

  constructor(context: RunContext, tell: Telling, performer: Performer) {
    this.#context = context
    this.#tell = tell
    this.#performer = performer
    this.#lastSeen = context.state.lastRequest
  }

  /** Reads requests as they come, until the signal. Never rejects. */
  async follow(signal: AbortSignal): Promise<void> {
    const following = [this.#followStore(signal), this.#followWorkers(signal)]
    await Promise.all(following.map((one) => one.catch((error) => this.#tell.bug(error))))
  }

  /** Reads everything present when an engine begins. */
  async readAll(): Promise<void> {
    await this.#readDeliveries()
    await this.readRequests()
    await this.#readHolds()
  }

  async readRequests(): Promise<void> {
    const { id, state, locked, secrets } = this.#context
    for (const request of await locked.store.requests(id, this.#lastSeen)) {
      if (request.id <= this.#lastSeen) continue // another look found it meanwhile
      this.#lastSeen = request.id
      const { fact } = request
      if (isOfWorker(fact)) this.#performer.hear(fact, request.id)
      else if (!('task' in fact) || state.graph.taskIndex.has(fact.task))
        this.#tell.fact(fact.type === 'attempt.noted' ? keptNote(fact, secrets) : fact)
    }
  }

  /**
   * Deliveries of workers to the previous engine count even if a later request is in the journal already: it may have died
   * before it wrote them.
   */
  async #readDeliveries(): Promise<void> {
    const { id, runner } = this.#context
    if (!runner.deliver || this.#lastSeen === 0) return
    for (const { id: request, fact } of await this.#context.locked.store.requests(id, 0))
      if (isResult(fact) && request <= this.#lastSeen) this.#performer.hear(fact, request)
  }

  /** Compares the claims that people hold with those the run knows, so missed changes do not matter. */
  async #readHolds(): Promise<void> {
    const { state, clock, locked } = this.#context
    const now = clock.now()
    const holds = await locked.store.holds(now)
    const there = new Set(holds.map(({ id }) => id))
    for (const { id: hold, ...claim } of holds)
      if (!state.holds.has(hold)) this.#tell.fact({ type: 'claims.held', hold, ...claim })
    for (const { id: hold, name, glob, until } of state.holds.values())
      if (!there.has(hold) && until > now) this.#tell.fact({ type: 'claims.released', hold, name, glob })
  }

  async #followStore(signal: AbortSignal): Promise<void> {
    for await (const _ of this.#context.locked.store.changes({ signal })) {
      await this.readRequests()
      await this.#readHolds()
    }
  }

  async #followWorkers(signal: AbortSignal): Promise<void> {
    const { runner, state, id } = this.#context
    const host = {
      run: id,
      known: () => offersKnown(state),
      alive: () => tokensElsewhere(id, state),
      tell: (fact: Fact) => this.#tell.fact(fact),
    }
    await runner.follow?.(host, signal)
  }
}

function offersKnown({ workers }: RunState): Map<string, WorkerOffer> {
  const known = workers.all.filter(({ name, isThere }) => isThere && name !== workers.local.name)
  return new Map(
    known.map(({ name, count, labels, resources }) => [name, { slots: count, labels, resources: resources.counts }]),
  )
}

/** Tokens of attempts and verifications on workers. */
function tokensElsewhere(run: string, { graph, tasks, running, batch, seed }: RunState): Set<string> {
  const attempts = [...running].flatMap((index) => {
    const last = tasks[index]?.history.at(-1)
    return last && last.worker !== LOCAL ? [attemptToken(run, seed, taskAt(graph, index).id, last.attempt)] : []
  })
  const verifications = batch.verifications.filter(({ worker, halting }) => worker !== LOCAL && !halting)
  return new Set([...attempts, ...verifications.map(({ number }) => verificationToken(run, seed, number))])
}

function keptNote<T extends { text: string; details?: string | undefined }>(note: T, secrets: readonly string[]): T {
  const details = note.details === undefined ? {} : { details: keptText(note.details, secrets) }
  return { ...note, text: keptText(note.text, secrets), ...details }
}
