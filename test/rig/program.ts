// A process of the command line, and what it says.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Event } from '../../src/event.ts'
import { until } from './until.ts'

export class Program implements AsyncDisposable {
  readonly child: ChildProcess
  readonly token: string
  heard = ''

  constructor(child: ChildProcess, token: string) {
    this.child = child
    this.token = token
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        this.heard += String(chunk)
      })
  }

  /** Of a run with --json. */
  get events(): Event[] {
    return this.heard
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Event)
  }

  get isOver(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  async says(what: RegExp, timeoutMs = 60_000): Promise<void> {
    await until(
      `it says ${what}`,
      () => {
        if (what.test(this.heard)) return true
        if (this.isOver) throw new Error(`it ended without saying ${what}:\n${this.heard}`)
        return null
      },
      timeoutMs,
    ).catch((error) => {
      throw new Error(`${error.message}\n${this.heard}`)
    })
  }

  async ends(): Promise<number | null> {
    if (!this.isOver) await once(this.child, 'exit')
    return this.child.exitCode
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name)
  }

  async kill(): Promise<void> {
    if (this.isOver) return
    this.child.kill('SIGKILL')
    await once(this.child, 'exit')
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill()
  }
}
