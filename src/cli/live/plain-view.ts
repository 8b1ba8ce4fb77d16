// A run as a log: one line per event, with the time since the run was started or resumed.
import type { RunEvent } from '../../engine/run/event-feed.ts'
import type { Output } from '../surroundings.ts'
import { glyph } from '../terminal/glyph.ts'
import type { Palette } from '../terminal/palette.ts'
import { writeLine } from '../terminal/print.ts'
import type { EventLine, EventLines } from './event-line.ts'
import type { Viewer } from './viewer.ts'

type Options = {
  out: Output
  palette: Palette
  lines: EventLines
  startedAt: number
  now: () => number
  /** How far a search is, said whenever it grows. */
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
