// `espalier sessions`: a row per session.

import type { SessionView } from '../../internal.ts'
import { formatDuration } from '../../text/duration.ts'
import { costText, shortCount } from '../../text/usage-text.ts'
import { fit, padEnd, padStart, widest } from '../../text/width.ts'
import type { Palette } from '../terminal/palette.ts'

const HEAD = ['task', 'agent', 'model', 'outcome', 'time', 'turns', 'tools', 'in', 'cached', 'out', 'cost']
/** The columns of figures. */
const FIGURES_FROM = 4

export function sessionLines(
  sessions: SessionView[],
  { now, width, palette }: { now: number; width: number; palette: Palette },
): string[] {
  const rows = sessions.map((session) => cells(session, now))
  const widths = HEAD.map((name, column) => widest([name, ...rows.map((row) => row[column] ?? '')]))
  const lines = [HEAD, ...rows].map((row) =>
    fit(row.map((cell, at) => pad(cell, at, widths[at] ?? 0)).join('  '), width),
  )
  return lines.map((line, at) => (at === 0 ? palette.dim(line.trimEnd()) : line.trimEnd()))
}

function cells(session: SessionView, now: number): string[] {
  const { task, attempt, agent, model, outcome, startedAt, finishedAt, turns, toolCalls, usage } = session
  return [
    `${task}/${attempt}`,
    agent,
    model ?? '',
    outcome ?? 'running',
    formatDuration(Math.max(0, (finishedAt ?? now) - startedAt)),
    turns > 0 ? String(turns) : '',
    session.session === null ? '' : String(toolCalls),
    usage ? shortCount(usage.inputTokens + usage.cacheWriteTokens) : '',
    usage ? shortCount(usage.cacheReadTokens) : '',
    usage ? shortCount(usage.outputTokens) : '',
    usage ? costText(usage) : '',
  ]
}

function pad(cell: string, column: number, columns: number): string {
  return column < FIGURES_FROM ? padEnd(cell, columns) : padStart(cell, columns)
}
