// Executes attempts on workers: an order becomes an assignment in the worker's queue, and what the worker delivers comes back
// through the store, as what every other program asks of an engine does.
//
// Properties
// - Whoever starts the same order again, after a crash, waits for the same assignment.
// - A result counts for the attempt that is alive (engine/run/performer.ts) and after it was checked here (check-delivered.ts).
// - A worker is given up when nothing was heard of it for `lostAfterMs` while the database could be asked all that time: a
//   database that was gone makes nobody lost, and no clock is compared with another.
import { setTimeout as wait } from 'node:timers/promises'
import { doubled, retry } from '../async/retry.ts'
import { localRunner } from '../attempt/attempt.ts'
import type { Machine } from '../attempt/attempt-context.ts'
import type {
  AttemptBudget,
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
import type { WorkerOffer } from '../scheduler/dispatch/workers.ts'
import { LOCAL } from '../status.ts'
import { type Assignments, assignmentsAt, jobOf, type WorkerRow } from './assignments.ts'
import { checkDelivered, type Delivery } from './check-delivered.ts'
import { GivenCommits } from './given-commits.ts'
import { FLEET } from './limits.ts'
import type { Delivered } from './orders.ts'
import { OutputHere } from './output-here.ts'
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
  readonly #attempts = new Map<string, RemoteAttempt>()
  readonly #verifications = new Map<string, RemoteVerification>()
  /** What came before its attempt was started here, after a restart. */
  readonly #early = new Map<string, Delivery>()
  readonly #output: OutputHere
  readonly #given: GivenCommits

  constructor(machine: Machine, local: AttemptRunner, fleet: Assignments) {
    this.#machine = machine
    this.#local = local
    this.#fleet = fleet
    this.#output = new OutputHere(machine, fleet)
    this.#given = new GivenCommits(machine.engine)
  }

  start(order: AttemptOrder, host: AttemptHost, options?: { isLast?: boolean }): RunningAttempt {
    if (order.worker === LOCAL) return this.#local.start(order, host, options)
    const key = keyOf({ task: order.task.id, attempt: order.attempt })
    const attempt = new RemoteAttempt(this.#machine, this.#fleet, { output: this.#output, given: this.#given }, order)
    this.#attempts.set(key, attempt)
    attempt.result
      .catch(() => {
        // Whoever tries it again, because git or the disk failed, does not get the result a second time from anybody else.
        if (attempt.delivered) this.#early.set(key, attempt.delivered)
      })
      .finally(() => {
        if (this.#attempts.get(key) === attempt) this.#attempts.delete(key)
      })
    const early = this.#early.get(key)
    if (early) {
      this.#early.delete(key)
      attempt.deliver(early)
    }
    return attempt
  }

  verify(order: VerificationOrder): RunningVerification {
    const key = verificationKey(order.number, order.commit)
    const verification = new RemoteVerification(this.#fleet, { output: this.#output, given: this.#given }, order)
    this.#verifications.set(key, verification)
    verification.result
      .catch(() => {})
      .finally(() => {
        if (this.#verifications.get(key) === verification) this.#verifications.delete(key)
      })
    return verification
  }

  deliver(fact: Delivered, isNew = false): void {
    if (fact.type === 'landing.verified') {
      this.#verifications.get(verificationKey(fact.verification, fact.commit))?.deliver(fact)
      return
    }
    const attempt = this.#attempts.get(keyOf(fact))
    if (attempt) attempt.deliver({ fact, isNew })
    else this.#early.set(keyOf(fact), { fact, isNew })
  }

  async follow(host: FleetHost, signal: AbortSignal): Promise<void> {
    const output = this.#output.follow(host.run, signal)
    const watch = new Watch()
    let isFirst = true
    while (!signal.aborted) {
      try {
        const rows = await this.#fleet.workers()
        const now = performance.now()
        if (isFirst) await this.#tidy(host)
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

  /** Attempts end by a decision; of a verification there is nothing to be kept. */
  #loseVerifications(worker: string): void {
    for (const verification of this.#verifications.values())
      if (verification.order.worker === worker) verification.lose()
  }

  async #tidy({ run, alive }: FleetHost): Promise<void> {
    await this.#fleet.forget(run)
    await this.#fleet.cancelAllBut(run, alive)
  }
}

const MIN_LOOK_MS = 50

function verificationKey(number: number, commit: string): string {
  return `${number} ${commit}`
}

function keyOf({ task, attempt }: Pick<AttemptFinished, 'task' | 'attempt'>): string {
  return `${task} ${attempt}`
}

/** Who is there, by their signs of life. */
export class Watch {
  readonly #heard = new Map<string, { beats: number; at: number }>()
  /** Given up, with the signs of life counted by then. */
  readonly #lost = new Map<string, number>()

  /** The database could not be asked: whoever was silent meanwhile may not have been. */
  forget(): void {
    this.#heard.clear()
  }

  look(
    rows: readonly WorkerRow[],
    known: ReadonlyMap<string, WorkerOffer>,
    now: number,
  ): Parameters<FleetHost['tell']>[0][] {
    const facts: Parameters<FleetHost['tell']>[0][] = []
    const byName = new Map(rows.map((row) => [row.name, row]))
    for (const name of known.keys()) {
      const row = byName.get(name)
      const heard = this.#heard.get(name)
      if (!row || row.hasLeft) facts.push({ type: 'worker.lost', worker: name, why: 'it left' })
      else if (!heard || heard.beats !== row.beats) this.#heard.set(name, { beats: row.beats, at: now })
      else if (now - heard.at >= FLEET.lostAfterMs) {
        this.#lost.set(name, row.beats)
        const seconds = Math.round(FLEET.lostAfterMs / 1_000)
        facts.push({ type: 'worker.lost', worker: name, why: `no sign of life for ${seconds} s` })
      }
    }
    for (const row of rows) {
      const { name, slots, labels, resources } = row
      const isLost = this.#lost.get(name) === row.beats
      if (row.hasLeft || isLost || (!known.has(name) && row.silentMs > FLEET.lostAfterMs)) continue
      const offer = known.get(name)
      if (offer && isSame(offer, row)) continue
      if (facts.some((fact) => fact.worker === name)) continue
      this.#lost.delete(name)
      this.#heard.set(name, { beats: row.beats, at: now })
      facts.push({ type: 'worker.joined', worker: name, slots, labels, resources })
    }
    return facts
  }
}

function isSame(offer: WorkerOffer, { slots, labels, resources }: WorkerRow): boolean {
  const text = (one: WorkerOffer) => JSON.stringify([one.slots, one.labels, Object.entries(one.resources).sort()])
  return text(offer) === text({ slots, labels, resources })
}

/** What a run has besides the database. */
type Between = { output: OutputHere; given: GivenCommits }

class RemoteAttempt implements RunningAttempt {
  readonly #machine: Machine
  readonly #fleet: Assignments
  readonly #order: AttemptOrder
  readonly #job: string
  readonly #delivered = Promise.withResolvers<Delivery>()
  readonly #over = new AbortController()
  readonly #granted: string[] = []
  readonly #output: OutputHere
  readonly #given: GivenCommits
  /** What its worker says it came to, once it does. */
  delivered: Delivery | null = null
  readonly result: Promise<AttemptFinished>

  constructor(machine: Machine, fleet: Assignments, { output, given }: Between, order: AttemptOrder) {
    this.#output = output
    this.#given = given
    this.#machine = machine
    this.#fleet = fleet
    this.#order = order
    this.#job = jobOf(order)
    this.result = this.#execute()
  }

  deliver(delivery: Delivery): void {
    this.delivered = delivery
    this.#delivered.resolve(delivery)
  }

  /** Whether it continues after all is only known there: the worker reports that it stirred. */
  async stop(why: Failure, decidedAt: number): Promise<boolean> {
    await this.#tell({ type: 'stop', why, decidedAt })
    return true
  }

  async allow(globs: readonly string[]): Promise<void> {
    this.#granted.push(...globs)
    await this.#tell({ type: 'allow', globs: [...globs] })
  }

  setBudget(budget: AttemptBudget): void {
    void this.#tell({ type: 'budget', budget })
  }

  giveUp(): void {
    void this.#persist(() => this.#fleet.cancel(this.#order.worker, this.#job))
    this.letGo()
  }

  letGo(): void {
    this.#over.abort()
    this.#delivered.reject(new Error(`${this.#order.task.id} is left to the next engine`))
  }

  async #execute(): Promise<AttemptFinished> {
    this.#delivered.promise.catch(() => {})
    await this.#given.give(this.#order)
    if (!this.#over.signal.aborted) void this.#persist(() => this.#fleet.assign(this.#order))
    const delivery = await this.#delivered.promise
    this.#over.abort()
    await this.#output.all(this.#order)
    return checkDelivered(this.#machine.engine, this.#order, { ...delivery, granted: this.#granted })
  }

  async #tell(control: Control): Promise<void> {
    await this.#persist(() => this.#fleet.control(this.#order.worker, this.#job, control))
  }

  #persist(work: () => Promise<void>): Promise<void> {
    return persist(work, this.#over.signal)
  }
}

class RemoteVerification implements RunningVerification {
  readonly order: VerificationOrder
  readonly #fleet: Assignments
  readonly #output: OutputHere
  readonly #delivered = Promise.withResolvers<Verified>()
  readonly #over = new AbortController()
  readonly result: Promise<Verified>

  constructor(fleet: Assignments, { output, given }: Between, order: VerificationOrder) {
    this.#output = output
    this.#fleet = fleet
    this.order = order
    this.result = this.#delivered.promise.finally(() => this.#over.abort())
    this.result.catch(() => {})
    given.give(order).then(
      () => (this.#over.signal.aborted ? undefined : persist(() => fleet.assign(order), this.#over.signal)),
      (error) => this.#delivered.reject(error),
    )
  }

  deliver(fact: Verified): void {
    void this.#output.all(this.order).then(() => this.#delivered.resolve(fact))
  }

  /** Its worker says when it has ended. */
  halt(): void {
    const why: Failure = { reason: 'landing-failed', message: 'the verification was halted' }
    const stop: Control = { type: 'stop', why, decidedAt: Date.now() }
    void persist(() => this.#fleet.control(this.order.worker, jobOf(this.order), stop), this.#over.signal)
  }

  /** Without a verdict: another machine does it. */
  lose(): void {
    const { worker, number, commit } = this.order
    void persist(() => this.#fleet.cancel(worker, jobOf(this.order)), this.#over.signal)
    this.#delivered.resolve({ type: 'landing.verified', verification: number, commit, verdict: null })
  }

  letGo(): void {
    this.#delivered.reject(new Error(`verification ${this.order.number} is left to the next engine`))
  }
}

/** A database that is restarted is back soon; if it is not, the engine's own writing stops the run. */
function persist(work: () => Promise<void>, over: AbortSignal): Promise<void> {
  return retry(work, (_, tries) => doubled(tries, FLEET.writeRetryMs), over).catch(() => {})
}
