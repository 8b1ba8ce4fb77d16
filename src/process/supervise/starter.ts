// Starts supervisors, here or in a smaller process: starting a process from Node copies the page tables of the whole
// program, and until that is done the engine stands still.
import { spawn } from 'node:child_process'
import { type ProcessIdentity, processIdentity } from '../tree/identity.ts'

/** A detached `/bin/sh`. */
export type StartSpec = { args: string[]; cwd: string; env: Record<string, string> }

export type Started =
  | { kind: 'started'; process: StartedProcess }
  | { kind: 'failed'; message: string }
  /** The smaller process is gone: it may have been started or not. */
  | { kind: 'unknown' }

export type StartedProcess = {
  pid: number
  /** Null: it had ended before anybody could look. */
  identity: ProcessIdentity | null
  /** 'unwatched': nobody hears of its end any more. */
  ended: Promise<'ended' | 'unwatched'>
  /** Lets this process end before it. */
  unref(): void
}

let substitute: typeof startHere | null = null

/** Null: this process starts them itself. */
export function useStarter(starter: typeof startHere | null): void {
  substitute = starter
}

export async function startSupervisor(spec: StartSpec): Promise<Started> {
  return substitute ? substitute(spec) : startHere(spec)
}

/** Never rejects. */
export async function startHere({ args, cwd, env }: StartSpec): Promise<Started> {
  try {
    const child = spawn('/bin/sh', args, { cwd, env, detached: true, stdio: 'ignore' })
    const failed = new Promise<string>((resolve) => child.once('error', (error) => resolve(error.message)))
    const { pid } = child
    if (pid === undefined) return { kind: 'failed', message: await failed }
    const ended = new Promise<'ended'>((resolve) => child.once('exit', () => resolve('ended')))
    const process = { pid, identity: processIdentity(pid), ended, unref: () => child.unref() }
    return { kind: 'started', process }
  } catch (error) {
    return { kind: 'failed', message: String(error) } // an argument or variable with a NUL, a list that is too long
  }
}
