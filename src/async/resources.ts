// A substitute for AsyncDisposableStack, which Node 22 does not have.

/** Disposes of all that was handed to it, the newest first. */
export class Resources implements AsyncDisposable {
  readonly #all: AsyncDisposable[] = []

  use<T extends AsyncDisposable>(resource: T): T {
    this.#all.push(resource)
    return resource
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (let last = this.#all.pop(); last; last = this.#all.pop()) await last[Symbol.asyncDispose]()
  }
}
