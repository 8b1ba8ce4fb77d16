// Work that will not land, each piece brought to the user's repository once: of a failed attempt, of a task that went
// down with its epic, of one that never should land.
import type { TaskView } from '../status.ts'
import type { Publisher } from './publisher.ts'

export class KeptWork {
  readonly #publisher: Publisher
  readonly #kept = new Set<string>()

  constructor(publisher: Publisher) {
    this.#publisher = publisher
  }

  lookAt({ id, status, history }: TaskView): void {
    const isOut = status === 'failed' || status === 'blocked' || status === 'cancelled'
    for (const { attempt, commit, failure } of history) {
      const name = `${id}/${attempt}`
      if (commit === null || !(failure || isOut || status === 'passed') || this.#kept.has(name)) continue
      this.#kept.add(name)
      this.#publisher.keep({ task: id, attempt, commit, kind: failure || isOut ? 'failed' : 'kept' })
    }
  }
}
