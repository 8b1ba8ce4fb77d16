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
import type { AttemptFinished, AttemptRunner, Verified } from '../attempt/attempt-order.ts'
import type { Failure } from '../event.ts'
import { type EngineRepository, inEngine } from '../git/engine/engine-repository.ts'
import { givenRef, runBranch } from '../git/engine/ref-names.ts'
import { pushShared } from '../git/engine/shared-repository.ts'
import { isAncestor } from '../git/run/git.ts'
import { LOCAL } from '../status.ts'
import { checkDelivered } from './check-delivered.ts'
import { type OutputHere, outputHere } from './copy-output-of-workers.ts'
import { type Assignments, assignmentsAt, jobOf } from './fleet-database.ts'
import { HeartbeatWatch } from './heartbeat-watch.ts'
import { FLEET } from './limits.ts'
import { type Delivered, neededCommits, orderName, type WorkOrder } from './orders.ts'
import type { Control } from './protocol.ts'

/** For a run whose store is on Postgres. */
export function fleetRunner(machine: Machine, storeUrl: string): AttemptRunner {
  const local = localRunner(machine)
  const opened = assignmentsAt(storeUrl, 'engine')
  if (!opened.ok) return local
  const fleet = opened.value
  const remotes = new Map<string, Assigned>()
  /** Results that came before their attempt was started here, after a restart. */
  const deliveredEarly = new Map<string, Delivery>()
  const output = outputHere(machine, fleet)
  const give = givesCommits(machine.engine)

  return {
    start(order, host, options) {
      if (order.worker === LOCAL) return local.start(order, host, options)
      const key = keyOf({ task: order.task.id, attempt: order.attempt })
      const granted: string[] = []
      const remote = assigned(order, { fleet, output, give })
      const result = remote.delivery.then(({ fact, isNew }) =>
        checkDelivered(machine.engine, order, { fact: fact as AttemptFinished, isNew, granted }),
      )
      keepUntil(result, key, remote)
      result.catch(() => {
        // A retry, because git or the disk failed, gets no second delivery.
        if (remote.delivered) deliveredEarly.set(key, remote.delivered)
      })
      const early = deliveredEarly.get(key)
      if (early) {
        deliveredEarly.delete(key)
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
    },

    verify(order) {
      const remote = assigned(order, { fleet, output, give })
      const result = remote.delivery.then(({ fact }) => fact as Verified)
      keepUntil(result, verificationKey(order.number, order.commit), remote)
      const why: Failure = { reason: 'landing-failed', message: 'the verification was halted' }
      return {
        result,
        // The worker reports the end of the verification.
        halt: () => void remote.tell({ type: 'stop', why, decidedAt: Date.now() }),
        letGo: () => remote.letGo(),
      }
    },

    deliver(fact, isNew = false) {
      const isAttempt = fact.type === 'attempt.finished'
      const key = isAttempt ? keyOf(fact) : verificationKey(fact.verification, fact.commit)
      const remote = remotes.get(key)
      if (remote) remote.deliver({ fact, isNew })
      else if (isAttempt) deliveredEarly.set(key, { fact, isNew })
    },

    async follow(host, signal) {
      const copying = output.follow(host.run, signal)
      const watch = new HeartbeatWatch()
      let isFirst = true
      while (!signal.aborted) {
        try {
          const rows = await fleet.workers()
          const now = performance.now()
          if (isFirst) {
            await fleet.forget(host.run)
            await fleet.cancelAllBut(host.run, host.alive)
          }
          isFirst = false
          for (const fact of watch.look(rows, host.known(), now)) {
            host.tell(fact)
            if (fact.type === 'worker.lost') loseVerifications(fact.worker)
          }
        } catch {
          watch.forget() // nobody could say that it is there
        }
        await fleet.woken('engine', FLEET.lookMs, signal)
        if (!signal.aborted) await wait(MIN_LOOK_MS)
      }
      await copying
      await fleet[Symbol.asyncDispose]()
    },
  }

  function keepUntil(result: Promise<unknown>, key: string, remote: Assigned): void {
    remotes.set(key, remote)
    const forget = () => {
      if (remotes.get(key) === remote) remotes.delete(key)
    }
    result.then(forget, forget)
  }

  /** Ends verifications without a verdict: another machine repeats them. Lost attempts are ended by a decision. */
  function loseVerifications(lost: string): void {
    for (const remote of remotes.values()) {
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

type Assigned = ReturnType<typeof assigned>

/** An order that a worker carries out, until its result is delivered. */
function assigned(
  order: WorkOrder,
  { fleet, output, give }: { fleet: Assignments; output: OutputHere; give: GiveCommits },
) {
  const job = jobOf(order)
  const answer = Promise.withResolvers<Delivery>()
  const over = new AbortController()
  let delivered: Delivery | null = null
  /** Resolves when its output has arrived, too. */
  const delivery = carriedOut()

  return {
    order,
    get delivered() {
      return delivered
    },
    delivery,
    deliver(delivery: Delivery): void {
      delivered = delivery
      answer.resolve(delivery)
    },
    tell: (control: Control) => persist(() => fleet.control(order.worker, job, control)),
    cancel: () => void persist(() => fleet.cancel(order.worker, job)),

    letGo(): void {
      over.abort()
      answer.reject(new Error(`${orderName(order)} is left to the next engine`))
    },
  }

  async function carriedOut(): Promise<Delivery> {
    answer.promise.catch(() => {})
    await give(order)
    if (!over.signal.aborted) void persist(() => fleet.assign(order))
    const delivery = await answer.promise
    over.abort()
    await output.all(order)
    return delivery
  }

  /** Retries while the database restarts; if it stays away, the engine's own writes stop the run. */
  function persist(work: () => Promise<void>): Promise<void> {
    return retry(work, (_, tries) => doubled(tries, FLEET.writeRetryMs), over.signal).catch(() => {})
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
