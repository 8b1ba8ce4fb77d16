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

export type LogScreen = ReturnType<typeof logScreen>

export function logScreen(
  workspace: Workspace,
  { run, task }: { run: string; task: string },
  { out, palette }: { out: Output; palette: Palette },
) {
  const title = `log of ${task}, run ${run}`
  const left = new AbortController()
  const kept: string[] = []
  /** Distance from the end in lines; 0 follows new output. */
  let back = 0
  let timer: NodeJS.Timeout | null = null
  let isOver = false
  out.write(OTHER_SCREEN)
  out.on('resize', draw)
  draw()
  void follow().catch((error: Error) => add(error.message))

  return {
    /** Returns true if the key closes the screen. */
    key(key: string): boolean {
      const page = Math.max(1, rows() - 1)
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
        back = Math.min(Math.max(0, kept.length - rows()), Math.max(0, back + by))
        draw()
      }
      return false
    },

    close(): void {
      left.abort()
      if (timer) clearTimeout(timer)
      out.removeListener('resize', draw)
      out.write(OWN_SCREEN)
    },
  }

  function rows(): number {
    return Math.max(1, (out.rows ?? 24) - 2)
  }

  async function follow(): Promise<void> {
    const log = await readTranscript(workspace, { run, task, follow: true, signal: left.signal })
    if (!log.ok) return add(log.problems.map(({ message }) => message).join('\n'))
    for await (const line of linesOf(log.value)) add(line.replace(/\n$/, ''))
    isOver = true
    soon()
  }

  function add(...lines: string[]): void {
    kept.push(...lines.map((line) => safeText(line).replaceAll('\t', '    ')))
    if (kept.length > KEPT_LINES) kept.splice(0, kept.length - KEPT_LINES)
    if (back > 0) back = Math.min(back + lines.length, KEPT_LINES)
    soon()
  }

  function soon(): void {
    if (left.signal.aborted) return
    timer ??= setTimeout(draw, REDRAW_MS).unref()
  }

  function draw(): void {
    if (timer) clearTimeout(timer)
    timer = null
    if (left.signal.aborted) return
    const columns = width(out) - 1
    const end = kept.length - back
    const shown = kept.slice(Math.max(0, end - rows()), end)
    const state = back > 0 ? `${back} lines below` : isOver ? 'end of the log' : 'following'
    const lines = [
      palette.strong(fit(title, columns)),
      ...shown.map((line) => fit(line, columns)),
      ...Array<string>(rows() - shown.length).fill(''),
    ]
    const foot = palette.dim(fit(`↑ ↓ PgUp PgDn  q back   ${state}`, columns))
    const text = lines.map((line) => `${line}${CLEAR_REST_OF_LINE}\n`).join('')
    out.write(`${TOP}${text}${foot}${CLEAR_REST_OF_LINE}${CLEAR_BELOW}`)
  }
}
