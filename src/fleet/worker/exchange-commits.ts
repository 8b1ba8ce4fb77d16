// Fetches the commits that an assignment needs from the server, and sends those of its attempt.
import type { AttemptFinished, AttemptOrder } from '../../attempt/attempt-order.ts'
import { outcomeOf } from '../../ended-attempt.ts'
import type { Failure } from '../../event.ts'
import { FLEET } from '../limits.ts'
import { neededCommits, orderName, type WorkOrder } from '../orders.ts'
import { RefusedByServer, type ServerConnection } from './server-connection.ts'
import type { WorkerRepository } from './worker-repository.ts'

export class CommitExchange {
  readonly #server: ServerConnection
  readonly #repository: WorkerRepository
  readonly #worker: { name: string; project: string }
  readonly #say: (line: string) => void

  constructor(
    server: ServerConnection,
    repository: WorkerRepository,
    worker: { name: string; project: string; say: (line: string) => void },
  ) {
    const { say, ...named } = worker
    this.#server = server
    this.#repository = repository
    this.#worker = named
    this.#say = say
  }

  /** Resolves when they are here. The reason for waiting is printed once. */
  async fetchFor(job: string, order: WorkOrder, signal: AbortSignal): Promise<void> {
    let isSaid = false
    await this.#server.persist(async () => {
      try {
        await this.#fetch(job, order)
      } catch (error) {
        const isWaiting = error instanceof RefusedByServer && error.reason === 'not-ready'
        if (isWaiting && !isSaid) this.#say(`${orderName(order)} waits: ${error.message}`)
        isSaid ||= isWaiting
        throw error
      }
    }, signal)
  }

  async #fetch(job: string, order: WorkOrder): Promise<void> {
    const { lacks: want, has: have } = this.#repository.compare(neededCommits(order))
    if (want.length === 0) return
    const asked = { ...this.#worker, job, want, have }
    await this.#repository.receive(await this.#server.fetchPack('objects', asked, { timeoutMs: PACK_MS }), want)
  }

  /** If the server refuses the commits, the fact reports only the cost. */
  async send(job: string, order: AttemptOrder, fact: AttemptFinished, signal: AbortSignal): Promise<AttemptFinished> {
    const { commit } = fact
    if (commit === null || commit === order.base) return fact
    const have = [order.base, order.interrupted?.commit, order.resolves?.commit, order.resolves?.onto].filter(
      (one) => one != null,
    )
    const pack = await this.#repository.pack(commit, have)
    if (pack === null) return notTaken(fact, `it is larger than ${FLEET.packBytes} bytes`)
    const query = { ...this.#worker, job, commit }
    try {
      await this.#server.persist(() => this.#server.sendPack('pack', query, pack, { timeoutMs: PACK_MS }), signal)
      return fact
    } catch (error) {
      if (!(error instanceof RefusedByServer)) throw error
      return notTaken(fact, error.message)
    }
  }
}

function notTaken(fact: AttemptFinished, why: string): AttemptFinished {
  const failure: Failure = { reason: 'worker-lost', message: `its work was not taken: ${why}` }
  return { ...fact, outcome: outcomeOf(failure), failure, commit: null, diff: null }
}

const PACK_MS = 10 * 60_000
