// `espalier plan show`: suggested claims by what tasks changed in the last run, ready to be copied into the plan.
import { pathsText } from '../../facts/changes.ts'
import type { Claims, LearnedClaims } from '../../internal.ts'
import { safeLine } from '../../text/safe.ts'
import { fit } from '../../text/width.ts'
import type { Look } from '../surroundings.ts'

/** --json has all of them. */
const SHOWN = 40

export function learnedLines(learned: LearnedClaims[], { width, palette }: Look): string[] {
  if (learned.length === 0) return []
  const lines = learned.slice(0, SHOWN).flatMap(({ task, run, touched, claims }) => [
    `  ${fit(safeLine(`${task}  in ${run} it changed ${pathsText(touched)}`), width - 2)}`,
    // Not cut: it is there to be copied.
    `    ${safeLine(claimsText(claims))}`,
  ])
  if (learned.length > SHOWN) lines.push(palette.dim(`  … and ${learned.length - SHOWN} more`))
  return ['', palette.strong('Suggested claims, by the last run'), ...lines]
}

function claimsText({ write, read }: Claims): string {
  const written = `[${write.map(inYaml).join(', ')}]`
  return read.length === 0
    ? `claims: ${written}`
    : `claims: {write: ${written}, read: [${read.map(inYaml).join(', ')}]}`
}

/** Quoted where YAML would take it for something else. */
function inYaml(text: string): string {
  return /^[A-Za-z0-9_./][A-Za-z0-9_./*-]*$/.test(text) ? text : JSON.stringify(text)
}
