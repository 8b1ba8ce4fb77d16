// Looks at the plan file of a run for tasks that somebody has put to rest and the run has not begun, and says so.
import { readFile, stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { Pause } from '../../async/pause.ts'
import { LIMITS } from '../../config.ts'
import { shown } from '../../workloads/document/field.ts'
import {
  type OriginFile,
  type PlanOrigin,
  sourceFile,
  statusFileOf,
} from '../../workloads/formats/write-back/plan-file-at-start.ts'
import { type Overtaken, overtaken } from '../../workloads/formats/write-back/settled-by-others.ts'
import type { StatusFile } from '../../workloads/formats/write-back/status-writer.ts'

export class PlanFileWatch {
  readonly #origin: PlanOrigin
  readonly #format: StatusFile
  readonly #isWaiting: (task: string) => boolean
  readonly #looked = new Map<string, string>()
  readonly #said = new Set<string>()
  readonly #pause = new Pause()
  #watching: Promise<void> | null = null
  readonly #ending = new AbortController()
  tell: (message: string) => void = () => {}
  everyMs = LOOK_MS

  private constructor(origin: PlanOrigin, format: StatusFile, isWaiting: (task: string) => boolean) {
    this.#origin = origin
    this.#format = format
    this.#isWaiting = isWaiting
  }

  /** Null where there is no such file. `isWaiting`: it is a task of the run, and has not begun. */
  static of(origin: PlanOrigin | null, isWaiting: (task: string) => boolean): PlanFileWatch | null {
    const format = origin && statusFileOf(origin.format)
    return format && origin.files.length > 0 ? new PlanFileWatch(origin, format, isWaiting) : null
  }

  start(): void {
    this.#watching ??= this.#watch()
  }

  /** A look at a file that a network file system does not give is not waited for: nothing depends on it. */
  async stop(): Promise<void> {
    this.#ending.abort()
    this.#pause.cutShort()
    await Promise.race([this.#watching, wait(STOP_MS, undefined, { ref: false })])
  }

  get #over(): boolean {
    return this.#ending.signal.aborted
  }

  async #watch(): Promise<void> {
    while (!this.#over) {
      const since = performance.now()
      for (const file of this.#origin.files.slice(0, FILES)) if (!this.#over) await this.#look(file)
      const ms = Math.max(this.everyMs, (performance.now() - since) * REST_SHARE)
      if (!this.#over) await this.#pause.take(ms)
    }
  }

  async #look({ path, entries }: OriginFile): Promise<void> {
    // As they are before the file is read: see `forgetWordsLeft` in write-back.ts.
    const waiting = entries.filter(({ task }) => this.#isWaiting(task)).map((entry) => ({ ...entry }))
    if (waiting.length === 0) return
    const text = await this.#changedText(path)
    if (text === null) return
    const found = overtaken(this.#format, sourceFile(path, text), waiting, this.#origin.part)
    // It may have begun while the file was read.
    for (const one of found) if (this.#isWaiting(one.task)) this.#say(path, one)
  }

  /** Null where it is as it was, cannot be read, or is so large that nobody edits it by hand. */
  async #changedText(path: string): Promise<string | null> {
    try {
      const found = await stat(path)
      const { mtimeMs, ino, size } = found
      const now = [mtimeMs, ino, size].join()
      // Reading a pipe would wait for whoever writes into it, and hold up the end of the process.
      if (!found.isFile() || this.#looked.get(path) === now || size > BYTES) return null
      const text = await readFile(path, { encoding: 'utf8', signal: this.#ending.signal })
      this.#looked.set(path, now)
      return text
    } catch {
      return null // gone, or not to be read: write-back.ts says so
    }
  }

  #say(path: string, { task, source, status }: Overtaken): void {
    const message = `${shown(source)} is ${shown(status)} in ${path} by now, but the run does it all the same: \`espalier cancel ${task}\` keeps it from starting; what needs it is blocked then`
    if (this.#said.has(message) || this.#said.size >= LIMITS.problems) return
    this.#said.add(message)
    this.tell(message)
  }
}

/** Between two looks; longer where one takes long, so that they cost a twentieth of the time at most. */
const LOOK_MS = 2_000
const REST_SHARE = 20

const STOP_MS = 500

const FILES = 200
const BYTES = 4 << 20
