import { setTimeout as wait } from 'node:timers/promises'
import { retry } from '../../async/retry.ts'
import { localRunner } from '../../attempt/attempt.ts'
import type {
  AttemptFinished,
  AttemptOrder,
  AttemptReport,
  AttemptRunner,
  RunningAttempt,
  Verified,
} from '../../attempt/attempt-order.ts'
import { LIMITS } from '../../config.ts'
import type { Ask } from '../../engine/requests/agent-tool-calls.ts'
import { afterMachineTrouble } from '../../engine/run/retry-on-machine-trouble.ts'
import { endLeftoversBut } from '../../engine/upkeep/leftovers-of-killed-engine.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { machineTroubleText } from '../../git/run/machine-trouble.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { attemptFolder, type StateFolder, stateFolder } from '../../workspace/state-folder.ts'
import { FLEET } from '../limits.ts'
import { type Delivered, orderFolder, orderName, orderPath, type WorkOrder } from '../orders.ts'
import type { Beat, Control, Join, Joined, Next } from '../protocol.ts'
import { applyTo, Held } from './held-assignment.ts'
import { verificationsOn } from './landing-verification.ts'
import { OutputSync } from './output-sync.ts'
import { Asks } from './relay-agent-requests.ts'
import { Rest } from './rest-after-errors.ts'
import { Reports, type Said } from './send-reports.ts'
import { RefusedByServer, type ServerConnection } from './server-connection.ts'
import { hasBegun, isOfItsFiles, troubleWith, untilThereIsRoom } from './trouble.ts'
import type { WorkerRepository } from './worker-repository.ts'

export type WorkerOptions = {
  server: string
  token: string
  offer: Omit<Join, 'machine'>
  machine: Omit<Join['machine'], 'now'>
  /** The folder of its repository, worktrees and logs. */
  root: string
  environment: NodeJS.ProcessEnv
  graceMs: number
  say(line: string): void
}

type HeldAttempt = Held<AttemptOrder>

export class Worker {
  readonly #options: WorkerOptions
  readonly #server: ServerConnection
  readonly #joined: Joined
  readonly #repository: WorkerRepository
  readonly #folder: StateFolder
  readonly #runner: AttemptRunner
  readonly #verify: ReturnType<typeof verificationsOn>
  readonly #held = new Map<string, Held>()
  readonly #working = new Set<Promise<void>>()
  readonly #leaving = new AbortController()
  #answeredAt = performance.now()
  #isLapsed = false
  #isTidy = false
  /** Some assignments may be unknown here: the worker has just begun, or an answer was lost. */
  #hasMissed = true
  #heard = 0
  #isDraining = false
  readonly #rest: Rest
  /** The server's clock minus ours. */
  readonly #aheadMs: number
  #refused: RefusedByServer | null = null

  constructor(options: WorkerOptions, server: ServerConnection, joined: Joined, repository: WorkerRepository) {
    this.#options = options
    this.#server = server
    this.#joined = joined
    this.#repository = repository
    this.#aheadMs = joined.now - Date.now()
    this.#folder = stateFolder(repository.engine.user.top, options.root)
    const { environment } = options
    const machine = { engine: repository.engine, folder: this.#folder, environment, include: [] }
    this.#runner = localRunner(machine)
    this.#verify = verificationsOn(machine)
    this.#rest = new Rest(() => this.#server.persist(() => this.#join(), this.#leaving.signal), options.say)
  }

  async run(drain: AbortSignal): Promise<Result<void>> {
    const { offer, say } = this.#options
    const skew = Math.abs(this.#aheadMs) > SKEW_MS ? `; its clock is off by ${Math.round(this.#aheadMs / 1000)} s` : ''
    say(`joined ${this.#joined.project} as ${offer.name}: ${offer.slots} at a time${skew}`)
    const onDrain = () => void this.#drain()
    drain.addEventListener('abort', onDrain)
    if (drain.aborted) onDrain()
    const beating = this.#beatUntilGone()
    try {
      await this.#takeUntil(drain)
      await Promise.all(this.#working)
      if (this.#refused) return refuse(`the server does not accept this worker any more: ${this.#refused.message}`)
      await this.#server.call('leave', {}).catch(() => {})
      say('left')
      return ok(undefined)
    } finally {
      drain.removeEventListener('abort', onDrain)
      this.#leaving.abort()
      this.#rest.end()
      await beating
    }
  }

  async #drain(): Promise<void> {
    this.#options.say(this.#held.size > 0 ? `finishing ${this.#held.size} before it leaves` : 'leaving')
    this.#isDraining = true
    await this.#join().catch(() => {})
  }

  async #join(): Promise<void> {
    const { offer, machine } = this.#options
    const slots = this.#isDraining || this.#rest.isResting ? 0 : offer.slots
    await this.#server.join({ ...offer, slots, machine: { ...machine, now: Date.now() } })
  }

  // Heartbeats.

  async #beatUntilGone(): Promise<void> {
    while (!this.#leaving.signal.aborted) {
      const sentAt = performance.now()
      try {
        const [jobs, held] = [[...this.#held.keys()], [...this.#held.values()]]
        const said = { load: held.length, now: Date.now(), jobs, doing: held.map(({ order }) => orderPath(order)) }
        const { over } = await this.#server.call<Beat>('beat', said, { timeoutMs: FLEET.heartbeatMs * 2 })
        this.#answeredAt = sentAt
        this.#isLapsed = false
        for (const job of over) this.#end(job, 'it was given to another worker')
      } catch (error) {
        if (error instanceof RefusedByServer && error.status === 404) await this.#join().catch(() => {})
        this.#heed(error)
      }
      this.#lookAtLease()
      const leftMs = Math.max(50, this.#joined.heartbeatMs - (performance.now() - sentAt))
      await wait(leftMs, undefined, { signal: this.#leaving.signal }).catch(() => {})
    }
  }

  /** Ends everything if the token was revoked: other workers get the assignments. */
  #heed(error: unknown): void {
    if (this.#refused || !(error instanceof RefusedByServer) || (error.status !== 401 && error.status !== 403)) return
    this.#refused = error
    this.#endAll('the server refuses this worker', 'its worker is not accepted any more')
  }

  #lookAtLease(): void {
    if (this.#isLapsed || performance.now() - this.#answeredAt < this.#joined.leaseMs) return
    this.#isLapsed = true
    this.#endAll('no answer of the server', 'its worker was cut off from the server')
  }

  #endAll(cause: string, message: string): void {
    if (this.#held.size > 0) this.#options.say(`${cause}: ending ${this.#held.size}`)
    for (const job of this.#held.keys()) this.#end(job, message)
  }

  #end(job: string, message: string): void {
    const held = this.#held.get(job)
    const decidedAt = Date.now() + this.#aheadMs
    if (!held?.stopping) held?.tell({ type: 'stop', why: { reason: 'worker-lost', message }, decidedAt })
  }

  // Assignments.

  async #takeUntil(drain: AbortSignal): Promise<void> {
    while (!(drain.aborted && this.#held.size === 0)) {
      // A refused worker leaves when its lease has ended its attempts.
      if (this.#refused && this.#held.size === 0) return
      try {
        const asked = { jobs: [...this.#held.keys()], heard: this.#heard, isFirst: this.#hasMissed }
        const signal = AbortSignal.any([drain.aborted ? AbortSignal.timeout(1_000) : drain, this.#leaving.signal])
        const next = await this.#server.call<Next>('next', asked, { timeoutMs: FLEET.pollMs + 10_000, signal })
        this.#hasMissed = false
        for (const { job, order } of next.orders) this.#take(job, order)
        await this.#tidy()
        for (const message of next.messages) {
          this.#heard = Math.max(this.#heard, message.id)
          this.#held.get(message.job)?.tell(message)
        }
      } catch (error) {
        this.#hasMissed = true
        this.#heed(error)
        await wait(drain.aborted ? 100 : 500)
      }
    }
  }

  /** Ends agents of an earlier process of this worker whose assignments are gone. */
  async #tidy(): Promise<void> {
    if (this.#isTidy) return
    this.#isTidy = true
    const mine = new Set([...this.#held.values()].map(({ order }) => order.token))
    await endLeftoversBut(this.#folder, this.#options.graceMs, mine).catch(() => {})
  }

  #take(job: string, order: WorkOrder): void {
    if (this.#held.has(job)) return
    const held = new Held(job, order, this.#options.say)
    this.#held.set(job, held)
    const work = this.#execute(job, held)
      .catch((error) => this.#options.say(`${orderName(order)}: ${error instanceof Error ? error.message : error}`))
      .finally(() => {
        this.#held.delete(job)
        this.#working.delete(work)
      })
    this.#working.add(work)
  }

  async #apply(held: HeldAttempt, attempt: RunningAttempt, control: Control): Promise<void> {
    if (await applyTo(attempt, control, this.#aheadMs)) return
    held.continues()
    const { task, attempt: number } = held.order
    await this.#report(held.job, [{ type: 'attempt.stirred', task: task.id, attempt: number }], [])
  }

  async #execute(job: string, held: Held): Promise<void> {
    const { order } = held
    const { say } = this.#options
    say(`${orderName(order)} begins`)
    let fact: Delivered
    try {
      fact = await this.#carryOut(job, held)
      this.#rest.worked()
    } catch (error) {
      if (error instanceof RefusedByServer) return say(`${orderName(order)}: ${error.message}`)
      fact = await this.#unable(held, error)
    }
    await this.#server
      .persist(() => this.#server.call('result', { job, fact }), NEVER)
      .catch((error) => {
        if (!(error instanceof RefusedByServer)) throw error
      })
    say(`${orderName(order)}: ${wordFor(fact)}`)
    await removeTree(orderFolder(this.#folder, order)).catch(() => {})
  }

  /** Another worker starts the order anew: all its processes here are ended. */
  async #unable(held: Held, error: unknown): Promise<Delivered> {
    // First: if the server cannot be reached, another worker gets it soon.
    await this.#endProcessesOf(held)
    const trouble = troubleWith(this.#folder, held, error)
    if (trouble.isOfMachine) await this.#rest.begin(trouble.why, trouble.isGeneral)
    return trouble.fact
  }

  async #endProcessesOf(held: Held): Promise<void> {
    const others = [...this.#held.values()].filter((one) => one !== held).map(({ order }) => order.token)
    await endLeftoversBut(this.#folder, this.#options.graceMs, new Set(others)).catch(() => {})
  }

  /** Throws errors of this machine. */
  async #carryOut(job: string, held: Held): Promise<Delivered> {
    const { order } = held
    await this.#repository.fetchFor(job, order, { say: this.#options.say, signal: this.#over(held) })
    const output = new OutputSync(orderFolder(this.#folder, order), (piece) =>
      this.#server.call('output', { job, ...piece }),
    )
    const sending = setInterval(() => void output.sync().catch(() => {}), FLEET.outputEveryMs)
    let fact: Delivered
    try {
      fact = isAttempt(held) ? await this.#attempt(job, held) : await this.#verification(held)
    } finally {
      clearInterval(sending)
    }
    await this.#server.persist(() => output.end(), NEVER).catch(() => {})
    if (!isAttempt(held) || fact.type !== 'attempt.finished') return fact
    const send = () => this.#repository.send(job, held.order, fact, NEVER)
    const afterTrouble = afterMachineTrouble(() => false)
    return retry(send, afterTrouble, this.#leaving.signal)
  }

  #over(held: Held): AbortSignal {
    return AbortSignal.any([held.stopped, this.#leaving.signal])
  }

  async #attempt(job: string, held: HeldAttempt): Promise<AttemptFinished> {
    const { order } = held
    const reports = new Reports((facts, progress) => this.#report(job, facts, progress))
    const folder = attemptFolder(this.#folder, order.run, order.task.id, order.attempt)
    const asks = new Asks(folder.asks, order.token, (ask) => this.#ask(job, ask))
    const looking = setInterval(() => void asks.look().catch(() => {}), FLEET.askEveryMs)
    const leaving = this.#over(held)
    const afterTrouble = afterMachineTrouble((error) => isOfItsFiles(this.#folder, order, error))
    const tried = () => retry((_, isLast) => this.#resultOf(held, { reports, asks, isLast }), afterTrouble, leaving)
    const afterFullDisk = untilThereIsRoom({
      isWorth: () => hasBegun(this.#folder, order),
      waits: (error) => void this.#rest.begin(machineTroubleText(error), true),
    })
    try {
      return await retry(tried, afterFullDisk, leaving)
    } catch (error) {
      await this.#endProcessesOf(held)
      throw error
    } finally {
      clearInterval(looking)
      await reports.flush()
    }
  }

  async #ask(job: string, ask: Ask): Promise<Result<unknown>> {
    const timeoutMs = 2 * LIMITS.askWaitMs
    try {
      return await this.#server.call<Result<unknown>>('ask', { job, ask }, { timeoutMs, signal: this.#leaving.signal })
    } catch (error) {
      return refuse(error instanceof RefusedByServer ? error.message : 'the server cannot be reached at the moment')
    }
  }

  #verification(held: Held): Promise<Verified> {
    const { order } = held
    if (order.kind !== 'verification') throw new Error('it is an attempt')
    const verification = this.#verify(order)
    held.begin(({ type }) => (type === 'stop' ? verification.halt() : undefined))
    return verification.result
  }

  /** Carries out an attempt. Starting the same order again continues from the leftovers of its first start. */
  #resultOf(
    held: HeldAttempt,
    { reports, asks, isLast }: { reports: Reports; asks: Asks; isLast: boolean },
  ): Promise<AttemptFinished> {
    const { order } = held
    const asked = order.askedToStopAt === null ? null : order.askedToStopAt - this.#aheadMs
    const attempt = this.#runner.start(
      { ...order, askedToStopAt: asked },
      {
        // Output of an attempt that is being stopped does not mean that it continues.
        report: (fact) => (held.stopping && fact.type !== 'attempt.spent' ? undefined : reports.fact(fact)),
        progress: (message) => reports.progress(message),
        notes: () => asks.notes(),
      },
      { isLast },
    )
    held.begin((control) => this.#apply(held, attempt, control))
    return attempt.result
  }

  async #report(job: string, facts: AttemptReport[], progress: Said[]): Promise<void> {
    const ahead = progress.map(({ at, message }) => ({ at: at + this.#aheadMs, message }))
    await this.#server
      .persist(() => this.#server.call('report', { job, facts, progress: ahead }), this.#leaving.signal)
      .catch(() => {})
  }
}

function isAttempt(held: Held): held is HeldAttempt {
  return held.order.kind === 'attempt'
}

function wordFor(fact: Delivered): string {
  if (fact.type === 'attempt.finished') return fact.failure ? fact.failure.reason : fact.outcome
  return fact.verdict === null ? 'ended' : fact.verdict.passed ? 'passed' : 'failed'
}

const SKEW_MS = 5_000
const NEVER = new AbortController().signal
