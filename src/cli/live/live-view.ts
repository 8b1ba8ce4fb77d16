// A run in a terminal: the table of `espalier status --watch`, below one line per event, which scroll up, so
// that the scrollback is a log.
//
// Properties: draws at most 10 times a second, and at least once a second; drawing takes at most a twentieth of the time,
// for any number of tasks; closing removes the block and leaves the log, because the summary that follows repeats it
// permanently.

import { fit, hanging } from '../../text/width.ts'
import { type Input, type Look, type Output, width } from '../surroundings.ts'
import type { Palette } from '../terminal/palette.ts'
import { Redraw } from '../terminal/redraw.ts'
import { AgentMessages } from './agent-messages.ts'
import type { EventLines } from './event-line.ts'
import { NOT_BROWSING, pressed, readKeys } from './keys.ts'
import type { Viewer } from './plain-and-json-views.ts'
import { signed } from './plain-and-json-views.ts'
import type { LogScreen } from './task-log-screen.ts'

const REDRAW_MS = 100
const TICK_MS = 1_000
const SIGN_WIDTH = 2
const DRAWING_SHARE = 0.05
/** Share of the screen kept for the newest log lines if there are more tasks than rows. */
const LOG_SHARE = 0.3

type Options = {
  out: Output
  palette: Palette
  lines: EventLines
  /** The run and its tasks. `listed`: the ids of the tasks that have a row. */
  table: (look: TableLook) => { lines: string[]; listed: string[] }
  now: () => number
  /** Keyboard and the actions of its keys; undefined: keys do nothing. */
  keys?: Keys | undefined
}

type TableLook = Look & {
  rows: number
  now: number
  selected: string | null
  filter: string
  messages: ReadonlyMap<string, string>
  /** No new task starts. */
  isStopping: boolean
}

type Keys = {
  input: Input
  openLog: (task: string) => LogScreen
  cancel: (task: string) => void
  quit: () => void
}

export function openLiveView({
  out,
  palette,
  lines: eventLines,
  table,
  now,
  keys,
}: Options): Viewer & { draw(): void } {
  const redraw = new Redraw(out)
  const messages = new AgentMessages()
  const tick = setInterval(soon, TICK_MS).unref()
  let above: string[] = []
  let noteText = ''
  let drawAgainAt = 0
  let browsing = NOT_BROWSING
  let listed: readonly string[] = []
  let screen: LogScreen | null = null
  let timer: NodeJS.Timeout | null = null
  const reading = keys ? readKeys(keys.input, (key) => press(key, keys)) : null
  out.on('resize', soon)
  draw()

  return {
    event(event, news) {
      const line = eventLines.take(event)
      messages.take(event)
      if (news && line?.major) above.push(...wrapped(signed(line, palette), SIGN_WIDTH))
      soon()
    },

    note(text) {
      noteText = text
      draw()
    },

    draw,
    close() {
      clearInterval(tick)
      reading?.[Symbol.dispose]()
      screen?.close()
      screen = null
      out.removeListener('resize', soon)
      if (timer) clearTimeout(timer)
      redraw.draw([], above)
      redraw.close()
    },
  }

  function draw(): void {
    if (timer) clearTimeout(timer)
    timer = null
    if (screen) return
    const begun = now()
    const look = { width: width(out) - 1, palette } // the last column would make some terminals wrap
    const note = noteText ? wrapped(noteText, 0) : []
    const foot = footLines(look)
    const rows = Math.max(1, Math.ceil((out.rows ?? 24) * (1 - LOG_SHARE)) - note.length - foot.length)
    const { selected, filter } = browsing
    const asked = {
      rows,
      now: begun,
      selected,
      filter,
      messages: messages.byAttempt,
      isStopping: eventLines.isStopping,
    }
    const shown = table({ ...look, ...asked })
    listed = shown.listed
    redraw.draw(['', ...shown.lines, ...note, ...foot], above)
    above = []
    const ended = now()
    drawAgainAt = ended + Math.max(REDRAW_MS, (ended - begun) / DRAWING_SHARE)
  }

  function soon(): void {
    if (timer) return
    timer = setTimeout(draw, Math.max(0, drawAgainAt - now())).unref()
  }

  function press(key: string, keys: Keys): void {
    if (screen && key !== '\x03') {
      if (!screen.key(key)) return
      screen.close()
      screen = null
      draw()
      return
    }
    const next = pressed(browsing, key, listed)
    browsing = next.browsing
    const { action } = next
    if (action.kind === 'open') screen = keys.openLog(action.task)
    else if (action.kind === 'cancel') keys.cancel(action.task)
    else if (action.kind === 'quit') keys.quit()
    else if (action.kind === 'interrupt') process.kill(process.pid, 'SIGINT') // the terminal sends none in raw mode
    draw()
  }

  function footLines({ width: columns, palette }: Look): string[] {
    if (!keys) return []
    const { mode, selected, filter } = browsing
    if (mode === 'filter') return [fit(`filter: ${filter}▏  enter keep, esc clear`, columns)]
    if (mode === 'confirm') return [palette.strong(fit(`Cancel ${selected}? y / n`, columns))]
    const what = filter === '' ? '/ filter' : `filter "${filter}", esc clear`
    return [palette.dim(fit(`↑ ↓ select  enter log  c cancel  ${what}  q leave, the run goes on`, columns))]
  }

  /** Wraps between words: terminals would break anywhere. */
  function wrapped(text: string, indent: number): string[] {
    return hanging(text, width(out) - 1, indent)
  }
}
