// A search on the terminal: what it came to, how far each depth is, and what comes next.

import { nextSteps } from '../../facts/next-steps.ts'
import { resultSections } from '../../reports/search/report.ts'
import type { RunView } from '../../view.ts'
import type { Manifest } from '../../workloads/search/result-manifest.ts'
import { nextLines } from '../status/next-steps.ts'
import type { Look } from '../surroundings.ts'
import { sectionLines } from '../terminal/section-lines.ts'
import { blocks } from '../terminal/table.ts'

export function searchLines(
  manifest: Manifest,
  view: RunView,
  look: Look & { repeat: string; landedOn: string | null },
): string[] {
  const next = nextLines(nextSteps(view, { landedOn: look.landedOn, flags: look.repeat }), look)
  return blocks([sectionLines(resultSections(manifest), look), next])
}
