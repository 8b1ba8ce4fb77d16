// The histories of the runs that somebody looks at: the last few of them, each as long as its run is the same.
import type { Project } from '../projects/projects.ts'
import { FollowedRun } from './followed-run.ts'

export class RunHistories {
  readonly #known = new Map<string, FollowedRun>()

  /** `startedAt`: a state folder may be removed and made anew, and a run have the name of an earlier one. */
  of({ repo, workspace }: Project, { run, startedAt }: { run: string; startedAt: number }): FollowedRun {
    const key = `${repo}\n${run}\n${startedAt}`
    const history = this.#known.get(key) ?? new FollowedRun(workspace, run)
    this.#known.delete(key) // the newest are last
    this.#known.set(key, history)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest)
    return history
  }
}

/** One of 10,000 tasks takes some 50 MB. */
const MOST = 6
