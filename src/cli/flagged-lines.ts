// What somebody should look at before the result is used, told below the table of `status` and at the end of a run.
import { flaggedFacts, pathsText } from '../facts/changes.ts'
import type { RunView } from '../status.ts'
import { hanging, oneLine } from '../text/width.ts'
import type { Palette } from './palette.ts'

/** Tasks told one by one; the report has all of them. */

export function flaggedLines(view: Pick<RunView, 'tasks'>, width: number, palette: Palette): string[] {
  const facts = flaggedFacts(view)
  const lines = facts.slice(0, SHOWN).flatMap((fact) => {
    const text = oneLine(`${fact.task} changed what other programs run or obey, look at it: ${pathsText(fact)}`)
    const [first, ...more] = hanging(text, Math.max(width - 2, 40), 2)
    return [`${palette.busy('!')} ${first}`, ...more.map((line) => `  ${line}`)]
  })
  const left = facts.length - SHOWN
  return left > 0 ? [...lines, palette.dim(`  … and ${left} more; \`espalier report\` lists them`)] : lines
}
