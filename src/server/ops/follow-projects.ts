// Follows the events of all projects for metrics and webhooks, and of projects that are added later.
import { setTimeout as wait } from 'node:timers/promises'
import type { HubEntry } from '../events/hub.ts'
import type { Project, Projects } from '../projects/projects.ts'

/** `after`: the cursor at which to begin; null: only new events. */
export function watchProjects(
  projects: Projects,
  { after, take }: { after(project: string): number | null; take(project: Project, entry: HubEntry): Promise<void> },
): AsyncDisposable {
  const stopping = new AbortController()
  const { signal } = stopping
  const followed = new Map<string, Promise<void>>()
  const follow = async (project: Project) => {
    try {
      const from = after(project.id) ?? (await project.hub.cursor())
      for await (const entries of project.hub.follow(from, { signal }))
        for (const entry of entries) await take(project, entry)
    } catch {
      // The state folder was replaced or cannot be read: followed again soon, from its newest event on.
    }
    followed.delete(project.repo)
  }
  const look = async () => {
    while (!signal.aborted) {
      for (const project of await projects.all())
        if (!followed.has(project.repo)) followed.set(project.repo, follow(project))
      await wait(LOOK_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }
  const looking = look()
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await looking
      await Promise.allSettled(followed.values())
    },
  }
}

const LOOK_MS = 5_000
