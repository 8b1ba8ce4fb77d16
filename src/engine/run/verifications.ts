// The verifications of the landing queue that are under way, and what the run hears of them.
import { join } from 'node:path'
import {
  type RunningVerification,
  VERIFICATION_SETTINGS,
  type VerificationOrder,
  type VerificationSettings,
} from '../../attempt/verification-order.ts'
import type { Settings } from '../../config.ts'
import type { Verdict } from '../../event.ts'
import { VerificationHere } from '../../landing/verification.ts'
import { LOCAL } from '../../status.ts'
import { verificationFolder, verificationToken } from '../../workspace/state-folder.ts'
import type { RunContext, Telling } from './run-context.ts'

export class Verifying {
  readonly #run: RunContext
  readonly #tell: Telling
  readonly #running = new Map<number, RunningVerification>()
  /** A verification has passed in this engine's time. */
  #hasPassed = false
  #gone = false
  /** Nobody wants to know what they would say. */
  readonly #halted = new Set<number>()
  /** One after the other that workers came to no verdict on. */
  #withoutVerdict = 0

  constructor(context: RunContext, tell: Telling) {
    this.#run = context
    this.#tell = tell
  }

  async verify(number: number, commit: string, place: Place): Promise<void> {
    const { state } = this.#run
    const isRepeated = (state.batch.items.find((item) => item.commit === commit)?.failures ?? 0) > 0
    try {
      const { verdict, fact } = await this.#runVerification(number, commit, place, isRepeated)
      if (this.#isGivenUp(number, verdict, place))
        return this.#tell.stuck(`${commit.slice(0, 12)} could not be verified: the log of ${place.worker} says why`)
      if (verdict?.passed) this.#hasPassed = true
      if (verdict && !verdict.passed && !this.#hasPassed && (await this.#failsAnyway(number, place))) return
      this.#tell.fact(fact)
    } catch (error) {
      if (this.#gone) return
      // Nobody's work is to blame: the run stops here and can be taken up.
      const why = error instanceof Error ? error.message : String(error)
      this.#tell.stuck(`${commit.slice(0, 12)} could not be verified: ${why}`)
    }
  }

  /** One of an engine before this one: it is ended, and its batch is made anew. A worker hears of that when the fleet is tidied up. */
  async end(number: number, commit: string, place: Place): Promise<void> {
    if (place.worker !== LOCAL)
      return this.#tell.fact({ type: 'landing.verified', verification: number, commit, verdict: null })
    const ended = this.verify(number, commit, place)
    this.halt(number)
    await ended
  }

  halt(number: number): void {
    this.#halted.add(number)
    this.#running.get(number)?.halt()
  }

  /** A worker that is lost costs a verification nothing but time; workers that cannot verify would do so for ever. */
  #isGivenUp(number: number, verdict: Verdict | null, { worker }: Place): boolean {
    if (verdict !== null) this.#withoutVerdict = 0
    else if (worker !== LOCAL && !this.#halted.has(number)) this.#withoutVerdict++
    return this.#withoutVerdict > MOST_WITHOUT_VERDICT
  }

  letGo(): void {
    this.#gone = true
    for (const verification of this.#running.values()) verification.letGo()
  }

  /**
   * As long as nothing has passed it may be that nothing can. Where no other work is to come that could put it right,
   * nobody's work is sent back for it.
   */
  async #failsAnyway(number: number, place: Place): Promise<boolean> {
    const { state } = this.#run
    const { verdict } = await this.#runVerification(number, state.head, place, true)
    this.#hasPassed = verdict?.passed ?? false
    const { pending, ready, running } = state.counts
    if (!verdict?.failure || pending + ready + running > 0) return false
    const [why = ''] = verdict.failure.message.split('\n')
    this.#tell.stuck(
      `\`landing.verify\` does not pass on ${state.head.slice(0, 12)} either, without any of this work (${why.replace(/:$/, '')}). Fix the machine and \`espalier resume\`, or give another command with \`ESPALIER_LANDING_VERIFY='…' espalier resume\``,
    )
    return true
  }

  async #runVerification(number: number, commit: string, place: Place, isRepeated: boolean) {
    const { id: run, state, settings } = this.#run
    const order: VerificationOrder = {
      kind: 'verification',
      ...{ run, runBase: state.base, number, commit, isOfBranch: commit === state.head, isRepeated },
      ...{ worker: place.worker, slot: place.slot },
      token: verificationToken(run, state.seed, number),
      settings: verificationSettings(settings),
    }
    const verification = this.#started(order)
    this.#running.set(number, verification)
    try {
      const fact = await verification.result
      return { fact, verdict: fact.verdict }
    } finally {
      this.#running.delete(number)
    }
  }

  #started(order: VerificationOrder): RunningVerification {
    const { runner, folder: states, store } = this.#run
    if (order.worker !== LOCAL && runner.verify) return runner.verify(order)
    const folder = verificationFolder(states, order.run, order.number)
    return new VerificationHere(order, order.isOfBranch ? join(folder, 'branch') : folder, this.#run, store)
  }
}

const MOST_WITHOUT_VERDICT = 10

/** The machine that does it, and the place of its pool. */
type Place = { worker: string; slot: number }

function verificationSettings(settings: Settings): VerificationSettings {
  return Object.fromEntries(VERIFICATION_SETTINGS.map((name) => [name, settings[name]])) as VerificationSettings
}
