// Which tasks that are done by a plan file were done by earlier runs of that file. Pure.
import type { PlanOrigin } from '../workloads/formats/write-back/plan-origin.ts'

/** `task`: what the run called it. `source`: what the file does. `commit`: what landed it on the branch of the run. */
export type LandedBefore = { run: string; task: string; source: string; commit: string }

/** `origin`: what the file says now. Files are named the same way here and in what runs have kept. */
export class DoneTasks {
  readonly #part: string | null
  /** By file and name: the fingerprint of what was to be done. */
  readonly #left = new Map<string, string>()

  constructor({ part, done = [] }: PlanOrigin) {
    this.#part = part
    for (const { path, source, says } of done) this.#left.set(keyOf(path, source), says)
  }

  get areLeft(): boolean {
    return this.#left.size > 0
  }

  /**
   * Those that landed in this run, and in none that was asked before: asked from the newest run on, that is the landing
   * by which the file says that the task is done. `landed`: its tasks that did, and the commits.
   */
  take(run: string, { part, files }: PlanOrigin, landed: ReadonlyMap<string, string>): LandedBefore[] {
    return files.flatMap(({ path, entries }) =>
      entries.flatMap(({ task, source, says }) => {
        const [key, commit] = [keyOf(path, source), landed.get(task)]
        // In another part of the file the same name may be another task; then it has other words.
        const isMine = this.#left.has(key) && (part === this.#part || this.#left.get(key) === says)
        if (commit === undefined || !isMine) return []
        this.#left.delete(key)
        return [{ run, task, source, commit }]
      }),
    )
  }
}

function keyOf(path: string, source: string): string {
  return JSON.stringify([path, source])
}
