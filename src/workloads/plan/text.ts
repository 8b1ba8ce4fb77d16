// A plan as text in Espalier's own format: what `plan convert` prints, and what is read back gives the same plan.
import { stringify } from 'yaml'
import { LIMITS } from '../../config.ts'
import { ok, problem, type Result, refuse } from '../../problem.ts'
import { safeLine } from '../../text/safe.ts'
import type { PlanSource } from './translate-format.ts'

export function planText({ document, title, format, file }: PlanSource, as: 'yaml' | 'json'): Result<string> {
  const value = document.value as Record<string, unknown>
  if (as === 'json') return ok(`${JSON.stringify(value, null, 2)}\n`)
  const head = format === 'espalier' ? '' : `# Made of ${safeLine(file)} (${title}).\n`
  // References (`&a1`) for lists that happen to be the same would only puzzle the reader.
  const text = `${head}${stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })}`
  if (text.length <= LIMITS.yamlBytes) return ok(text)
  const message = `is more than can be read again as YAML (${LIMITS.yamlBytes >> 20} MB): convert it with --json`
  return refuse(problem(message, { file }))
}
