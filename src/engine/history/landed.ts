// Which tasks of a plan file were done by earlier runs of that file. Pure.

import { realpath } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import type { DoneTask, PlanOrigin } from '../../workloads/formats/status/plan-origin.ts'
import { withRenamed } from '../plan-file/renamed.ts'
import type { PastRun } from './runs.ts'

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
        if (commit === undefined || now === undefined || !(isByName || now === says)) return []
        this.#left.delete(key)
        return [{ run, task, source, commit }]
      }),
    )
  }
}

function keyOf(path: string, source: string): string {
  return JSON.stringify([path, source])
}

// Looks through the runs of a repository for what they have landed of the tasks of a plan file.

/**
 * Each task once, of the newest run that landed it, in the order of `sought`. `runs`: the newest first. `top`: of the
 * checkout that the files of `sought` are in.
 */
export async function landedByRuns(
  { format, ...sought }: Sought & { format: string },
  runs: readonly PastRun[],
  top: string,
): Promise<LandedBefore[]> {
  const names = new FileNames()
  const left = new SoughtTasks({ ...sought, tasks: await names.inAll(sought.tasks, top) })
  const landed: LandedBefore[] = []
  for (const past of runs) {
    if (!left.areLeft) break
    const its = await past.landed()
    if (its?.origin.format !== format) continue
    const { files: renamed } = await withRenamed(its.origin)
    const files = await names.inAll(renamed, past.repo)
    landed.push(...left.take(past.run, { ...its.origin, files }, its.commits))
  }
  const places = new Map(sought.tasks.map(({ source }, place) => [source, place]))
  return landed.toSorted((a, b) => (places.get(a.source) ?? 0) - (places.get(b.source) ?? 0))
}

// How a plan file is told from others.

/** How a file is called: the same in each checkout of a repository, and whichever way a path leads to it. */
export class FileNames {
  readonly #real = new Map<string, Promise<string>>()

  async inAll<T extends { path: string }>(list: readonly T[], top: string): Promise<T[]> {
    return Promise.all(list.map(async (one) => ({ ...one, path: await this.nameOf(one.path, top) })))
  }

  async nameOf(path: string, top: string): Promise<string> {
    let real = this.#real.get(path)
    if (!real) {
      real = realpath(path).catch(() => path)
      this.#real.set(path, real)
    }
    const inside = relative(top, await real)
    return inside === '..' || inside.startsWith(`..${sep}`) ? await real : inside
  }
}
