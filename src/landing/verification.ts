// One verification of the landing queue: the `landing.verify` commands, in a worktree of their own, on the very commit
// that would land (G1).
//
// Properties
// - A tree that has passed the same commands before, in any run, is not verified again. A failure is repeated: its cause may be
//   outside the tree.
// - A verification is never adopted: an engine that finds one of an earlier engine ends it.
// - No process of a verification is left when its result is known (I9).

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Machine } from '../attempt/attempt-context.ts'
import type { RunningVerification, VerificationOrder, Verified } from '../attempt/attempt-order.ts'
import { describeExit } from '../attempt/exit-failures.ts'
import { Steps, stepEnvironment } from '../attempt/worktree-commands.ts'
import type { Check, Failure, Verdict } from '../event.ts'
import { lease, type Slot } from '../git/slots/slot.ts'
import { treeOf } from '../git/trees/tree-of.ts'
import { declaredEnvironment } from '../process/environment.ts'
import type { Exit } from '../process/supervise/exit.ts'
import type { Store } from '../store/store.ts'
import { formatDuration } from '../text/duration.ts'
import type { StepKind } from '../workspace/state-folder.ts'

type Memory = Pick<Store, 'hasPassed' | 'rememberPassed'>

/** Executes a verification in this process. `folder`: for the output of its commands. */
export class VerificationHere implements RunningVerification {
  readonly #order: VerificationOrder
  readonly #machine: Machine
  readonly #memory: Memory
  readonly #slot: Slot
  readonly #steps: Steps
  #isHalted = false
  readonly result: Promise<Verified>

  constructor(order: VerificationOrder, folder: string, machine: Machine, memory: Memory) {
    this.#order = order
    this.#machine = machine
    this.#memory = memory
    this.#slot = lease(machine.engine, 'verification', order.slot)
    this.#steps = new Steps({ ...order, slot: this.#slot, root: folder }, blameNobody)
    this.result = this.#steps.carryOut(() => this.#run())
  }

  /** Stops the verification. If it has exceeded its time already, it counts as failed, not as halted. */
  halt(): void {
    this.#isHalted ||= this.#steps.stopping === null
    this.#steps.stop({ reason: 'landing-failed', message: 'the verification was halted' })
  }

  letGo(): void {
    this.#steps.letGo()
  }

  async #run(): Promise<Verified> {
    const { number, commit, settings } = this.#order
    const began = performance.now()
    const timer = setTimeout(() => this.#steps.stop(this.#late()), settings.landing.timeoutMs)
    try {
      // Ends leftovers of an earlier engine, also if the tree has passed meanwhile and needs no commands.
      for (const kind of ['setup', 'verify'] as const) await this.#steps.endLeftovers(kind)
      const key = { tree: await treeOf(this.#machine.engine, commit), commands: await this.#commandsKey() }
      const cached = await this.#memory.hasPassed(key)
      const failure = cached ? null : await this.#verify()
      const verdict: Verdict = { passed: failure === null, cached, durationMs: performance.now() - began, failure }
      if (verdict.passed && !cached && this.#steps.stopping === null) await this.#memory.rememberPassed(key)
      return { type: 'landing.verified', verification: number, commit, verdict: this.#isHalted ? null : verdict }
    } finally {
      clearTimeout(timer)
    }
  }

  async #verify(): Promise<Failure | null> {
    const { run, runBase, commit, settings, isRepeated } = this.#order
    const { include } = this.#machine
    const environment = () => this.#environment()
    const branch = `espalier/${run}/landing`
    const preparation = { commit, runBase, branch, include, freshSetup: isRepeated }
    const failure =
      (await this.#steps.prepare(preparation, environment)) ??
      (await this.#steps.run(settings.landing.verify, { kind: 'verify', env: environment() }))
    return failure && { ...failure, reason: 'landing-failed' }
  }

  #late(): Failure {
    const { timeoutMs } = this.#order.settings.landing
    const { command } = this.#steps
    const message = `${command ? `\`${command}\`` : 'the verification'} was not done after ${formatDuration(timeoutMs)}; give it more with \`landing.timeout\``
    return { reason: 'landing-failed', message }
  }

  #environment(): Record<string, string> {
    const { run, commit, settings, token } = this.#order
    const { environment } = this.#machine
    const own = { ...settings.landing.env, ESPALIER_COMMIT: commit }
    return stepEnvironment({ slot: this.#slot, token, run, settings, environment }, [], own)
  }

  /** Everything besides the tree that a verdict depends on: the commands, the setup, their variables and the included files. */
  async #commandsKey(): Promise<string> {
    const { landing, setup, envAllow } = this.#order.settings
    const { environment, include, engine } = this.#machine
    const declared = { ...declaredEnvironment(environment, envAllow), ...landing.env }
    const hash = createHash('sha256')
    hash.update(JSON.stringify([landing.verify, setup, Object.entries(declared).sort()]))
    for (const path of include) {
      const content = await readFile(join(engine.user.top, path)).catch(() => null)
      hash.update(JSON.stringify([path, content?.length ?? null])).update(content ?? '')
    }
    return hash.digest('hex')
  }
}

/** Throws for a command that never ran, which is no task's fault. */
function blameNobody(_: StepKind, { command }: Check, exit: Exit): void {
  if (exit.kind !== 'exited' && exit.kind !== 'signalled') throw new Error(`\`${command}\` ${describeExit(exit)}`)
}
