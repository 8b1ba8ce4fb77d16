// The views of a running run: live in a terminal, plain lines in a pipe, JSON.
import type { RunEvent } from '../../index.ts'

export interface Viewer {
  /** `news`: false for events from before this process started. A promise: the next event waits for a slow reader. */
  event(event: RunEvent, news: boolean): void | Promise<void>
  /** Something the person should read now, such as what Ctrl-C did. */
  note(text: string): void
  close(): void
}

/** As fast as the view can show them: the others wait in the run, which has a limit for that. */
export async function showEvents(events: AsyncIterable<RunEvent>, view: Viewer, since: number): Promise<void> {
  for await (const event of events) await view.event(event, event.at >= since)
}
