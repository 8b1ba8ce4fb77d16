// Problems of a file, collected by path, and turned into places all at once.
import { LIMITS } from '../../config.ts'
import { type Problem, problem } from '../../problem.ts'
import { pathsOfNul } from './control-character.ts'
import type { Document, Path, Spot } from './place.ts'

export type Findings = {
  errors: Finding[]
  warnings: Finding[]
  dropped: number
  /** True: there were so many that the rest of the file was not looked at. */
  cutShort: boolean
}

type Finding = Spot & {
  message: string | ((line: number) => string)
  other?: Path
}

/** Findings of a file with this value, with an error for each text that holds NUL. */
export function newFindings(value?: unknown): Findings {
  const findings: Findings = { errors: [], warnings: [], dropped: 0, cutShort: false }
  for (const path of pathsOfNul(value)) addError(findings, path, 'this text holds a NUL character')
  return findings
}

type Extra = { at?: Spot['at']; other?: Path }

export function addError(findings: Findings, path: Path, message: Finding['message'], extra: Extra = {}): void {
  if (isFull(findings)) findings.dropped++
  else findings.errors.push({ path, at: 'value', message, ...extra })
}

export function addWarning(findings: Findings, path: Path, message: string, extra: Extra = {}): void {
  if (findings.warnings.length < LIMITS.problems) findings.warnings.push({ path, at: 'value', message, ...extra })
}

/** True once there are as many errors as are printed. What costs time to look at or to word is left out from then on. */
export function isFull({ errors }: Findings): boolean {
  return errors.length >= LIMITS.problems
}

/** In the order of the file; the last one says how many more there are. */
export function errorsOf(findings: Findings, document: Document, file: string): Problem[] {
  const problems = toProblems(findings.errors, document, file, 'error')
  if (findings.dropped === 0 && !findings.cutShort) return problems
  const counted = `… and ${findings.dropped} more problem${findings.dropped === 1 ? '' : 's'}`
  const more = findings.cutShort ? '… and the rest of the file was not checked: fix these first' : counted
  return [...problems, problem(more, { file })]
}

export function warningsOf(findings: Findings, document: Document, file: string): Problem[] {
  return toProblems(findings.warnings, document, file, 'warning')
}

function toProblems(list: Finding[], document: Document, file: string, severity: Problem['severity']): Problem[] {
  if (list.length === 0) return []
  const others = list.map(({ path, other }): Spot => ({ path: other ?? path, at: 'value' }))
  const places = document.locate([...list, ...others])
  return list
    .map(({ message }, i): Problem => {
      const line = places[list.length + i]?.line ?? 1
      const text = typeof message === 'string' ? message : message(line)
      return problem(text, { file, ...places[i], severity })
    })
    .sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))
}
