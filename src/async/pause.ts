// A rest between two pieces of work that somebody who is in a hurry can cut short.

export class Pause {
  #wake: (() => void) | null = null

  async take(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    this.#wake = resolve
    await promise
    this.#wake = null
    clearTimeout(timer)
  }

  cutShort(): void {
    this.#wake?.()
  }
}
