// The end of a run in a few lines: how it stands, what landed, what did not and why, and what to type next.
import type { RunView } from '../status.ts'
import { budgetLines } from './budget-lines.ts'
import { claimLines } from './claim-lines.ts'
import { fit } from './display-width.ts'
import { droppedLines, failureLines, landedSinceLines } from './failure-lines.ts'
import { flaggedLines } from './flagged-lines.ts'
import { glyph } from './glyph.ts'
import { type AfterRun, landedOnLines, nextLines, stepsAfterRun } from './next-lines.ts'
import type { Palette } from './palette.ts'
import { flakeLine } from './queue-line.ts'
import type { ResultOutside } from './result-outside.ts'
import { headerLines } from './run-header.ts'
import { spendingLines } from './spending-lines.ts'
import { planFileLines } from './unwritten-lines.ts'

type Options = AfterRun & ResultOutside & { width: number; palette: Palette; cwd: string }

export function summaryLines(view: RunView, options: Options): string[] {
  const { interrupted, width, palette, repeat, cwd, landedOn, doneInFile, landedSince } = options
  const state = interrupted ? 'interrupted' : view.status
  const header = { ...view, state, elapsedMs: view.durationMs, leftMs: null }
  return [
    '',
    ...headerLines(header, width, palette),
    ...landedLines(view, width, palette),
    ...failureLines(view, width, palette),
    ...droppedLines(view, landedSince, width, palette),
    ...landedSinceLines(landedSince, width, palette),
    ...flaggedLines(view, width, palette),
    ...claimLines(view, { cwd, repeat, doneInFile, width, palette }),
    ...planFileLines(view, width, palette),
    ...flakes(view, width, palette),
    ...spendingLines(view, width, palette),
    ...budgetLines(view.budgets, width, palette),
    ...landedOnLines(view, landedOn, palette),
    '',
    ...nextLines(stepsAfterRun(view, { interrupted, repeat, landedOn, landedSince }), width, palette),
  ]
}

function flakes({ queue }: RunView, width: number, palette: Palette): string[] {
  const line = flakeLine(queue)
  return line ? [`${glyph('landing', palette)} ${fit(line, width - 2)}`] : []
}

function landedLines(view: RunView, width: number, palette: Palette): string[] {
  const landed = view.tasks.filter(({ status }) => status === 'landed').map(({ id }) => id)
  const passed = view.tasks.filter(({ status }) => status === 'passed').map(({ id }) => id)
  const lines = []
  if (landed.length > 0) lines.push(`${glyph('landed', palette)} ${fit(`landed: ${landed.join(', ')}`, width - 2)}`)
  if (passed.length > 0) lines.push(`${glyph('passed', palette)} ${fit(`passed: ${passed.join(', ')}`, width - 2)}`)
  return lines
}
