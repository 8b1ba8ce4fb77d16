// One verification of the landing queue: the `landing.verify` commands, in a worktree of their own, on the very commit
// that would land (G1).
//
// Properties
// - A tree that has passed the same commands before is not verified again, in whatever run that was. What failed is:
//   it may have failed of something outside the tree.
// - It is never adopted: an engine that finds one of an earlier engine ends it.
// - Nothing of it runs any more when its result is known (I9).
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { untilAborted } from '../../async/until-aborted.ts'
import { describeExit } from '../../attempt/end.ts'
import { endSteps, startStep, stepFailure } from '../../attempt/step.ts'
import { LIMITS, type Settings } from '../../config.ts'
import type { Fact, Verdict } from '../../event.ts'
import type { Failure } from '../../failure.ts'
import type { EngineRepository } from '../../git/engine/repository.ts'
import { DiskTrouble } from '../../git/run/disk-trouble.ts'
import { markSetup, prepare } from '../../git/slots/pool.ts'
import { treeOf } from '../../git/trees/tree-of.ts'
import { agentEnvironment, declaredEnvironment } from '../../process/environment.ts'
import type { Supervised } from '../../process/supervise/supervise.ts'
import type { Store } from '../../store/store.ts'
import { formatDuration } from '../../text/duration.ts'
import { temporaryFolder } from '../../workspace/folder.ts'
import { type StepKind, stepName } from '../../workspace/step-name.ts'

export type VerificationSpec = {
  run: string
  number: number
  commit: string
  /** Counted from 1; its worktree is one behind all that agents can ever have. */
  slot: number
  /** For its output. */
  folder: string
  token: string
  engine: EngineRepository
  store: Pick<Store, 'hasPassed' | 'rememberPassed'>
  settings: Settings
  environment: NodeJS.ProcessEnv
  include: readonly string[]
  setupKey(commit: string): Promise<string | null>
  /** It has failed on this commit: setup is done anew, in case that was why. */
  isRepeated: boolean
}

type Verified = Extract<Fact, { type: 'landing.verified' }>

export class RunningVerification {
  readonly #spec: VerificationSpec
  readonly #released = new AbortController()
  #ending: 'halted' | 'timeout' | null = null
  #step: Supervised | null = null
  /** Rejects with what kept it from being carried out at all. */
  readonly result: Promise<Verified>

  constructor(spec: VerificationSpec) {
    this.#spec = spec
    this.result = this.#run()
  }

  halt(): void {
    this.#end('halted')
  }

  letGo(): void {
    this.#released.abort()
    this.#step?.release()
  }

  async #run(): Promise<Verified> {
    const { number, commit, settings, token, folder } = this.#spec
    const began = performance.now()
    const timer = setTimeout(() => this.#end('timeout'), settings.landing.timeoutMs)
    try {
      // Of an engine before this one; also where the tree has passed meanwhile and nothing is to be run.
      for (const kind of ['setup', 'verify'] as const) await endSteps({ root: folder, token, settings }, kind)
      const tree = await treeOf(this.#spec.engine, commit)
      const key = { tree, commands: await commandsKey(this.#spec) }
      const cached = await this.#spec.store.hasPassed(key)
      const failure = cached ? null : await this.#verify()
      const verdict: Verdict = { passed: failure === null, cached, durationMs: performance.now() - began, failure }
      if (verdict.passed && !cached && this.#ending === null) await this.#spec.store.rememberPassed(key)
      return {
        type: 'landing.verified',
        verification: number,
        commit,
        verdict: this.#ending === 'halted' ? null : verdict,
      }
    } finally {
      clearTimeout(timer)
      if (!this.#released.signal.aborted) await rm(temporaryFolder(token), { recursive: true, force: true })
    }
  }

  async #verify(): Promise<Failure | null> {
    const { engine, commit, slot, settings, include, token } = this.#spec
    if (this.#ending) return this.#late()
    await mkdir(temporaryFolder(token), { recursive: true, mode: 0o700 })
    const branch = `espalier/${this.#spec.run}/landing`
    const setupKey = await this.#spec.setupKey(commit)
    const options = { branch, keep: settings.keep, include, setupKey, freshSetup: this.#spec.isRepeated }
    const prepared = await prepare(engine, LIMITS.slots + slot, commit, options)
    if (!prepared.ok) throw new Error(prepared.failure.message)
    if (prepared.needsSetup && setupKey !== null) {
      const failure = await this.#commands('setup', settings.setup, prepared.path)
      if (failure) return failure
      await markSetup(prepared.slot, setupKey)
    }
    return this.#commands('verify', settings.landing.verify, prepared.path)
  }

  async #commands(kind: StepKind, commands: readonly string[], cwd: string): Promise<Failure | null> {
    const { folder, settings, token } = this.#spec
    const env = this.#environment(cwd)
    for (const [index, command] of commands.entries()) {
      this.#released.signal.throwIfAborted()
      if (this.#ending) return this.#late(command)
      const dir = `${folder}/${stepName(kind, index + 1)}`
      const step = await startStep({ dir, cwd, command, env, token, settings })
      this.#attend(step)
      const exit = await untilAborted(this.#released.signal, step.done)
      this.#step = null
      if (this.#ending) return this.#late(command)
      if (exit.kind === 'unwritable') throw new DiskTrouble(exit.message)
      // Nobody's work is to blame for what never ran.
      if (exit.kind !== 'exited' && exit.kind !== 'signalled') throw new Error(`\`${command}\` ${describeExit(exit)}`)
      const failure = await stepFailure(dir, command, kind, exit)
      if (failure) return { ...failure, reason: 'landing-failed' }
    }
    return null
  }

  /** A stop, or the order to let go, may have come while it was being started. */
  #attend(step: Supervised): void {
    this.#step = step
    if (this.#released.signal.aborted) step.release()
    else if (this.#ending) void step.stop()
  }

  #end(why: 'halted' | 'timeout'): void {
    this.#ending ??= why
    void this.#step?.stop()
  }

  #late(command?: string): Failure {
    const { timeoutMs } = this.#spec.settings.landing
    const message = `${command ? `\`${command}\`` : 'the verification'} was not done after ${formatDuration(timeoutMs)}; give it more with \`landing.timeout\``
    return { reason: 'landing-failed', message }
  }

  #environment(worktree: string): Record<string, string> {
    const { run, commit, settings, environment, token, slot } = this.#spec
    const first = settings.ports.first + (settings.maxConcurrency + slot - 1) * settings.ports.perSlot
    return agentEnvironment(environment, settings.envAllow, {
      ...settings.landing.env,
      TMPDIR: temporaryFolder(token),
      ESPALIER_RUN: run,
      ESPALIER_COMMIT: commit,
      ESPALIER_WORKTREE: worktree,
      ESPALIER_PORT: String(first),
      ESPALIER_PORT_LAST: String(first + settings.ports.perSlot - 1),
    })
  }
}

/** What a verdict depends on besides the tree: the commands, the setup, their variables and the included files. */
async function commandsKey({ settings, environment, include, engine }: VerificationSpec): Promise<string> {
  const declared = { ...declaredEnvironment(environment, settings.envAllow), ...settings.landing.env }
  const hash = createHash('sha256')
  hash.update(JSON.stringify([settings.landing.verify, settings.setup, Object.entries(declared).sort()]))
  for (const path of include) {
    const content = await readFile(join(engine.user.top, path)).catch(() => null)
    hash.update(JSON.stringify([path, content?.length ?? null])).update(content ?? '')
  }
  return hash.digest('hex')
}
