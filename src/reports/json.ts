// The report for programs: what `status --json` gives, plus `report` with everything derived from it. docs/report.md
// describes the shape; fields are only ever added.
import type { RunView } from '../status.ts'
import { JSON_VERSION } from '../text/json.ts'
import { type Facts, factsOf, type ReportInput } from './facts/run.ts'
import { json, tail } from './html/escape.ts'

type JsonReport = RunView & {
  version: number
  report: { generatedAt: number; logTails: Record<string, string> } & Facts
}

const LOG_LINES = 40
const LOG_CHARS = 4_000

export function renderJson(input: ReportInput): string {
  const logTails: Record<string, string> = {}
  for (const task of input.view.tasks) {
    const text = Object.hasOwn(input.logTails, task.id) ? input.logTails[task.id] : undefined
    if (text) logTails[task.id] = tail(text, LOG_LINES, LOG_CHARS).text
  }
  const report: JsonReport = {
    version: JSON_VERSION,
    ...input.view,
    report: { generatedAt: input.generatedAt, ...factsOf(input), logTails },
  }
  return `${json(report)}\n`
}
