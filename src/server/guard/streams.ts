// Limits the open streams (events, followed logs): each holds memory and a connection for as long as its reader likes.
import type { ServerContext } from '../context.ts'
import type { Token } from '../tokens/token.ts'

export class OpenStreams {
  readonly #limits: ServerContext['limits']
  readonly #ofToken = new Map<string, number>()
  #all = 0

  constructor(limits: ServerContext['limits']) {
    this.#limits = limits
  }

  get count(): number {
    return this.#all
  }

  /** Null: the limit is reached. */
  open(token: Pick<Token, 'id'>): Disposable | null {
    const mine = this.#ofToken.get(token.id) ?? 0
    if (this.#all >= this.#limits.streams || mine >= this.#limits.streamsOfToken) return null
    this.#all++
    this.#ofToken.set(token.id, mine + 1)
    let isOpen = true
    return {
      [Symbol.dispose]: () => {
        if (!isOpen) return
        isOpen = false
        this.#all--
        const left = (this.#ofToken.get(token.id) ?? 1) - 1
        if (left > 0) this.#ofToken.set(token.id, left)
        else this.#ofToken.delete(token.id)
      },
    }
  }
}
