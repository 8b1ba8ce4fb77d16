// Executes attempts on workers: an order becomes an assignment in the worker's queue, and its result comes back through the store, as
// a request to the engine.
//
// Properties
// - An engine that starts the same order again, after a crash, waits for the same assignment.
// - A result counts for the attempt that is alive (engine/run/performer.ts), once it was checked here (check-delivered.ts).
// - A worker is lost when it sent no heartbeat for `lostAfterMs` and the database answered all that time: an outage of the database
//   makes no worker lost, and no clocks are compared.
import { setTimeout as wait } from 'node:timers/promises'
import { doubled, retry } from '../async/retry.ts'
import { localRunner } from '../attempt/attempt.ts'
import type { Machine } from '../attempt/attempt-context.ts'
import type {
  AttemptFinished,
  AttemptHost,
  AttemptOrder,
  AttemptRunner,
  FleetHost,
  RunningAttempt,
  RunningVerification,
  VerificationOrder,
  Verified,
} from '../attempt/attempt-order.ts'
import type { Failure } from '../event.ts'
import { type EngineRepository, inEngine } from '../git/engine/engine-repository.ts'
import { givenRef, runBranch } from '../git/engine/ref-names.ts'
import { pushShared } from '../git/engine/shared-repository.ts'
import { isAncestor } from '../git/run/git.ts'
import { LOCAL } from '../status.ts'
import { checkDelivered } from './check-delivered.ts'
import { OutputHere } from './copy-output-of-workers.ts'
import { type Assignments, assignmentsAt, jobOf } from './fleet-database.ts'
import { HeartbeatWatch } from './heartbeat-watch.ts'
import { FLEET } from './limits.ts'
import { type Delivered, neededCommits, orderName, type WorkOrder } from './orders.ts'
import type { Control } from './protocol.ts'

/** For a run whose store is on Postgres. */
export function fleetRunner(machine: Machine, storeUrl: string): AttemptRunner {
  const local = localRunner(machine)
  const fleet = assignmentsAt(storeUrl, 'engine')
  return fleet.ok ? new FleetRunner(machine, local, fleet.value) : local
}

class FleetRunner implements AttemptRunner {
  readonly #machine: Machine
  readonly #local: AttemptRunner
  readonly #fleet: Assignments
  readonly #remote = new Map<string, Remote>()
  /** Results that came before their attempt was started here, after a restart. */
  readonly #early = new Map<string, Delivery>()
  readonly #output: OutputHere
  readonly #give: GiveCommits

  constructor(machine: Machine, local: AttemptRunner, fleet: Assignments) {
    this.#machine = machine
    this.#local = local
    this.#fleet = fleet
    this.#output = new OutputHere(machine, fleet)
    this.#give = givesCommits(machine.engine)
  }

  start(order: AttemptOrder, host: AttemptHost, options?: { isLast?: boolean }): RunningAttempt {
    if (order.worker === LOCAL) return this.#local.start(order, host, options)
    const key = keyOf({ task: order.task.id, attempt: order.attempt })
    const granted: string[] = []
    const remote = this.#assign(order)
    const result = remote.delivery.then(({ fact, isNew }) =>
      checkDelivered(this.#machine.engine, order, { fact: fact as AttemptFinished, isNew, granted }),
    )
    this.#keepUntil(result, key, remote)
    result.catch(() => {
      // A retry, because git or the disk failed, gets no second delivery.
      if (remote.delivered) this.#early.set(key, remote.delivered)
    })
    const early = this.#early.get(key)
    if (early) {
      this.#early.delete(key)
      remote.deliver(early)
    }
    return {
      result,
      // Only the worker knows whether the attempt continues: it reports `attempt.stirred`.
      stop: async (why, decidedAt) => {
        await remote.tell({ type: 'stop', why, decidedAt })
        return true
      },
      allow: async (globs) => {
        granted.push(...globs)
        await remote.tell({ type: 'allow', globs: [...globs] })
      },
      setBudget: (budget) => void remote.tell({ type: 'budget', budget }),
      giveUp: () => {
        remote.cancel()
        remote.letGo()
      },
      letGo: () => remote.letGo(),
    }
  }

  verify(order: VerificationOrder): RunningVerification {
    const remote = this.#assign(order)
    const result = remote.delivery.then(({ fact }) => fact as Verified)
    this.#keepUntil(result, verificationKey(order.number, order.commit), remote)
    const why: Failure = { reason: 'landing-failed', message: 'the verification was halted' }
    return {
      result,
      // The worker reports the end of the verification.
      halt: () => void remote.tell({ type: 'stop', why, decidedAt: Date.now() }),
      letGo: () => remote.letGo(),
    }
  }

  #assign(order: WorkOrder): Remote {
    return new Remote(this.#fleet, { output: this.#output, give: this.#give }, order)
  }

  #keepUntil(result: Promise<unknown>, key: string, remote: Remote): void {
    this.#remote.set(key, remote)
    const forget = () => {
      if (this.#remote.get(key) === remote) this.#remote.delete(key)
    }
    result.then(forget, forget)
  }

  deliver(fact: Delivered, isNew = false): void {
    const isAttempt = fact.type === 'attempt.finished'
    const key = isAttempt ? keyOf(fact) : verificationKey(fact.verification, fact.commit)
    const remote = this.#remote.get(key)
    if (remote) remote.deliver({ fact, isNew })
    else if (isAttempt) this.#early.set(key, { fact, isNew })
  }

  async follow(host: FleetHost, signal: AbortSignal): Promise<void> {
    const output = this.#output.follow(host.run, signal)
    const watch = new HeartbeatWatch()
    let isFirst = true
    while (!signal.aborted) {
      try {
        const rows = await this.#fleet.workers()
        const now = performance.now()
        if (isFirst) {
          await this.#fleet.forget(host.run)
          await this.#fleet.cancelAllBut(host.run, host.alive)
        }
        isFirst = false
        for (const fact of watch.look(rows, host.known(), now)) {
          host.tell(fact)
          if (fact.type === 'worker.lost') this.#loseVerifications(fact.worker)
        }
      } catch {
        watch.forget() // nobody could say that it is there
      }
      await this.#fleet.woken('engine', FLEET.lookMs, signal)
      if (!signal.aborted) await wait(MIN_LOOK_MS)
    }
    await output
    await this.#fleet[Symbol.asyncDispose]()
  }

  /** Ends verifications without a verdict: another machine repeats them. Lost attempts are ended by a decision. */
  #loseVerifications(lost: string): void {
    for (const remote of this.#remote.values()) {
      const { order } = remote
      if (order.kind !== 'verification' || order.worker !== lost) continue
      remote.cancel()
      const { number: verification, commit } = order
      remote.deliver({ fact: { type: 'landing.verified', verification, commit, verdict: null }, isNew: false })
    }
  }
}

const MIN_LOOK_MS = 50

function verificationKey(number: number, commit: string): string {
  return `${number} ${commit}`
}

function keyOf({ task, attempt }: Pick<AttemptFinished, 'task' | 'attempt'>): string {
  return `${task} ${attempt}`
}

/** `isNew`: see check-delivered.ts. */
type Delivery = { fact: Delivered; isNew: boolean }

/** An order that a worker carries out, until its result is delivered. */
class Remote {
  readonly order: WorkOrder
  readonly #fleet: Assignments
  readonly #job: string
  readonly #answer = Promise.withResolvers<Delivery>()
  readonly #over = new AbortController()
  delivered: Delivery | null = null
  /** Resolves when its output has arrived, too. */
  readonly delivery: Promise<Delivery>

  constructor(fleet: Assignments, by: { output: OutputHere; give: GiveCommits }, order: WorkOrder) {
    this.#fleet = fleet
    this.order = order
    this.#job = jobOf(order)
    this.delivery = this.#carriedOut(by)
  }

  async #carriedOut({ output, give }: { output: OutputHere; give: GiveCommits }): Promise<Delivery> {
    this.#answer.promise.catch(() => {})
    await give(this.order)
    if (!this.#over.signal.aborted) void this.#persist(() => this.#fleet.assign(this.order))
    const delivery = await this.#answer.promise
    this.#over.abort()
    await output.all(this.order)
    return delivery
  }

  deliver(delivery: Delivery): void {
    this.delivered = delivery
    this.#answer.resolve(delivery)
  }

  tell(control: Control): Promise<void> {
    return this.#persist(() => this.#fleet.control(this.order.worker, this.#job, control))
  }

  cancel(): void {
    void this.#persist(() => this.#fleet.cancel(this.order.worker, this.#job))
  }

  letGo(): void {
    this.#over.abort()
    this.#answer.reject(new Error(`${orderName(this.order)} is left to the next engine`))
  }

  /** Retries while the database restarts; if it stays away, the engine's own writes stop the run. */
  #persist(work: () => Promise<void>): Promise<void> {
    return retry(work, (_, tries) => doubled(tries, FLEET.writeRetryMs), this.#over.signal).catch(() => {})
  }
}

/** Called before the order is assigned. */
type GiveCommits = (order: WorkOrder) => Promise<void>

/**
 * Gives commits that workers need to servers on other machines, which fetch from the repository that coordinators share. Commits of
 * the run's branch are there already; a verification's commit, or the base of a comparison, gets a ref of its own.
 */
function givesCommits(engine: EngineRepository): GiveCommits {
  const there = new Set<string>()
  return async (order) => {
    if (engine.shared === null) return
    for (const commit of neededCommits(order)) {
      if (there.has(commit)) continue
      const isOnBranch = await isAncestor(commit, runBranch(order.run), { ...inEngine(engine), okCodes: [0, 1, 128] })
      if (!isOnBranch && !(await pushShared(engine, { ref: givenRef(order.run, commit), to: commit })))
        throw new Error(`the shared repository does not take ${commit.slice(0, 12)}`)
      there.add(commit)
    }
  }
}
