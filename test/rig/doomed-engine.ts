// Starts an engine in a process of its own (engine-process.ts) and kills it when the test says so.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Plan, RunEvent, Settings } from '../../src/index.ts'
import type { Orders } from './engine-process.ts'
import { until } from './until.ts'

const SCRIPT = fileURLToPath(new URL('engine-process.ts', import.meta.url))

export class DoomedEngine implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly events: RunEvent[] = []

  constructor(
    repo: string,
    plan: Plan | null,
    settings: Settings,
    end: Pick<Orders, 'death' | 'leaveAt'> = {},
    env = process.env,
  ) {
    const argument = JSON.stringify({ repo, plan, settings, ...end } satisfies Orders)
    const flags = ['--disable-warning=ExperimentalWarning', SCRIPT, argument]
    this.#child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'], env })
    if (!this.#child.stdout) throw new Error('no standard output')
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.events.push(JSON.parse(line) as RunEvent))
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  async saw<T extends RunEvent['type']>(type: T): Promise<Extract<RunEvent, { type: T }>> {
    const isWanted = (event: RunEvent): event is Extract<RunEvent, { type: T }> => event.type === type
    return until(`an event ${type}`, () => this.events.find(isWanted) ?? null)
  }

  /** How it ended, once it has. */
  async ended(): Promise<'killed' | 'finished'> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit')
    if (this.#child.signalCode === 'SIGKILL') return 'killed'
    if (this.#child.exitCode !== 0) throw new Error(`the engine ended with ${this.#child.exitCode}`)
    return 'finished'
  }

  /** As a power cut would: no handler runs. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const gone = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await gone
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
  }
}
