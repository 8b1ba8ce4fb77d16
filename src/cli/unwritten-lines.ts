// What the plan file does not say about a run, told below the table of `status` and at the end of a run.
import type { RunView } from '../status.ts'
import { hanging, oneLine } from '../text/width.ts'
import { unwrittenLines } from '../unwritten-status.ts'
import type { Palette } from './palette.ts'

/** Told one by one; the report has all of them. */

export function planFileLines({ unwritten }: Pick<RunView, 'unwritten'>, width: number, palette: Palette): string[] {
  const told = unwritten ? unwrittenLines(unwritten) : []
  const lines = told.slice(0, SHOWN).flatMap((text) => {
    const [first, ...more] = hanging(oneLine(text), Math.max(width - 2, 40), 2)
    return [`${palette.busy('!')} ${first}`, ...more.map((line) => `  ${line}`)]
  })
  const left = told.length - SHOWN
  return left > 0 ? [...lines, palette.dim(`  … and ${left} more; \`espalier report\` lists them`)] : lines
}
