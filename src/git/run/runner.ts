// Starts git, and the supervisors of commands, from a small process of its own. Starting a process from Node copies the
// page tables of the whole program: about 1 ms for a small one, 4 ms for an engine of 120 MB and 30 ms for one that
// holds a plan of 100,000 tasks, and for that time the engine stands still.
//
// Tolerated: a runner that stands still, as a Node does that could not make all its threads. It has a time to begin and
// one for each answer; then it is killed, and its open commands are run from here. Without a runner (short commands,
// the first milliseconds) processes are started directly.
import { type ChildProcess, fork } from 'node:child_process'
import { programFile } from '../../files/package-file.ts'
import { type Started, type StartedProcess, type StartSpec, useStarter } from '../../process/supervise/starter.ts'
import { type GitEnd, type GitSpec, runGitProcess } from './process.ts'

type Outcome = GitEnd & { stdout: Uint8Array }
type Answer =
  | 'ready'
  | { id: number; end: Outcome }
  | { id: number; started: Exclude<Started, { kind: 'started' }> | StartedThere }
  | { id: number; ended: true }
type StartedThere = { kind: 'started' } & Pick<StartedProcess, 'pid' | 'identity'>

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

class GitRunner {
  readonly #child: ChildProcess
  readonly #open = new Map<number, { spec: GitSpec; answer: (end: Outcome | Promise<Outcome>) => void }>()
  readonly #starting = new Map<number, (started: Started) => void>()
  readonly #supervisors = new Map<number, (how: 'ended' | 'unwatched') => void>()
  #next = 0
  readonly #beginning: NodeJS.Timeout
  isReady = false

  constructor() {
    this.#child = fork(programFile('git-runner'), [], {
      serialization: 'advanced',
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Ctrl-C is for the engine alone.
      detached: true,
    })
    this.#child.on('message', (answer: Answer) => this.#heard(answer))
    this.#child.on('error', () => this.#gone())
    this.#child.on('exit', () => this.#gone())
    this.#beginning = setTimeout(() => this.#kill(), BEGIN_MS).unref()
    this.#rest()
  }

  async run(spec: GitSpec): Promise<Outcome> {
    // The runner itself ends git after `timeoutMs`, and then answers.
    const ms = spec.timeoutMs === null ? null : spec.timeoutMs + Math.min(spec.timeoutMs, ANSWER_MS)
    return this.#ask({ spec }, ms, (id, resolve) => this.#open.set(id, { spec, answer: resolve }))
  }

  start(spec: StartSpec): Promise<Started> {
    return this.#ask({ start: spec }, ANSWER_MS, (id, resolve) => this.#starting.set(id, resolve))
  }

  /** `ms`: limit for the answer; null: none. */
  #ask<T>(
    question: object,
    ms: number | null,
    expect: (id: number, resolve: (answer: T | Promise<T>) => void) => void,
  ): Promise<T> {
    const id = this.#next++
    const late = ms === null ? undefined : setTimeout(() => this.#kill(), ms)
    return new Promise<T>((resolve) => {
      expect(id, resolve)
      this.#child.channel?.ref()
      this.#child.send({ id, ...question }, (error) => {
        if (error) this.#gone()
      })
    }).finally(() => clearTimeout(late))
  }

  close(): void {
    this.#stopStarting()
    this.#kill()
  }

  #kill(): void {
    clearTimeout(this.#beginning)
    this.#child.kill('SIGKILL')
  }

  #heard(answer: Answer): void {
    if (answer === 'ready') {
      clearTimeout(this.#beginning)
      this.isReady = true
      useStarter((spec) => this.start(spec))
      return
    }
    const { id } = answer
    if ('ended' in answer) {
      this.#supervisors.get(id)?.('ended')
      this.#supervisors.delete(id)
    } else if ('started' in answer) {
      this.#starting.get(id)?.(this.#begun(id, answer.started))
      this.#starting.delete(id)
    } else {
      this.#open.get(id)?.answer(answer.end)
      this.#open.delete(id)
    }
    if (this.#open.size === 0 && this.#starting.size === 0) this.#rest()
  }

  #begun(id: number, started: Extract<Answer, { started: unknown }>['started']): Started {
    if (started.kind !== 'started') return started
    const ended = new Promise<'ended' | 'unwatched'>((resolve) => this.#supervisors.set(id, resolve))
    return { kind: 'started', process: { pid: started.pid, identity: started.identity, ended, unref: () => {} } }
  }

  #stopStarting(): void {
    if (this.isReady) useStarter(null)
    this.isReady = false
    for (const answer of this.#starting.values()) answer({ kind: 'unknown' })
    this.#starting.clear()
    for (const answer of this.#supervisors.values()) answer('unwatched')
    this.#supervisors.clear()
  }

  #rest(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }

  /** The runner was killed: its open commands are run again from here. Git's own locks keep the two apart. */
  #gone(): void {
    this.#stopStarting()
    const unanswered = [...this.#open.values()]
    this.#open.clear()
    for (const { spec, answer } of unanswered) answer(runGitProcess(spec))
  }
}

const BEGIN_MS = 60_000
const ANSWER_MS = 30_000
