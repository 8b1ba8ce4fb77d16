// Tasks that passed without changing anything although they were to, told below the table of `status` and at the end of a run.

import type { UnchangedFacts } from '../facts/changes.ts'
import { pathsText } from '../facts/changes.ts'
import { hanging, oneLine } from '../text/width.ts'
import type { Palette } from './palette.ts'

/** Tasks told one by one; all of them are `passed` in the table of `status`. */

export function unchangedLines(facts: readonly UnchangedFacts[], width: number, palette: Palette): string[] {
  const lines = facts.slice(0, SHOWN).flatMap((fact) => {
    const text = oneLine(
      `${fact.task} passed and changed nothing, although it claims ${pathsText(fact)}: was it done before?`,
    )
    const [first, ...more] = hanging(text, Math.max(width - 2, 40), 2)
    return [`${palette.busy('!')} ${first}`, ...more.map((line) => `  ${line}`)]
  })
  const left = facts.length - SHOWN
  return left > 0 ? [...lines, palette.dim(`  … and ${left} more that changed nothing`)] : lines
}
