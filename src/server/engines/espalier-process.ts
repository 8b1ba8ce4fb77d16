// Runs Espalier's commands as processes of their own. Reading a plan may take long, or much memory: it never happens in the
// process that answers all requests.
import { execFile } from 'node:child_process'
import * as z from 'zod'
import { packageFile } from '../../files/package-file.ts'
import { ok, type Problem, problem } from '../../problem.ts'
import { parsedJson } from '../../text/json.ts'
import { SERVER_LIMITS } from '../limits.ts'
import { problemSchema, type Reply, refusal } from '../resources/refusal.ts'

/** Starts Espalier with the Node of this process. */
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

  /** The JSON that a command prints, whatever its exit status, or its problems. */
  async json<T>(args: readonly string[], { cwd, signal }: { cwd: string; signal: AbortSignal }): Promise<Reply<T>> {
    if (this.#running >= SERVER_LIMITS.commands) {
      if (this.#waiting.length >= SERVER_LIMITS.commandQueue)
        return refusal('too-many-requests', 'as many commands run already as may: try again soon')
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#running++
    try {
      const end = await this.#ended(args, cwd, signal)
      if (end === null) return refusal('took-too-long', 'the command took too long, or printed too much')
      const printed = parsedJson(end.out)
      if (printed === null) return { ok: false, problems: problemsIn(end.err) }
      // The protocol has a version of its own.
      const { version: _, ...value } = printed as { version: number }
      return ok(value as T)
    } finally {
      this.#running--
      this.#waiting.shift()?.()
    }
  }

  /** Null: the command was killed, at a limit or because the request was aborted. */
  #ended(args: readonly string[], cwd: string, signal: AbortSignal): Promise<{ out: string; err: string } | null> {
    const [program = '', ...first] = espalierCommand()
    const limits = { timeout: SERVER_LIMITS.commandMs, maxBuffer: SERVER_LIMITS.commandBytes }
    const env = { ...this.#environment, NO_COLOR: '1' }
    const options = { cwd, env, signal, ...limits, killSignal: 'SIGKILL' as const }
    return new Promise((resolve) => {
      const child = execFile(program, [...first, ...args], options, (error, out, err) => {
        const isKilled = error?.signal || error?.code === 'ABORT_ERR' || error?.code === TOO_MUCH
        resolve(isKilled ? null : { out, err })
      })
      child.stdin?.end()
    })
  }
}

const TOO_MUCH = 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'

/** Reads the line of JSON with which a refusing command ends; else each line of stderr is a problem. */
export function problemsIn(err: string): Problem[] {
  const lines = err.split('\n').filter((line) => line.trim() !== '')
  const refused = refusedSchema.safeParse(parsedJson(lines.at(-1) ?? ''))
  if (refused.success) return refused.data.problems
  return lines.length > 0 ? lines.map((line) => problem(line)) : [problem('the command ended without a word')]
}

const refusedSchema = z.object({ problems: z.array(problemSchema) })

export type FlagValues = Readonly<
  Record<string, string | number | boolean | null | undefined | readonly (string | number)[]>
>

/** `{ budgetUsd: 4 }` is `--budget-usd=4`. A value stands behind an equals sign: it can never be taken for a flag. */
export function flagsOf(settings: FlagValues): string[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    if (value === undefined) return []
    if (name === 'timeoutMs') return [`--timeout=${Math.ceil(Number(value) / 1000)}s`]
    if (name === 'evalTimeoutMs') return [`--eval-timeout-seconds=${Math.ceil(Number(value) / 1000)}`]
    const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    if (typeof value === 'boolean') return [value ? `--${flag}` : `--no-${flag}`]
    return [value].flat().map((one) => `--${flag}=${typeof one === 'number' ? decimal(one) : (one ?? 'none')}`)
  })
}

/** The number without an exponent. */
function decimal(value: number): string {
  return value.toFixed(6).replace(/\.?0+$/, '')
}
