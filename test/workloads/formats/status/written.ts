// A plan file with statuses written into it, for tests to look at.
import assert from 'node:assert/strict'
import { formatProblem } from '../../../../src/problem.ts'
import {
  type Applied,
  applyStatus,
  type StatusChange,
} from '../../../../src/workloads/formats/write-back/apply-status.ts'
import {
  type OriginFile,
  planOrigin,
  statusFileOf,
} from '../../../../src/workloads/formats/write-back/plan-file-at-start.ts'
import type {
  StatusFacts,
  StatusFile,
  StatusPhase,
} from '../../../../src/workloads/formats/write-back/status-writer.ts'
import { openSource } from '../../../../src/workloads/plan/source.ts'

export type Change = StatusPhase | (Partial<StatusFacts> & { phase: StatusPhase })

export type Given = {
  file: string
  format: string
  part?: string
  /** What the file says by now; the same as before where it is not given. */
  now?: string
}

/** `changes`: by the id in the file. What was open in `text` and is not named is a part of the run that nothing happened to. */
export function written(text: string, changes: Record<string, Change>, { file, format, part, now }: Given): Applied {
  const entries = entriesOf(text, { file, format, ...(part === undefined ? {} : { part }) })
  const groups = entries.filter(({ source }) => !(source in changes))
  const tasks = entries.flatMap(({ source, status, says }): StatusChange[] => {
    const change = changes[source]
    return change === undefined ? [] : [{ source, status, says, ...factsOf(change) }]
  })
  const applied = applyStatus(knownFormat(format), { file, text: now ?? text }, { tasks, groups }, part ?? null)
  assert.ok(applied.ok, applied.ok ? '' : applied.problems.map(formatProblem).join('\n'))
  return applied.value
}

export function entriesOf(text: string, { file, format, part }: Given): OriginFile['entries'] {
  const source = openSource([{ file, text }], file, { format, part })
  assert.ok(source.ok, source.ok ? '' : source.problems.map(formatProblem).join('\n'))
  const origin = planOrigin(source.value, [{ file, text }], part ?? null)
  return origin?.files[0]?.entries ?? []
}

export function knownFormat(name: string): StatusFile {
  return statusFileOf(name) ?? assert.fail(`${name} carries no status`)
}

/** Of every task, as it is written. */
export function statusesOf(text: string, { file, format, part }: Given): Record<string, string> {
  const read = knownFormat(format).read({ file, text }, part ?? null)
  assert.ok(read.ok)
  return Object.fromEntries(read.value.map(({ source, status }) => [source, status]))
}

export function factsOf(change: Change): StatusFacts {
  const facts = { startedAt: null, finishedAt: null, session: null, output: null }
  return typeof change === 'string' ? { ...facts, phase: change } : { ...facts, ...change }
}
