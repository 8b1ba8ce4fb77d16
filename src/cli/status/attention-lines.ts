// Warnings for people: shown below the table of `status` and at the end of a run.

import { relative } from 'node:path'
import { flaggedFacts, pathsText, type TaskPaths, undeclaredFacts } from '../../facts/changes-to-look-at.ts'
import { safeLine } from '../../text/safe.ts'
import { shellWord } from '../../text/shell-word.ts'
import { planFileTexts } from '../../unwritten-statuses.ts'
import type { RunView } from '../../view.ts'
import type { Look } from '../surroundings.ts'
import { signedLines } from '../terminal/glyph.ts'

/** Warnings per kind; the report has all of them. */
const SHOWN = 5

/** Tasks that changed files they had not claimed. `plan show` suggests claims for the open tasks of the file. */
export function claimLines(
  view: Pick<RunView, 'tasks' | 'planFile'>,
  look: Look & {
    /** Folder for the suggested command, and flags to repeat in it, with a leading space. */
    cwd: string
    repeat: string
    /** Tasks that the plan file calls done. */
    doneInFile: ReadonlySet<string>
  },
): string[] {
  const facts = undeclaredFacts(view)
  const texts = facts.map((fact) => `${fact.task} changed files without a claim: ${pathsText(fact)}`)
  const { planFile } = view
  if (planFile === undefined || facts.every(({ task }) => look.doneInFile.has(task))) return attention(texts, look)
  const fromHere = relative(look.cwd, planFile)
  const file = shellWord(fromHere.length < planFile.length ? fromHere : planFile)
  return attention(texts, look, `\`espalier plan show ${file}${look.repeat}\` suggests claims`)
}

/** Tasks that changed files other programs run. In a search: files that score it; scoring used the originals. */
export function flaggedLines(view: Pick<RunView, 'tasks' | 'kind'>, look: Look): string[] {
  const ideas = new Map(view.tasks.map(({ id, title }) => [id, title.replace(/: measure$/, '')]))
  const texts = flaggedFacts(view).map((fact) =>
    view.kind === 'search'
      ? `${ideas.get(fact.task)} changed what scores it, and was scored with the originals: ${pathsText(fact)}`
      : `${fact.task} changed files that other programs run: ${pathsText(fact)}`,
  )
  return attention(texts, look)
}

/** Tasks that passed without a change although they claim paths. */
export function unchangedLines(facts: readonly TaskPaths[], look: Look): string[] {
  const texts = facts.map((fact) => `${fact.task} passed without changes, although it claims ${pathsText(fact)}`)
  return attention(texts, look)
}

export function planFileLines(view: Pick<RunView, 'unwritten'>, look: Look): string[] {
  return attention(planFileTexts(view), look)
}

/** Ready tasks whose labels or resources no connected worker has. */
export function unplacedLines({ unplaced = [] }: Pick<RunView, 'unplaced'>, look: Look): string[] {
  const texts = unplaced.map(({ labels, uses, tasks }) => {
    const asked = [...labels, ...Object.entries(uses).map(([name, count]) => `${name}=${count}`)].join(', ')
    return `${tasks === 1 ? '1 task waits' : `${tasks} tasks wait`} for a worker${asked === '' ? '' : ` with ${asked}`}`
  })
  return attention(texts, look)
}

function attention(texts: readonly string[], look: Look, advice?: string): string[] {
  const { palette } = look
  const lines = texts.slice(0, SHOWN).flatMap((text) => signedLines(palette.busy('!'), safeLine(text), look))
  const left = texts.length - SHOWN
  const last = [...(left > 0 ? [`… and ${left} more`] : []), ...(lines.length > 0 && advice ? [advice] : [])]
  return last.length === 0 ? lines : [...lines, palette.dim(`  ${last.join('; ')}`)]
}
