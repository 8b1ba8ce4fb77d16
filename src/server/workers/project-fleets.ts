// The fleet of each project, opened once: opening makes connections and tables.
import type { Assignments } from '../../fleet/fleet-database.ts'
import { openFleet } from '../../fleet/load-fleet.ts'
import { useGitRunner } from '../../git/run/runner-client.ts'
import type { Result } from '../../problem.ts'
import type { Project } from '../projects/projects.ts'

export class Fleets implements AsyncDisposable {
  readonly #fleets = new Map<string, Promise<Result<Assignments>>>()
  #git: Disposable | null = null

  /** Refused if the store of the project is not on Postgres. */
  async of({ workspace }: Pick<Project, 'workspace'>): Promise<Result<Assignments>> {
    const url = workspace.folder.database
    const opening = this.#fleets.get(url) ?? openFleet(url, 'server')
    this.#fleets.set(url, opening)
    // Every assignment starts git a few times; starting it from this large process would delay all requests.
    if ((await opening).ok) this.#git ??= useGitRunner()
    return opening
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const fleet of await Promise.all(this.#fleets.values())) if (fleet.ok) await fleet.value[Symbol.asyncDispose]()
    this.#fleets.clear()
    this.#git?.[Symbol.dispose]()
  }
}
