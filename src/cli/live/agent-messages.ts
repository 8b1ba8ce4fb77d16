// What the agents of a run reported last, by `task/attempt`.
import type { RunEvent } from '../../engine/run/event-feed.ts'
import type { RunView } from '../../view.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export class AgentMessages {
  readonly byAttempt = new Map<string, string>()

  take(event: RunEvent): void {
    if (event.type === 'attempt.progress') this.byAttempt.set(`${event.task}/${event.attempt}`, event.message)
    else if (event.type === 'attempt.noted') this.byAttempt.set(`${event.task}/${event.attempt}`, event.text)
  }

  /** Of a run that another process executes, until the signal. */
  async follow(workspace: Workspace, { run, counts }: Pick<RunView, 'run' | 'counts'>, signal: AbortSignal) {
    if (counts.total > MOST_TASKS) return
    for await (const { event } of workspace.watch(0, { run, signal })) this.take(event)
  }
}

/** Of a larger run nothing is shown: all that has happened in it would have to be gone through. */
const MOST_TASKS = 2_000
