// Follows the log of a task on the whole screen until a key closes it; then the previous screen comes back.
import { readTranscript } from '../../engine/query/attempt-output.ts'
import { safeText } from '../../text/safe.ts'
import { fit } from '../../text/width.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type Output, width } from '../surroundings.ts'
import { linesOf } from '../task/logs.ts'
import type { Palette } from '../terminal/palette.ts'

const OTHER_SCREEN = '\x1b[?1049h\x1b[?25l'
const OWN_SCREEN = '\x1b[?25l\x1b[?1049l'
const TOP = '\x1b[H'
const CLEAR_REST_OF_LINE = '\x1b[K'
const CLEAR_BELOW = '\x1b[J'
const REDRAW_MS = 100
const KEPT_LINES = 5_000

export class LogScreen {
  readonly #out: Output
  readonly #palette: Palette
  readonly #title: string
  readonly #left = new AbortController()
  readonly #resized = () => this.#draw()
  #lines: string[] = []
  /** Distance from the end in lines; 0 follows new output. */
  #back = 0
  #timer: NodeJS.Timeout | null = null
  #isOver = false

  constructor(
    workspace: Workspace,
    { run, task }: { run: string; task: string },
    { out, palette }: { out: Output; palette: Palette },
  ) {
    this.#out = out
    this.#palette = palette
    this.#title = `log of ${task}, run ${run}`
    out.write(OTHER_SCREEN)
    out.on('resize', this.#resized)
    this.#draw()
    void this.#follow(workspace, run, task).catch((error: Error) => this.#add(error.message))
  }

  /** Returns true if the key closes the screen. */
  key(key: string): boolean {
    const page = Math.max(1, this.#rows - 1)
    if (key === 'q' || key === '\x1b' || key === '\r' || key === '\n') return true
    const by = {
      '\x1b[A': 1,
      k: 1,
      '\x1b[B': -1,
      j: -1,
      '\x1b[5~': page,
      '\x1b[6~': -page,
      g: KEPT_LINES,
      G: -KEPT_LINES,
    }[key]
    if (by !== undefined) {
      this.#back = Math.min(Math.max(0, this.#lines.length - this.#rows), Math.max(0, this.#back + by))
      this.#draw()
    }
    return false
  }

  close(): void {
    this.#left.abort()
    if (this.#timer) clearTimeout(this.#timer)
    this.#out.removeListener('resize', this.#resized)
    this.#out.write(OWN_SCREEN)
  }

  get #rows(): number {
    return Math.max(1, (this.#out.rows ?? 24) - 2)
  }

  async #follow(workspace: Workspace, run: string, task: string): Promise<void> {
    const log = await readTranscript(workspace, { run, task, follow: true, signal: this.#left.signal })
    if (!log.ok) return this.#add(log.problems.map(({ message }) => message).join('\n'))
    for await (const line of linesOf(log.value)) this.#add(line.replace(/\n$/, ''))
    this.#isOver = true
    this.#soon()
  }

  #add(...lines: string[]): void {
    this.#lines.push(...lines.map((line) => safeText(line).replaceAll('\t', '    ')))
    if (this.#lines.length > KEPT_LINES) this.#lines.splice(0, this.#lines.length - KEPT_LINES)
    if (this.#back > 0) this.#back = Math.min(this.#back + lines.length, KEPT_LINES)
    this.#soon()
  }

  #soon(): void {
    if (this.#left.signal.aborted) return
    this.#timer ??= setTimeout(() => this.#draw(), REDRAW_MS).unref()
  }

  #draw(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#left.signal.aborted) return
    const columns = width(this.#out) - 1
    const end = this.#lines.length - this.#back
    const shown = this.#lines.slice(Math.max(0, end - this.#rows), end)
    const state = this.#back > 0 ? `${this.#back} lines below` : this.#isOver ? 'end of the log' : 'following'
    const lines = [
      this.#palette.strong(fit(this.#title, columns)),
      ...shown.map((line) => fit(line, columns)),
      ...Array<string>(this.#rows - shown.length).fill(''),
    ]
    const foot = this.#palette.dim(fit(`↑ ↓ PgUp PgDn  q back   ${state}`, columns))
    const text = lines.map((line) => `${line}${CLEAR_REST_OF_LINE}\n`).join('')
    this.#out.write(`${TOP}${text}${foot}${CLEAR_REST_OF_LINE}${CLEAR_BELOW}`)
  }
}
