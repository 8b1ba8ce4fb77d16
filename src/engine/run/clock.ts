// The time of a run, for its journal, its deadlines and its retries.
//
// Properties
// - It never goes back, also not from one engine to the next: it begins at the newest time the journal knows.
// - A clock that is set back costs nobody an hour: time goes on from where it was, at its pace.
// - A clock that jumps forward is followed. It may be a machine that slept, and then it is time that has passed.
import type { RunState } from '../../scheduler/state.ts'

export class Clock {
  #last: number
  #steadyMs = performance.now()

  constructor({ startedAt, tasks }: RunState) {
    this.#last = tasks.reduce((newest, { history }) => {
      const last = history.at(-1)
      return last ? Math.max(newest, last.startedAt, last.finishedAt ?? 0) : newest
    }, startedAt)
  }

  now(): number {
    const steadyMs = performance.now()
    this.#last = Math.max(Date.now(), this.#last + steadyMs - this.#steadyMs)
    this.#steadyMs = steadyMs
    return Math.floor(this.#last)
  }
}
