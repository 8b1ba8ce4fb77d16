// The last message of each agent of a run, by `task/attempt`.
import type { RunEvent } from '../../engine/run/event-feed.ts'
import type { RunView } from '../../view.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export class AgentMessages {
  readonly byAttempt = new Map<string, string>()

  take(event: RunEvent): void {
    if (event.type === 'attempt.progress') this.byAttempt.set(`${event.task}/${event.attempt}`, event.message)
    else if (event.type === 'attempt.noted') this.byAttempt.set(`${event.task}/${event.attempt}`, event.text)
  }

  /** Collects messages of a run in another process until the signal. */
  async follow(workspace: Workspace, { run, counts }: Pick<RunView, 'run' | 'counts'>, signal: AbortSignal) {
    if (counts.total > MOST_TASKS) return
    for await (const { event } of workspace.watch(0, { run, signal })) this.take(event)
  }
}

/** Larger runs show no messages: following one reads all of its events. */
const MOST_TASKS = 2_000
