// Gives commits that workers need to servers on other machines, which fetch from the repository that coordinators share. Commits on
// the run's branch are there; a verification's commit, or the base of a comparison, gets a ref of its own.
import { givenRef, runBranch } from '../git/engine/refs.ts'
import { type EngineRepository, inEngine } from '../git/engine/repository.ts'
import { pushShared } from '../git/engine/shared.ts'
import { isAncestor } from '../git/run/git.ts'
import { neededCommits, type WorkOrder } from './orders.ts'

export class GivenCommits {
  readonly #engine: EngineRepository
  readonly #there = new Set<string>()

  constructor(engine: EngineRepository) {
    this.#engine = engine
  }

  /** Called before the order is assigned. */
  async give(order: WorkOrder): Promise<void> {
    if (this.#engine.shared === null) return
    for (const commit of neededCommits(order)) {
      if (this.#there.has(commit)) continue
      if (!(await this.#isOnBranch(order.run, commit))) await this.#push(order.run, commit)
      this.#there.add(commit)
    }
  }

  async #push(run: string, commit: string): Promise<void> {
    if (!(await pushShared(this.#engine, { ref: givenRef(run, commit), to: commit })))
      throw new Error(`the shared repository does not take ${commit.slice(0, 12)}`)
  }

  /** The branch moves in the shared repository first. */
  async #isOnBranch(run: string, commit: string): Promise<boolean> {
    return isAncestor(commit, runBranch(run), { ...inEngine(this.#engine), okCodes: [0, 1, 128] })
  }
}
