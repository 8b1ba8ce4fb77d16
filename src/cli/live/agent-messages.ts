// What the agents of a run said last, for whoever watches it from another process.
import type { RunView } from '../../status.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { follow, newProgress } from './run-progress.ts'

/** Of a run of more tasks nothing is shown: all that has happened in it would have to be gone through. */
const MOST_TASKS = 2_000

export class AgentMessages implements AsyncDisposable {
  readonly #progress = newProgress()
  readonly #left = new AbortController()
  readonly #following: Promise<void>

  constructor(workspace: Workspace, { run, counts }: Pick<RunView, 'run' | 'counts'>) {
    this.#following = counts.total > MOST_TASKS ? Promise.resolve() : this.#follow(workspace, run).catch(() => {})
  }

  /** By task. */
  get messages(): ReadonlyMap<string, string> {
    const said = [...this.#progress.running.values()].filter(({ message }) => message !== '')
    return new Map(said.map(({ id, message }) => [id, message]))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#left.abort()
    await this.#following
  }

  async #follow(workspace: Workspace, run: string): Promise<void> {
    for await (const { event } of workspace.watch(0, { run, signal: this.#left.signal })) follow(this.#progress, event)
  }
}
