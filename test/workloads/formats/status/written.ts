// A plan file with statuses written into it, for tests to look at.
import assert from 'node:assert/strict'
import { formatProblem } from '../../../../src/problem.ts'
import type { StatusFacts, StatusFormat, StatusPhase } from '../../../../src/workloads/formats/format.ts'
import {
  type PlanFileTask,
  planFileTasks,
  statusFileOf,
} from '../../../../src/workloads/formats/status/plan-file-tasks.ts'
import { NO_FACTS } from '../../../../src/workloads/formats/status/text-edits.ts'
import { applyStatus, type StatusChange } from '../../../../src/workloads/formats/status/write-status.ts'
import { openSource } from '../../../../src/workloads/plan/translate-format.ts'

export type Change = StatusPhase | (Partial<StatusFacts> & { phase: StatusPhase })

export type Given = {
  file: string
  format: string
  part?: string
  /** What the file says by now; the same as before where it is not given. */
  now?: string | undefined
  /** The phases that the run has written before. */
  wrote?: StatusPhase[]
}

/** `changes`: by the id in the file. What was open in `text` and is not named is a part of the run that nothing happened to. */
export function written(text: string, changes: Record<string, Change>, given: Given) {
  const { file, format, part, now = text, wrote = [] } = given
  const known = knownFormat(format)
  const own = ['begun' as const, ...wrote].map((phase) => known.words[phase])
  const entries = entriesOf(text, given).map((entry) => ({
    ...entry,
    textHash: entry.says,
    own: [entry.status, ...own],
  }))
  const tasks = entries.flatMap((entry): StatusChange[] => {
    const change = changes[entry.source]
    return change === undefined ? [] : [{ ...entry, ...factsOf(change) }]
  })
  const groups = entries.filter(({ source }) => !(source in changes))
  const applied = applyStatus(known, { file, text: now }, { tasks, groups }, part ?? null)
  assert.ok(applied.ok, applied.ok ? '' : applied.problems.map(formatProblem).join('\n'))
  const { text: written, conflicts } = applied.value
  return { text: written, conflicts }
}

export function entriesOf(text: string, { file, format, part }: Given): PlanFileTask[] {
  const source = openSource([{ file, text }], file, { format, part })
  assert.ok(source.ok, source.ok ? '' : source.problems.map(formatProblem).join('\n'))
  const origin = planFileTasks(source.value, [{ file, text }], part ?? null)
  return origin?.open ?? []
}

export function knownFormat(name: string): StatusFormat {
  return statusFileOf(name) ?? assert.fail(`${name} carries no status`)
}

/** Of every task, as it is written. */
export function statusesOf(text: string, { file, format, part }: Given): Record<string, string> {
  const read = knownFormat(format).read({ file, text }, part ?? null)
  assert.ok(read.ok)
  return Object.fromEntries(read.value.map(({ source, status }) => [source, status]))
}

export function factsOf(change: Change): StatusFacts {
  return typeof change === 'string' ? { ...NO_FACTS, phase: change } : { ...NO_FACTS, ...change }
}
