// The header of a run in two lines: the top of the live view and of `status`.

import { doneText, judges, notSucceeded, stateOf } from '../../facts/run-in-words.ts'
import type { TaskStatus } from '../../status.ts'
import { formatDuration } from '../../text/duration.ts'
import { displayWidth, fit } from '../../text/width.ts'
import type { Counts, RunView } from '../../view.ts'
import type { Look } from '../surroundings.ts'
import { inColourOf } from '../terminal/glyph.ts'
import type { Palette } from '../terminal/palette.ts'

const COUNTED: readonly TaskStatus[] = ['running', 'landing', 'conflict', 'failed', 'blocked', 'cancelled']
const BAR = { min: 8, max: 30 }

/** `leftMs`: null without an estimate. */
export function headerLines(view: RunView, times: { elapsedMs: number; leftMs: number | null }, look: Look): string[] {
  const { width, palette } = look
  const title: Piece[] = [
    { text: view.run, paint: palette.strong },
    { text: stateOf(view), paint: plain },
    // A suite lands nothing.
    ...(view.kind === 'suite' ? [] : [{ text: `branch ${view.branch}`, paint: palette.dim }]),
  ]
  return [joined(title, width), countsLine(view, times, look)]
}

/** Solid: done; dashed: running; thin: the rest, red if failed. Every non-empty part is visible. */
function progressBar(counts: Counts, width: number, palette: Palette, isJudged = false): string {
  const parts: [keyof typeof PARTS, number][] = [
    ['landed', counts.landed + counts.passed],
    ['failed', notSucceeded(counts)],
    ['running', counts.running + counts.landing],
  ]
  let left = width
  let bar = ''
  for (const [status, number] of parts) {
    const share = counts.total === 0 ? 0 : Math.round((number / counts.total) * width)
    const cells = Math.min(left, number > 0 ? Math.max(1, share) : 0)
    bar += inColourOf(status, (isJudged && status === 'failed' ? '━' : PARTS[status]).repeat(cells), palette)
    left -= cells
  }
  return bar + palette.dim('─'.repeat(left))
}

const PARTS = { landed: '━', failed: '─', running: '╍' } as const

function countsLine(
  { kind, counts }: RunView,
  { elapsedMs, leftMs }: { elapsedMs: number; leftMs: number | null },
  { width, palette }: Look,
): string {
  const waiting = counts.pending + counts.ready
  const pieces: Piece[] = [{ text: doneText(counts, kind), paint: palette.strong }]
  for (const status of COUNTED) {
    if (counts[status] > 0)
      pieces.push({ text: `${counts[status]} ${status}`, paint: (t) => inColourOf(status, t, palette) })
  }
  if (waiting > 0) pieces.push({ text: `${waiting} waiting`, paint: palette.dim })
  pieces.push({ text: formatDuration(elapsedMs), paint: plain })
  if (leftMs !== null) pieces.push({ text: `about ${formatDuration(leftMs)} left`, paint: palette.dim })

  const barWidth = Math.min(BAR.max, Math.floor(width / 4))
  if (barWidth < BAR.min) return joined(pieces, width)
  return `${progressBar(counts, barWidth, palette, judges(kind))}  ${joined(pieces, width - barWidth - 2)}`
}

type Piece = { text: string; paint: (text: string) => string }

const plain = (text: string) => text

/** Joins the pieces that fit; the first is cut rather than left out. */
function joined(pieces: Piece[], width: number): string {
  const [first, ...rest] = pieces.map((piece) => ({ ...piece, text: fit(piece.text, width) }))
  let [line, used] = first ? [first.paint(first.text), displayWidth(first.text)] : ['', 0]
  for (const { text, paint } of rest) {
    used += 2 + displayWidth(text)
    if (used > width) break
    line += `  ${paint(text)}`
  }
  return line
}
