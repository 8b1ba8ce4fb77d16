// Claims that earlier runs suggest for tasks of a plan, to be copied into it.
import { pathsText } from '../../facts/changes-to-look-at.ts'
import { list, type ReportSection } from '../../reports/sections/section.ts'
import type { Claims } from '../../task.ts'
import type { LearnedClaims } from '../../workloads/analysis/suggested-claims.ts'

export function suggestedClaims(learned: readonly LearnedClaims[]): ReportSection {
  const entry = ({ task, run, touched, claims }: LearnedClaims) => [
    ...[`${task}, which changed ${pathsText(touched)} in ${run}: `, { code: claimsText(claims) }],
  ]
  return { title: 'Suggested claims, by the last run', ...list(learned, entry) }
}

function claimsText({ write, read }: Claims): string {
  const written = `[${write.map(inYaml).join(', ')}]`
  return read.length === 0
    ? `claims: ${written}`
    : `claims: {write: ${written}, read: [${read.map(inYaml).join(', ')}]}`
}

/** Quotes text that YAML would misread. */
function inYaml(text: string): string {
  return /^[A-Za-z0-9_./][A-Za-z0-9_./*-]*$/.test(text) ? text : JSON.stringify(text)
}
