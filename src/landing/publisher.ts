// Brings what a run made into the user's repository: the branch `espalier/<run>`, moved by fast-forward only, and work
// that is not on it. The engine's own repository is the truth; this follows it, one step at a time, always to the
// newest head, and after a rest: a publication takes three git processes, which the tasks that start at the same moment
// have more use for.
import { Pause } from '../async/pause.ts'
import type { KeptWork } from '../facts/kept-refs.ts'

type Publishing = {
  /** Moves the branch; a message if that could not be done. */
  head(commit: string): Promise<string | null>
  /** Keeps work that is not on the branch. */
  work(work: KeptWork): Promise<string | null>
}

export class Publisher implements AsyncDisposable {
  readonly #publish: Publishing
  #newest: string | null = null
  #head: string | null = null
  readonly #known = new Set<string>()
  readonly #kept: KeptWork[] = []
  #working: Promise<void> | null = null
  /** Somebody waits for it to be done: no more rests. */
  #inHurry = false
  readonly #pause = new Pause()
  #closed = false
  /** Why the user's repository does not have all of it. The engine's has. */
  trouble: string | null = null

  constructor(publish: Publishing) {
    this.#publish = publish
  }

  moved(head: string): void {
    if (head === this.#newest) return
    this.#newest = head
    this.#head = head
    this.#start()
  }

  /** Once for each attempt. */
  keep(work: KeptWork): void {
    const name = `${work.task}/${work.attempt}`
    if (this.#known.has(name)) return
    this.#known.add(name)
    this.#kept.push(work)
    this.#start()
  }

  /** Resolves when everything is published, or could not be. */
  async settled(): Promise<void> {
    this.#inHurry = true
    this.#pause.cutShort()
    while (this.#working) await this.#working
    this.#inHurry = false
  }

  /** What is not published is not published here any more: another engine has the run. */
  abandon(): void {
    this.#closed = true
    this.#head = null
    this.#kept.length = 0
    this.#pause.cutShort()
  }

  /** Resolves when nothing here works in the user's repository any more: the branch is there, work beside it may wait. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    this.#pause.cutShort()
    await this.#working
  }

  #start(): void {
    if (this.#closed) return
    this.#working ??= this.#work().finally(() => {
      this.#working = null
    })
  }

  async #work(): Promise<void> {
    while (!this.#closed || this.#head !== null) {
      if (this.#kept.length === 0 && !this.#inHurry && !this.#closed) await this.#pause.take(REST_MS)
      const head = this.#head
      this.#head = null
      if (head !== null) this.trouble = await message(this.#publish.head(head))
      if (this.#closed) continue
      const work = this.#kept.shift()
      if (work) this.trouble = (await message(this.#publish.work(work))) ?? this.trouble
      if (this.#head === null && this.#kept.length === 0) return
    }
  }
}

const REST_MS = 1_000

/** Nothing here may end the run: a git that cannot be started is a message too. */
async function message(published: Promise<string | null>): Promise<string | null> {
  try {
    return await published
  } catch (error) {
    return `the result could not be brought into your repository: ${error instanceof Error ? error.message : error}`
  }
}
