// The views of a running run: live in a terminal, plain lines in a pipe, JSON.
import type { RunEvent } from '../../engine/run/event-feed.ts'
import type { PauseView } from '../../view.ts'
import { pauseBegan } from '../status/waiting-lines.ts'

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

/** Says each pause of an agent, with its end, when it has begun. */
export function withPauses(view: Viewer, paused: () => PauseView[] | undefined): Viewer {
  const said = new Map<string, number>()
  return {
    event: async (event, news) => {
      await view.event(event, news)
      if (!news || event.type !== 'attempt.finished') return
      for (const pause of paused() ?? []) {
        const line = (said.get(pause.agent) ?? 0) < pause.until ? pauseBegan(pause, event.at) : null
        said.set(pause.agent, pause.until)
        if (line !== null) view.note(line)
      }
    },
    note: (text) => view.note(text),
    close: () => view.close(),
  }
}
