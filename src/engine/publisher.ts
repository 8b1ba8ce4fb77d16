// Brings what a run made into the user's repository: the branch `espalier/<run>`, moved by fast-forward only, and work
// that did not land. The engine's own repository is the truth; this follows it, one step at a time, always to the
// newest head, so a burst of landings costs a few publications.

export type Publishing = {
  /** Moves the branch; a message if that could not be done. */
  head(commit: string): Promise<string | null>
  failed(work: { task: string; attempt: number; base: string; commit: string }): Promise<string | null>
}

export class Publisher {
  readonly #publish: Publishing
  #head: string | null = null
  readonly #failed: Parameters<Publishing['failed']>[0][] = []
  #working: Promise<void> | null = null
  /** Why the branch could not be moved the last time it was tried. */
  trouble: string | null = null

  constructor(publish: Publishing) {
    this.#publish = publish
  }

  moved(head: string): void {
    this.#head = head
    this.#start()
  }

  ejected(work: Parameters<Publishing['failed']>[0]): void {
    this.#failed.push(work)
    this.#start()
  }

  /** Resolves when everything is published, or could not be. */
  async settled(): Promise<void> {
    while (this.#working) await this.#working
  }

  #start(): void {
    this.#working ??= this.#work().finally(() => {
      this.#working = null
    })
  }

  async #work(): Promise<void> {
    for (;;) {
      const head = this.#head
      this.#head = null
      if (head !== null) this.trouble = await this.#publish.head(head)
      const work = this.#failed.shift()
      if (work) await this.#publish.failed(work)
      if (head === null && !work) return
    }
  }
}
