// What a run looks like from outside while it goes on. Three views: live in a terminal, plain lines in a pipe, JSON.
import type { RunEvent } from '../../index.ts'

export interface Viewer {
  /**
   * `news` is false for what was already in the journal when this process came. A promise: the reader is slow, and the
   * next event is to wait for it.
   */
  event(event: RunEvent, news: boolean): void | Promise<void>
  /** Something the person should read now, such as what Ctrl-C did. */
  note(text: string): void
  close(): void
}

/** Event by event, as fast as the view can show them: what waits, waits in the run, which has a limit for it. */
export async function tell(events: AsyncIterable<RunEvent>, view: Viewer, since: number): Promise<void> {
  for await (const event of events) await view.event(event, event.at >= since)
}
