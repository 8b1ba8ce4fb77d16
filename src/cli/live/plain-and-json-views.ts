// The views of a running run: live in a terminal, plain lines in a pipe, JSON.
import type { RunEvent } from '../../engine/run/event-feed.ts'
import type { RunResult } from '../../engine/run/run-result.ts'
import { JSON_VERSION, jsonText } from '../../text/json.ts'
import type { PauseView } from '../../view.ts'
import { pauseBegan } from '../status/waiting-lines.ts'
import type { Output } from '../surroundings.ts'
import { glyph } from '../terminal/glyph.ts'
import type { Palette } from '../terminal/palette.ts'
import { writeLine } from '../terminal/print.ts'
import type { EventLine, EventLines } from './event-line.ts'

export interface Viewer {
  /** `news`: false for events from before this process started. The next event waits for a returned promise. */
  event(event: RunEvent, news: boolean): void | Promise<void>
  /** Shows a message, such as the effect of Ctrl-C. */
  note(text: string): void
  close(): void
}

/** Shows events at the pace of the view; the run queues the others, up to a limit. */
export async function showEvents(events: AsyncIterable<RunEvent>, view: Viewer, since: number): Promise<void> {
  for await (const event of events) await view.event(event, event.at >= since)
}

/** Notes each pause of an agent when it begins, with its end. */
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

type JsonView = Viewer & { finish(result: RunResult | AbandonedRun): void }

/** Result of a run whose process left after the second Ctrl-C. */
type AbandonedRun = Pick<RunResult, 'run' | 'status' | 'interrupted' | 'branch' | 'counts'> & { abandoned: true }

export function jsonView(run: string, out: Output, err: Output, now: () => number): JsonView {
  let last: RunEvent | null = null
  let isBegun = false
  const line = (value: object) => writeLine(out, jsonText(value))
  return {
    event(event, news) {
      if (event.type === 'run.finished') last = event
      else if (news) {
        // The first event, and that of a resume, carry version and run id.
        const isFirst = !isBegun
        isBegun = true
        return line(isFirst || event.type === 'run.resumed' ? { version: JSON_VERSION, ...event, run } : event)
      }
    },
    note: (text) => void err.write(`${text}\n`),
    close: () => {},
    finish: (result) => void line({ version: JSON_VERSION, type: 'run.finished', at: now(), ...last, ...result }),
  }
}

type Options = {
  out: Output
  palette: Palette
  lines: EventLines
  startedAt: number
  now: () => number
  /** Progress of a search, printed whenever it changes. */
  searchLines?: () => string[]
}

export function plainView({ out, palette, lines, startedAt, now, searchLines = () => [] }: Options): Viewer {
  const say = (at: number, text: string) => {
    // `   3.4s`, ` 125.0s`: as wide as an hour, so that the columns stand below each other.
    const time = `${(Math.max(0, at - startedAt) / 1000).toFixed(1)}s`.padStart(7)
    return writeLine(out, `${time}  ${text}`)
  }
  return {
    event(event: RunEvent, news: boolean) {
      const line = lines.take(event)
      if (!news) return
      if (event.type === 'tasks.added') for (const text of searchLines()) say(event.at, `  ${text}`)
      if (line) return say(event.at, signed(line, palette))
    },
    note: (text) => void say(now(), text),
    close: () => {},
  }
}

export function signed({ status, text }: EventLine, palette: Palette): string {
  return `${status ? glyph(status, palette) : ' '} ${text}`
}
