// A git process that answers one question after the other, instead of one process for each: `cat-file --batch-command`,
// `diff-tree --stdin`.
//
// Properties
// - It is started by the first question and ends when nobody has asked for a while, when it is closed, or when this
//   process ends, however that ends: its standard input is closed then.
// - It keeps this process alive only while a question is open.
// - A process that dies is replaced, and the question asked again, once: questions change nothing.
// - One question at a time, so an answer ends where the answer to a mark ends that nobody can guess.
// Not for commands that write: a `git update-ref --stdin` that stays gives every entry of a reflog the date of its first.
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { GitFailure, type GitOptions, type RunningGit, startGit } from './git.ts'
import { endGit } from './process.ts'
import { whenNobodyUsesGit } from './runner-client.ts'

type BatchCommand = {
  args: readonly string[]
  options: GitOptions
  /** A question that git answers with one line, which is `answer`. */
  mark(name: string): { question: string; answer: string }
}

export class BatchGit implements Disposable {
  readonly #command: BatchCommand
  #running: Running | null = null
  #queue: Promise<unknown> = Promise.resolve()
  #idle: NodeJS.Timeout | null = null

  constructor(command: BatchCommand) {
    this.#command = command
  }

  ask(question: string): Promise<Buffer> {
    const answer = this.#queue.then(() => this.#ask(question))
    this.#queue = answer.catch(() => {})
    return answer
  }

  [Symbol.dispose](): void {
    if (this.#idle) clearTimeout(this.#idle)
    this.#running?.end()
    this.#running = null
    open.delete(this)
  }

  async #ask(question: string): Promise<Buffer> {
    if (this.#idle) clearTimeout(this.#idle)
    const isFresh = !this.#running?.isAlive
    try {
      return await this.#askOnce(question)
    } catch (error) {
      // An older process may have been ended by anybody since; a new one has a reason of its own.
      if (isFresh || !(error instanceof GitFailure)) throw error
      return await this.#askOnce(question)
    } finally {
      this.#idle = setTimeout(() => this[Symbol.dispose](), IDLE_MS).unref()
    }
  }

  async #askOnce(question: string): Promise<Buffer> {
    if (!this.#running?.isAlive) this.#running = new Running(this.#command)
    open.add(this)
    return this.#running.ask(question)
  }
}

const open = new Set<BatchGit>()

whenNobodyUsesGit(() => {
  for (const batch of open) batch[Symbol.dispose]()
})

class Running {
  readonly #git: RunningGit
  readonly #mark: { question: string; answer: string }
  #open: Open | null = null
  isAlive = true

  constructor({ args, options, mark }: BatchCommand) {
    const { question, answer } = mark(`end-${randomUUID()}`)
    this.#mark = { question, answer: `${answer}\n` }
    this.#git = startGit(args, { ...options, keepInputOpen: true, timeoutMs: null })
    this.#git.child.stdout.on('data', (chunk: Buffer) => this.#heard(chunk))
    this.#git.done.then(
      ({ code, stderr }) => this.#gone(new GitFailure(args, code, stderr || 'it ended without an answer')),
      (error) => this.#gone(error),
    )
    this.#rest(true)
  }

  async ask(question: string): Promise<Buffer> {
    const timer = setTimeout(() => endGit(this.#git.child), ANSWER_MS)
    this.#rest(false)
    try {
      return await new Promise<Buffer>((resolve, reject) => {
        this.#open = { chunks: [], bytes: 0, resolve, reject }
        this.#git.child.stdin.write(`${question}\n${this.#mark.question}\n`)
      })
    } finally {
      clearTimeout(timer)
      this.#open = null
      this.#rest(true)
    }
  }

  end(): void {
    this.isAlive = false
    this.#git.child.stdin.end()
  }

  #heard(chunk: Buffer): void {
    const open = this.#open
    if (!open) return
    open.chunks.push(chunk)
    open.bytes += chunk.length
    const { answer } = this.#mark
    if (open.bytes > MAX_ANSWER_BYTES) endGit(this.#git.child)
    else if (endsWith(open.chunks, answer))
      open.resolve(Buffer.concat(open.chunks).subarray(0, open.bytes - answer.length))
  }

  #gone(why: unknown): void {
    this.isAlive = false
    this.#open?.reject(why)
  }

  #rest(resting: boolean): void {
    const { child } = this.#git
    for (const handle of [child, child.stdin, child.stdout, child.stderr] as unknown as Socket[])
      if (resting) handle.unref()
      else handle.ref()
  }
}

type Open = { chunks: Buffer[]; bytes: number; resolve: (answer: Buffer) => void; reject: (why: unknown) => void }

function endsWith(chunks: Buffer[], mark: string): boolean {
  let end = Buffer.alloc(0)
  for (let n = chunks.length - 1; n >= 0 && end.length < mark.length; n--) {
    const chunk = chunks[n] as Buffer
    end = Buffer.concat([chunk.subarray(Math.max(0, chunk.length + end.length - mark.length)), end])
  }
  return end.toString('latin1') === mark
}

const IDLE_MS = 10_000
const ANSWER_MS = 10 * 60_000
const MAX_ANSWER_BYTES = 1 << 30
