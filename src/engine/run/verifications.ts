// The verifications of the landing queue that are under way, and what the run hears of them.
import { join } from 'node:path'
import { RunningVerification } from '../../landing/verification.ts'
import { verificationFolder, verificationToken } from '../../workspace/state-folder.ts'
import type { RunContext, Telling } from './run-context.ts'

export class Verifying {
  readonly #run: RunContext
  readonly #tell: Telling
  readonly #running = new Map<number, RunningVerification>()
  /** A verification has passed in this engine's time. */
  #hasPassed = false
  #gone = false

  constructor(context: RunContext, tell: Telling) {
    this.#run = context
    this.#tell = tell
  }

  async verify(number: number, commit: string, slot: number): Promise<void> {
    const { state } = this.#run
    const isRepeated = (state.batch.items.find((item) => item.commit === commit)?.failures ?? 0) > 0
    try {
      const { verdict, fact } = await this.#runVerification(number, commit, slot, isRepeated)
      if (verdict?.passed) this.#hasPassed = true
      if (verdict && !verdict.passed && !this.#hasPassed && (await this.#failsAnyway(number, slot))) return
      this.#tell.fact(fact)
    } catch (error) {
      if (this.#gone) return
      // Nobody's work is to blame: the run stops here and can be taken up.
      const why = error instanceof Error ? error.message : String(error)
      this.#tell.stuck(`${commit.slice(0, 12)} could not be verified: ${why}`)
    }
  }

  halt(number: number): void {
    this.#running.get(number)?.halt()
  }

  letGo(): void {
    this.#gone = true
    for (const verification of this.#running.values()) verification.letGo()
  }

  /**
   * As long as nothing has passed it may be that nothing can. Where no other work is to come that could put it right,
   * nobody's work is sent back for it.
   */
  async #failsAnyway(number: number, slot: number): Promise<boolean> {
    const { state } = this.#run
    const { verdict } = await this.#runVerification(number, state.head, slot, true)
    this.#hasPassed = verdict?.passed ?? false
    const { pending, ready, running } = state.counts
    if (!verdict?.failure || pending + ready + running > 0) return false
    const [why = ''] = verdict.failure.message.split('\n')
    this.#tell.stuck(
      `\`landing.verify\` does not pass on ${state.head.slice(0, 12)} either, without any of this work (${why.replace(/:$/, '')}). Fix the machine and \`espalier resume\`, or give another command with \`ESPALIER_LANDING_VERIFY='…' espalier resume\``,
    )
    return true
  }

  async #runVerification(number: number, commit: string, slot: number, isRepeated: boolean) {
    const { id: run, state, folder: states, store, settings } = this.#run
    const place = verificationFolder(states, run, number)
    const folder = commit === state.head ? join(place, 'branch') : place
    const token = verificationToken(run, state.seed, number)
    const order = { run, runBase: state.base, number, commit, slot, folder, token, settings, isRepeated }
    const verification = new RunningVerification(order, this.#run, store)
    this.#running.set(number, verification)
    try {
      const fact = await verification.result
      return { fact, verdict: fact.verdict }
    } finally {
      this.#running.delete(number)
    }
  }
}
