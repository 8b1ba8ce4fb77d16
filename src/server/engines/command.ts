// Espalier's own commands as processes of their own. Reading somebody's plan or looking at a machine may take long, or much
// memory: it never happens in the process that answers everybody else.
import { spawn } from 'node:child_process'
import { packageFile } from '../../files/package-file.ts'
import { SERVER_LIMITS } from '../limits.ts'

export type CommandEnd =
  | { kind: 'ended'; status: number | null; out: string; err: string }
  | { kind: 'busy' }
  | { kind: 'too-long' }

/** The words that start Espalier with the Node of this process. */
export function espalierCommand(): string[] {
  return [process.execPath, packageFile('bin/espalier.js')]
}

export class Commands {
  readonly #environment: NodeJS.ProcessEnv
  #running = 0
  #waiting: (() => void)[] = []

  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment
  }

  async run(args: readonly string[], { cwd, signal }: { cwd: string; signal?: AbortSignal }): Promise<CommandEnd> {
    if (this.#running >= SERVER_LIMITS.commands) {
      if (this.#waiting.length >= SERVER_LIMITS.commandQueue) return { kind: 'busy' }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#running++
    try {
      return await this.#ended(args, cwd, signal)
    } finally {
      this.#running--
      this.#waiting.shift()?.()
    }
  }

  #ended(args: readonly string[], cwd: string, signal: AbortSignal | undefined): Promise<CommandEnd> {
    const [program = '', ...first] = espalierCommand()
    const given = [AbortSignal.timeout(SERVER_LIMITS.commandMs), ...(signal ? [signal] : [])]
    return new Promise((resolve) => {
      const child = spawn(program, [...first, ...args], {
        cwd,
        env: { ...this.#environment, NO_COLOR: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
        signal: AbortSignal.any(given),
        killSignal: 'SIGKILL',
      })
      const [out, err] = [new Collected(), new Collected()]
      child.stdout.on('data', (data: Buffer) => out.add(data) || child.kill('SIGKILL'))
      child.stderr.on('data', (data: Buffer) => err.add(data) || child.kill('SIGKILL'))
      child.on('error', () => {}) // told by `close`
      child.on('close', (status, killed) => {
        if (killed !== null || out.isFull || err.isFull) resolve({ kind: 'too-long' })
        else resolve({ kind: 'ended', status, out: out.text, err: err.text })
      })
    })
  }
}

class Collected {
  readonly #parts: Buffer[] = []
  #bytes = 0

  /** False: it is too much. */
  add(data: Buffer): boolean {
    this.#bytes += data.length
    if (!this.isFull) this.#parts.push(data)
    return !this.isFull
  }

  get isFull(): boolean {
    return this.#bytes > SERVER_LIMITS.commandBytes
  }

  get text(): string {
    return Buffer.concat(this.#parts).toString('utf8')
  }
}
