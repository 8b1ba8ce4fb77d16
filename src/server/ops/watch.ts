// Follows the events of all projects for metrics and webhooks, and of projects that are added later.
import { setTimeout as wait } from 'node:timers/promises'
import type { HubEntry } from '../events/hub.ts'
import type { Project, Projects } from '../projects/projects.ts'

type Watching = {
  /** The cursor at which to begin; null: only new events. */
  after(project: string): Promise<number | null>
  take(project: Project, entry: HubEntry): void | Promise<void>
}

export class ProjectWatch implements AsyncDisposable {
  readonly #projects: Projects
  readonly #stopping = new AbortController()
  readonly #followed = new Map<string, Promise<void>>()
  readonly #looking: Promise<void>

  constructor(projects: Projects, watching: Watching) {
    this.#projects = projects
    this.#looking = this.#look(watching)
  }

  async #look(watching: Watching): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      for (const project of await this.#projects.all())
        if (!this.#followed.has(project.repo)) this.#followed.set(project.repo, this.#follow(project, watching))
      await wait(LOOK_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  async #follow(project: Project, { after, take }: Watching): Promise<void> {
    const { signal } = this.#stopping
    try {
      const from = (await after(project.id)) ?? (await project.hub.cursor())
      for await (const entries of project.hub.follow(from, { signal }))
        for (const entry of entries) await take(project, entry)
    } catch {
      // The state folder was replaced or cannot be read: followed again soon, from its newest event on.
    }
    this.#followed.delete(project.repo)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await this.#looking
    await Promise.allSettled(this.#followed.values())
  }
}

const LOOK_MS = 5_000
