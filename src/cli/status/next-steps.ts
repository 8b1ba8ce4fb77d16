// Layout of the steps of facts/next-steps.ts, at the end of a run and of `espalier status`.

import { readLandedOn } from '../../engine/deliver/is-run-in-checkout.ts'
import { readDoneSince } from '../../engine/history/landed-tasks.ts'
import { readDoneInPlanFile } from '../../engine/plan-file/saved-tasks.ts'
import type { NextStep } from '../../facts/next-steps.ts'
import { shortCommit } from '../../text/figures.ts'
import { safeLine } from '../../text/safe.ts'
import { fit, padEnd, widest } from '../../text/width.ts'
import type { RunView } from '../../view.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Look } from '../surroundings.ts'
import { glyph } from '../terminal/glyph.ts'
import type { Palette } from '../terminal/palette.ts'

/** Column of the commands, after the word `next`. */
const INDENT = 6

export function landedOnLines({ head }: RunView, landedOn: string | null, palette: Palette): string[] {
  return landedOn === null ? [] : [`${glyph('landed', palette)} landed on ${safeLine(landedOn)} (${shortCommit(head)})`]
}

export function nextLines(steps: readonly Pick<NextStep, 'command' | 'what'>[], { width, palette }: Look): string[] {
  const commandWidth = widest(steps.map(({ command }) => command))
  const explanationAt = INDENT + commandWidth + 2
  const beside = explanationAt + widest(steps.map(({ what }) => what)) <= width
  return steps.flatMap(({ command, what }, index) => {
    const label = palette.dim(padEnd(index === 0 ? 'next' : '', INDENT))
    if (beside) return `${label}${padEnd(command, commandWidth)}  ${palette.dim(what)}`
    // Commands are never cut: people copy them.
    return [`${label}${command}`, `${' '.repeat(INDENT + 2)}${palette.dim(fit(what, width - INDENT - 2))}`]
  })
}

export type ResultOutside = {
  landedOn: string | null
  /** Tasks marked as done in the plan file. */
  doneInFile: ReadonlySet<string>
  /** Tasks that did not succeed and that another run has landed since, with that run. */
  landedSince: ReadonlyMap<string, string>
}

export async function resultOutside(workspace: Workspace, view: RunView): Promise<ResultOutside> {
  const [landedOn, doneInFile, landedSince] = await Promise.all([
    readLandedOn(workspace, view),
    readDoneInPlanFile(workspace, view),
    readDoneSince(workspace, view),
  ])
  return { landedOn, doneInFile, landedSince }
}
