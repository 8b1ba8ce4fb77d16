// Brings the work of a run into the user's repository: the branch `espalier/<run>`, moved by fast-forward only, and work that
// is not on it. The engine's own repository is the truth; this follows it to the newest head, one step at a time, with
// pauses: a publication takes three git processes, which starting tasks need more.
import { Pause } from '../async/pause.ts'
import type { KeptWork } from '../facts/kept-refs.ts'

type Publishing = {
  /** Moves the branch; returns a message if that failed. */
  head(commit: string): Promise<string | null>
  work(work: KeptWork): Promise<string | null>
}

export class Publisher implements AsyncDisposable {
  readonly #publish: Publishing
  #newest: string | null = null
  #head: string | null = null
  readonly #known = new Set<string>()
  readonly #kept: KeptWork[] = []
  #working: Promise<void> | null = null
  /** True: a caller waits, so there are no more pauses. */
  #inHurry = false
  readonly #pause = new Pause()
  #closed = false
  #headTrouble: string | null = null
  #workTrouble: string | null = null

  constructor(publish: Publishing) {
    this.#publish = publish
  }

  /** The reason why the user's repository lacks some work; the engine's has everything. */
  get trouble(): string | null {
    return this.#headTrouble ?? this.#workTrouble
  }

  moved(head: string): void {
    if (head === this.#newest) return
    this.#newest = head
    this.#head = head
    this.#start()
  }

  keep(work: KeptWork): void {
    const name = `${work.task}/${work.attempt}`
    if (this.#known.has(name)) return
    this.#known.add(name)
    this.#kept.push(work)
    this.#start()
  }

  /** Resolves when everything is published, or cannot be. */
  async settled(): Promise<void> {
    this.#inHurry = true
    this.#pause.cutShort()
    while (this.#working) await this.#working
    this.#inHurry = false
  }

  /** Another engine has the run: nothing more is published here. */
  abandon(): void {
    this.#closed = true
    this.#head = null
    this.#kept.length = 0
    this.#pause.cutShort()
  }

  /** Resolves when nothing here uses the user's repository any more. The branch is moved before; other work may be left out. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    this.#pause.cutShort()
    await this.#working
  }

  #start(): void {
    if (this.#closed) return
    this.#working ??= this.#work().finally(() => {
      this.#working = null
      if (this.#head !== null || this.#kept.length > 0) this.#start() // something came after the last look
    })
  }

  async #work(): Promise<void> {
    while (!this.#closed || this.#head !== null) {
      if (this.#kept.length === 0 && !this.#inHurry && !this.#closed) await this.#pause.take(REST_MS)
      const head = this.#head
      this.#head = null
      if (head !== null) this.#headTrouble = await message(this.#publish.head(head))
      if (this.#closed) continue
      const work = this.#kept.shift()
      if (work) this.#workTrouble = (await message(this.#publish.work(work))) ?? this.#workTrouble
      if (this.#head === null && this.#kept.length === 0) return
    }
  }
}

const REST_MS = 1_000

/** Turns errors into a message: publishing must not end the run, even if git cannot be started. */
async function message(published: Promise<string | null>): Promise<string | null> {
  try {
    return await published
  } catch (error) {
    return `the result could not be brought into your repository: ${error instanceof Error ? error.message : error}`
  }
}
