// Plan files as agents of a run have left them on the run's branch, although they are told to leave them alone.
import { LIMITS } from '../../config.ts'
import type { EngineRepository } from '../../git/engine/repository.ts'
import { changedFiles, fileAt } from '../../git/trees/tree-diff.ts'
import { planFilesIn } from './origin.ts'

type RunBranch = { engine: EngineRepository; repo: string; state: { base: string; head: string } }

export class LandedPlanFiles {
  readonly #run: RunBranch
  /** What the run has changed up to `head`: looked up once for all the files that a plan may have. */
  #changed = { head: '', files: new Set<string>() }

  constructor(run: RunBranch) {
    this.#run = run
  }

  /** Null where no agent changed it, or where that cannot be found out. */
  async text(path: string): Promise<string | null> {
    const { engine, repo, state } = this.#run
    const { base, head } = state
    const [file] = await planFilesIn(repo, { files: [{ path }] })
    if (file === undefined) return null
    try {
      if (head !== this.#changed.head) this.#changed = { head, files: await changedFiles(engine, base, head) }
      return this.#changed.files.has(file) ? await fileAt(engine, head, file, LIMITS.planBytes) : null
    } catch {
      return null
    }
  }
}
