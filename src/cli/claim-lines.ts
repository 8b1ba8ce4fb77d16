// What was changed without a claim, told below the table of `status` and at the end of a run.
import { relative } from 'node:path'
import { pathsText, undeclaredFacts } from '../claim-facts.ts'
import type { RunView } from '../status.ts'
import { hanging, oneLine } from './display-width.ts'
import type { Palette } from './palette.ts'
import { quoted } from './quoted.ts'

/** Tasks told one by one; the report has all of them. */
const SHOWN = 5

/** `cwd`: where the command is typed that it suggests. */
export function claimLines(
  view: Pick<RunView, 'tasks' | 'planFile'>,
  { cwd, width, palette }: { cwd: string; width: number; palette: Palette },
): string[] {
  const facts = undeclaredFacts(view)
  if (facts.length === 0) return []
  const lines = facts.slice(0, SHOWN).flatMap((fact) => {
    const text = oneLine(`${fact.task} changed what it had not claimed: ${pathsText(fact)}`)
    const [first, ...more] = hanging(text, Math.max(width - 2, 40), 2)
    return [`${palette.busy('!')} ${first}`, ...more.map((line) => `  ${line}`)]
  })
  const left = facts.length - SHOWN
  const rest = left > 0 ? `… and ${left} more; ` : ''
  return [...lines, palette.dim(`  ${rest}\`espalier plan show${planWord(view, cwd)}\` offers claims that fit`)]
}

function planWord({ planFile }: Pick<RunView, 'planFile'>, cwd: string): string {
  if (planFile === undefined) return ''
  const fromHere = relative(cwd, planFile)
  return ` ${quoted(fromHere.length < planFile.length ? fromHere : planFile)}`
}
