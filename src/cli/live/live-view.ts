// A run in a terminal: the table of `espalier status --watch`, below one line per event, which scroll up, so
// that the scrollback is a log.
//
// Properties: draws at most 10 times a second, and at least once a second; drawing takes at most a twentieth of the time,
// for any number of tasks; closing removes the block and leaves the log, because the summary that follows repeats it
// permanently.

import type { RunEvent } from '../../engine/run/event-feed.ts'
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

export class LiveView implements Viewer {
  readonly #options: Options
  readonly #redraw: Redraw
  readonly #messages = new AgentMessages()
  readonly #tick: NodeJS.Timeout
  readonly #resized = () => this.#soon()
  #above: string[] = []
  #note = ''
  #drawAgainAt = 0
  readonly #keys: Disposable | null
  #browsing = NOT_BROWSING
  #listed: readonly string[] = []
  #screen: LogScreen | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(options: Options) {
    this.#options = options
    this.#redraw = new Redraw(options.out)
    this.#tick = setInterval(() => this.#soon(), TICK_MS).unref()
    options.out.on('resize', this.#resized)
    this.#keys = options.keys ? readKeys(options.keys.input, (key) => this.#press(key)) : null
    this.draw()
  }

  event(event: RunEvent, news: boolean): void {
    const line = this.#options.lines.take(event)
    this.#messages.take(event)
    if (news && line?.major) this.#above.push(...this.#wrapped(signed(line, this.#options.palette), SIGN_WIDTH))
    this.#soon()
  }

  note(text: string): void {
    this.#note = text
    this.draw()
  }

  draw(): void {
    const { out, palette, table, now } = this.#options
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#screen) return
    const begun = now()
    const look = { width: width(out) - 1, palette } // the last column would make some terminals wrap
    const note = this.#note ? this.#wrapped(this.#note, 0) : []
    const foot = this.#footLines(look)
    const rows = Math.max(1, Math.ceil((out.rows ?? 24) * (1 - LOG_SHARE)) - note.length - foot.length)
    const { selected, filter } = this.#browsing
    const asked = {
      rows,
      now: begun,
      selected,
      filter,
      messages: this.#messages.byAttempt,
      isStopping: this.#options.lines.isStopping,
    }
    const { lines, listed } = table({ ...look, ...asked })
    this.#listed = listed
    this.#redraw.draw(['', ...lines, ...note, ...foot], this.#above)
    this.#above = []
    const ended = now()
    this.#drawAgainAt = ended + Math.max(REDRAW_MS, (ended - begun) / DRAWING_SHARE)
  }

  close(): void {
    clearInterval(this.#tick)
    this.#keys?.[Symbol.dispose]()
    this.#screen?.close()
    this.#screen = null
    this.#options.out.removeListener('resize', this.#resized)
    if (this.#timer) clearTimeout(this.#timer)
    this.#redraw.draw([], this.#above)
    this.#redraw.close()
  }

  #soon(): void {
    if (this.#timer) return
    this.#timer = setTimeout(() => this.draw(), Math.max(0, this.#drawAgainAt - this.#options.now())).unref()
  }

  #press(key: string): void {
    const { keys } = this.#options
    if (!keys) return
    if (this.#screen && key !== '\x03') {
      if (!this.#screen.key(key)) return
      this.#screen.close()
      this.#screen = null
      this.draw()
      return
    }
    const { browsing, action } = pressed(this.#browsing, key, this.#listed)
    this.#browsing = browsing
    if (action.kind === 'open') this.#screen = keys.openLog(action.task)
    else if (action.kind === 'cancel') keys.cancel(action.task)
    else if (action.kind === 'quit') keys.quit()
    else if (action.kind === 'interrupt') process.kill(process.pid, 'SIGINT') // the terminal sends none in raw mode
    this.draw()
  }

  #footLines({ width: columns, palette }: Look): string[] {
    if (!this.#keys) return []
    const { mode, selected, filter } = this.#browsing
    if (mode === 'filter') return [fit(`filter: ${filter}▏  enter keep, esc clear`, columns)]
    if (mode === 'confirm') return [palette.strong(fit(`Cancel ${selected}? y / n`, columns))]
    const what = filter === '' ? '/ filter' : `filter "${filter}", esc clear`
    return [palette.dim(fit(`↑ ↓ select  enter log  c cancel  ${what}  q leave, the run goes on`, columns))]
  }

  /** Wraps between words: terminals would break anywhere. */
  #wrapped(text: string, indent: number): string[] {
    return hanging(text, width(this.#options.out) - 1, indent)
  }
}
