// A plan file with statuses written into it, for tests to look at.
import assert from 'node:assert/strict'
import type { StatusFacts, StatusFormat, StatusPhase } from '../../../../src/workloads/formats/format.ts'
import { planFileTasks, statusFileOf } from '../../../../src/workloads/formats/status/plan-file-tasks.ts'
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

export const SAMPLES = [
  { format: 'implementation-plan', file: 'implementation_plan.json' },
  { format: 'work-queue', file: 'work_queue.json' },
  { format: 'epics-and-tasks', file: 'epics-and-tasks.json' },
  { format: 'task-master', file: 'task-master.json' },
  { format: 'beads', file: 'issues.jsonl' },
  { format: 'spec-kit', file: 'tasks.md' },
  { format: 'ccpm', file: 'ccpm-epic/002.md' },
] as const satisfies Given[]

/** `changes`: by the id in the file. What was open in `text` and is not named is a part of the run that nothing happened to. */
export function written(text: string, changes: Record<string, Change>, given: Given) {
  const { file, format, part = null, now = text, wrote = [] } = given
  const known = knownFormat(format)
  const words = ['begun' as const, ...wrote].map((phase) => known.words[phase])
  const entries = entriesOf(text, given).map(({ source, status, says }) => {
    return { source, textHash: says, own: [status, ...words] }
  })
  const tasks = entries.flatMap((entry): StatusChange[] => {
    const change = changes[entry.source]
    const facts = typeof change === 'string' ? { phase: change } : change
    return facts ? [{ ...entry, ...NO_FACTS, ...facts }] : []
  })
  const groups = entries.filter(({ source }) => !(source in changes))
  const applied = applyStatus(known, { file, text: now }, { tasks, groups }, part)
  assert.ok(applied.ok, JSON.stringify(applied))
  return { text: applied.value.text, conflicts: applied.value.conflicts }
}

export function entriesOf(text: string, { file, format, part }: Given) {
  const source = openSource([{ file, text }], file, { format, part })
  assert.ok(source.ok, JSON.stringify(source))
  return planFileTasks(source.value, [{ file, text }], part ?? null)?.open ?? []
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
