// A pause that can be cut short.

export class Pause {
  #wake: (() => void) | null = null

  async take(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(resolve, ms)
    this.#wake = resolve
    await promise
    this.#wake = null
    clearTimeout(timer)
  }

  cutShort(): void {
    this.#wake?.()
  }
}
