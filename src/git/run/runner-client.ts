// Starts git, and the supervisors of commands, from a small process of its own. Starting a process from Node copies the
// page tables of the whole program: about 1 ms for a small one, 4 ms for an engine of 120 MB and 30 ms for one that
// holds a plan of 100,000 tasks, and for that time the engine stands still.
//
// Tolerated: a runner that stands still, as a Node does that could not make all its threads. It has a time to begin and
// one for each answer; then it is killed, and its open commands are run from here. It is killed when this process exits, and by
// the next engine if this process is killed: it cannot notice that by itself. Without a runner (short commands, the first
// milliseconds) processes are started directly.
import { type ChildProcess, fork } from 'node:child_process'
import { programFile } from '../../files/package-file.ts'
import { type Started, type StartedProcess, type StartSpec, useStarter } from '../../process/supervise/starter.ts'
import { processIdentity } from '../../process/tree/identity.ts'
import type { ProcessRow } from '../../process/tree/process-table.ts'
import { type GitEnd, type GitSpec, runGitProcess } from './process.ts'

type Outcome = GitEnd & { stdout: Uint8Array }
/** The answer to the request with that id, and later, if that started a supervisor, its end. */
export type RunnerMessage = 'ready' | { id: number; answer: Outcome | StartedThere } | { id: number; ended: true }
type StartedThere =
  | Exclude<Started, { kind: 'started' }>
  | ({ kind: 'started' } & Pick<StartedProcess, 'pid' | 'identity'>)

let runner: GitRunner | null = null
let users = 0

/** Lets a runner start git until every user has been disposed of. */
export function useGitRunner(): Disposable {
  users++
  runner ??= new GitRunner()
  let used = true
  return {
    [Symbol.dispose]() {
      if (used) users--
      used = false
      if (users > 0) return
      runner?.close()
      runner = null
      for (const close of closing) close()
    },
  }
}

export function whenNobodyUsesGit(close: () => void): void {
  closing.add(close)
}

const closing = new Set<() => void>()

export async function runGit(spec: GitSpec): Promise<GitEnd & { stdout: Buffer }> {
  const answer = runner?.isReady ? await runner.run(spec) : await runGitProcess(spec)
  return { ...answer, stdout: Buffer.from(answer.stdout) }
}

/** Kills runners that have outlived their engine: one that does not stand still ends with it. */
export function endStuckRunners(rows: readonly ProcessRow[]): void {
  const runners = rows.filter((row) => row.pid === row.session && row.isOurs() && row.variable(RUNNER_OF) !== null)
  for (const row of runners) {
    const isLed = rows.some(
      ({ pid, startTime }) => pid === row.ppid && inOneWord(startTime) === row.variable(RUNNER_OF),
    )
    // A process that a runner has just started still has the environment of its parent.
    if (!isLed && !runners.some(({ pid }) => pid === row.ppid)) kill(row.pid)
  }
}

/** The start time of the process that a runner works for. */
const RUNNER_OF = 'ESPALIER_RUNNER_OF'

/** As `ps` can show it among variables. */
function inOneWord(startTime: string): string {
  return startTime.replaceAll(' ', '_')
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has just ended
  }
}

/** A request to the runner; `lose` answers it if the runner is gone. */
type Open = { answer(answer: never): void; lose(): void }

class GitRunner {
  readonly #child: ChildProcess
  readonly #open = new Map<number, Open>()
  /** Called at the end of a supervisor, by the id of its start. */
  readonly #supervisors = new Map<number, (how: 'ended' | 'unwatched') => void>()
  #next = 0
  readonly #beginning: NodeJS.Timeout
  readonly #atExit = () => this.#kill()
  isReady = false

  constructor() {
    this.#child = fork(programFile('git-runner'), [], {
      env: { ...process.env, [RUNNER_OF]: inOneWord(processIdentity(process.pid)?.startTime ?? '') },
      serialization: 'advanced',
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Ctrl-C is for the engine alone.
      detached: true,
    })
    this.#child.on('message', (message: RunnerMessage) => this.#heard(message))
    this.#child.on('error', () => this.#gone())
    this.#child.on('exit', () => this.#gone())
    process.on('exit', this.#atExit)
    this.#beginning = setTimeout(() => this.#kill(), BEGIN_MS).unref()
    this.#rest()
  }

  /** Runs it here if the runner is gone: git's own locks keep the two apart. */
  run(spec: GitSpec): Promise<Outcome> {
    // The runner itself ends git after `timeoutMs`, and then answers.
    const ms = spec.timeoutMs === null ? null : spec.timeoutMs + Math.min(spec.timeoutMs, ANSWER_MS)
    return this.#ask<Outcome>({ spec }, ms, (_, resolve) => {
      return { answer: resolve, lose: () => resolve(runGitProcess(spec)) }
    })
  }

  start(spec: StartSpec): Promise<Started> {
    return this.#ask<Started>({ start: spec }, ANSWER_MS, (id, resolve) => {
      const answer = (started: StartedThere) => resolve(this.#begun(id, started))
      return { answer, lose: () => resolve({ kind: 'unknown' }) }
    })
  }

  close(): void {
    process.off('exit', this.#atExit)
    this.#kill()
    this.#gone()
  }

  /** `ms`: limit for the answer; null: none. */
  #ask<T>(
    question: object,
    ms: number | null,
    open: (id: number, resolve: (answer: T | Promise<T>) => void) => Open,
  ): Promise<T> {
    const id = this.#next++
    const late = ms === null ? undefined : setTimeout(() => this.#kill(), ms)
    return new Promise<T>((resolve) => {
      this.#open.set(id, open(id, resolve))
      this.#child.channel?.ref()
      this.#child.send({ id, ...question }, (error) => {
        if (error) this.#gone()
      })
    }).finally(() => clearTimeout(late))
  }

  #heard(message: RunnerMessage): void {
    if (message === 'ready') {
      clearTimeout(this.#beginning)
      this.isReady = true
      useStarter((spec) => this.start(spec))
    } else if ('ended' in message) {
      this.#supervisors.get(message.id)?.('ended')
      this.#supervisors.delete(message.id)
    } else {
      this.#open.get(message.id)?.answer(message.answer as never)
      this.#open.delete(message.id)
      if (this.#open.size === 0) this.#rest()
    }
  }

  #begun(id: number, started: StartedThere): Started {
    if (started.kind !== 'started') return started
    const ended = new Promise<'ended' | 'unwatched'>((resolve) => this.#supervisors.set(id, resolve))
    return { kind: 'started', process: { pid: started.pid, identity: started.identity, ended, unref: () => {} } }
  }

  #gone(): void {
    if (this.isReady) useStarter(null)
    this.isReady = false
    const [open, supervisors] = [[...this.#open.values()], [...this.#supervisors.values()]]
    this.#open.clear()
    this.#supervisors.clear()
    for (const { lose } of open) lose()
    for (const end of supervisors) end('unwatched')
  }

  #kill(): void {
    clearTimeout(this.#beginning)
    this.#child.kill('SIGKILL')
  }

  #rest(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }
}

const BEGIN_MS = 60_000
const ANSWER_MS = 30_000
