// What was changed without a claim, told below the table of `status` and at the end of a run.
import { relative } from 'node:path'
import {
  flaggedFacts,
  pathsText,
  type UnchangedFacts,
  type UndeclaredFacts,
  undeclaredFacts,
} from '../../facts/changes.ts'
import type { RunView } from '../../status.ts'
import { safeLine } from '../../text/safe.ts'
import { shellWord } from '../../text/shell-word.ts'
import { hanging } from '../../text/width.ts'
import { unwrittenLines } from '../../unwritten-status.ts'
import type { Palette } from '../terminal/palette.ts'

/** Tasks told one by one; the report has all of them. */
const SHOWN = 5

type Look = {
  /** Where the command is typed that it suggests, and flags to repeat in it, with a leading space. */
  cwd: string
  repeat: string
  /** Tasks that the plan file calls done. */
  doneInFile: ReadonlySet<string>
  width: number
  palette: Palette
}

export function claimLines(view: Pick<RunView, 'tasks' | 'planFile'>, look: Look): string[] {
  const { width, palette } = look
  const facts = undeclaredFacts(view)
  if (facts.length === 0) return []
  const lines = facts.slice(0, SHOWN).flatMap((fact) => {
    const text = safeLine(`${fact.task} changed what it had not claimed: ${pathsText(fact)}`)
    const [first, ...more] = hanging(text, Math.max(width - 2, 40), 2)
    return [`${palette.busy('!')} ${first}`, ...more.map((line) => `  ${line}`)]
  })
  const left = facts.length - SHOWN
  const more = [...(left > 0 ? [`… and ${left} more`] : []), ...offer(view, facts, look)]
  return more.length === 0 ? lines : [...lines, palette.dim(`  ${more.join('; ')}`)]
}

/** `plan show` knows only what the file still has to do, and needs a file. */
function offer(
  { planFile }: Pick<RunView, 'planFile'>,
  facts: readonly UndeclaredFacts[],
  { cwd, repeat, doneInFile }: Look,
): string[] {
  if (planFile === undefined || facts.every(({ task }) => doneInFile.has(task))) return []
  const fromHere = relative(cwd, planFile)
  const file = shellWord(fromHere.length < planFile.length ? fromHere : planFile)
  return [`\`espalier plan show ${file}${repeat}\` offers claims that fit`]
}

// What somebody should look at before the result is used, told below the table of `status` and at the end of a run.

/** Tasks told one by one; the report has all of them. */

export function flaggedLines(view: Pick<RunView, 'tasks'>, width: number, palette: Palette): string[] {
  const facts = flaggedFacts(view)
  const lines = facts.slice(0, SHOWN).flatMap((fact) => {
    const text = safeLine(`${fact.task} changed what other programs run or obey, look at it: ${pathsText(fact)}`)
    const [first, ...more] = hanging(text, Math.max(width - 2, 40), 2)
    return [`${palette.busy('!')} ${first}`, ...more.map((line) => `  ${line}`)]
  })
  const left = facts.length - SHOWN
  return left > 0 ? [...lines, palette.dim(`  … and ${left} more; \`espalier report\` lists them`)] : lines
}

// Tasks that passed without changing anything although they were to, told below the table of `status` and at the end of a run.

/** Tasks told one by one; all of them are `passed` in the table of `status`. */

export function unchangedLines(facts: readonly UnchangedFacts[], width: number, palette: Palette): string[] {
  const lines = facts.slice(0, SHOWN).flatMap((fact) => {
    const text = safeLine(
      `${fact.task} passed and changed nothing, although it claims ${pathsText(fact)}: was it done before?`,
    )
    const [first, ...more] = hanging(text, Math.max(width - 2, 40), 2)
    return [`${palette.busy('!')} ${first}`, ...more.map((line) => `  ${line}`)]
  })
  const left = facts.length - SHOWN
  return left > 0 ? [...lines, palette.dim(`  … and ${left} more that changed nothing`)] : lines
}

// What the plan file does not say about a run, told below the table of `status` and at the end of a run.

/** Told one by one; the report has all of them. */

export function planFileLines({ unwritten }: Pick<RunView, 'unwritten'>, width: number, palette: Palette): string[] {
  const told = unwritten ? unwrittenLines(unwritten) : []
  const lines = told.slice(0, SHOWN).flatMap((text) => {
    const [first, ...more] = hanging(safeLine(text), Math.max(width - 2, 40), 2)
    return [`${palette.busy('!')} ${first}`, ...more.map((line) => `  ${line}`)]
  })
  const left = told.length - SHOWN
  return left > 0 ? [...lines, palette.dim(`  … and ${left} more; \`espalier report\` lists them`)] : lines
}
