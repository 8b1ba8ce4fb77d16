// Which tasks of a plan file were done by earlier runs of that file. Pure.
import { maySayTheSame } from '../workloads/formats/write-back/apply-status.ts'
import type { DoneTask, PlanOrigin } from '../workloads/formats/write-back/plan-origin.ts'

/** `task`: what the run called it. `source`: what the file does. `commit`: what landed it on the branch of the run. */
export type LandedBefore = { run: string; task: string; source: string; commit: string }

/** Tasks as the file has them now. Files are named the same way here and in what runs have kept. */
export type Sought = {
  part: string | null
  tasks: readonly Omit<DoneTask, 'task'>[]
  /** One whose words were changed since counts as another task. */
  sameWords: boolean
}

export class SoughtTasks {
  readonly #part: string | null
  readonly #sameWords: boolean
  /** By file and name: the fingerprint of what is to be done. */
  readonly #left = new Map<string, string>()

  constructor({ part, tasks, sameWords }: Sought) {
    this.#part = part
    this.#sameWords = sameWords
    for (const { path, source, says } of tasks) this.#left.set(keyOf(path, source), says)
  }

  get areLeft(): boolean {
    return this.#left.size > 0
  }

  /**
   * Those that landed in this run, and in none that was asked before: asked from the newest run on, that is the landing
   * by which the file says, or said, that the task is done. `landed`: its tasks that did, and the commits.
   */
  take(run: string, { part, files }: PlanOrigin, landed: ReadonlyMap<string, string>): LandedBefore[] {
    // In another part of the file the same name may be another task; then it has other words.
    const isByName = part === this.#part && !this.#sameWords
    return files.flatMap(({ path, entries }) =>
      entries.flatMap(({ task, source, says }) => {
        const [key, commit] = [keyOf(path, source), landed.get(task)]
        const now = this.#left.get(key)
        if (commit === undefined || now === undefined || !(isByName || maySayTheSame(now, says))) return []
        this.#left.delete(key)
        return [{ run, task, source, commit }]
      }),
    )
  }
}

function keyOf(path: string, source: string): string {
  return JSON.stringify([path, source])
}
