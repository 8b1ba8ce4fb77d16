// The report for programs: the output of `status --json`, plus `report` with all figures derived from it. docs/report.md
// describes the shape; fields are only ever added.
import { JSON_VERSION } from '../text/json.ts'
import { json, tail } from './escape.ts'
import { factsOf, type ReportInput } from './facts/run.ts'

const LOG_LINES = 40
const LOG_CHARS = 4_000

export function renderJson(input: ReportInput): string {
  const logTails: Record<string, string> = {}
  for (const task of input.view.tasks) {
    const text = Object.hasOwn(input.logTails, task.id) ? input.logTails[task.id] : undefined
    if (text) logTails[task.id] = tail(text, LOG_LINES, LOG_CHARS).text
  }
  const report = { generatedAt: input.generatedAt, ...factsOf(input), logTails }
  return `${json({ version: JSON_VERSION, ...input.view, report })}\n`
}
