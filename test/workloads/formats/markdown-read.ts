// Short ways to read a plan of another format and to look at what came out.
import assert from 'node:assert/strict'
import { DEFAULT_SETTINGS } from '../../../src/config.ts'
import { formatProblem } from '../../../src/problem.ts'
import type { Task } from '../../../src/task.ts'
import { type ReadPlan, readPlanFiles } from '../../../src/workloads/plan/read.ts'
import type { PlanFile } from '../../../src/workloads/plan/translate-format.ts'

type ReadPlanOptions = NonNullable<Parameters<typeof readPlanFiles>[3]>

export function read(files: string | readonly PlanFile[], options: ReadPlanOptions = {}): ReadPlan {
  const result = readPlanFiles(filesOf(files), 'plan.md', DEFAULT_SETTINGS, options)
  assert.ok(result.ok, result.ok ? '' : result.problems.map(formatProblem).join('\n'))
  return result.value
}

export function problemsOf(files: string | readonly PlanFile[], options: ReadPlanOptions = {}): string[] {
  const result = readPlanFiles(filesOf(files), 'plan.md', DEFAULT_SETTINGS, options)
  assert.ok(!result.ok, 'it was read')
  return result.problems.map(formatProblem)
}

export function taskOf({ plan }: ReadPlan, id: string): Task {
  return plan.tasks.find((task) => task.id === id) ?? assert.fail(`there is no task ${id}`)
}

/** `id ← needs`, in the order of the plan; `after` in brackets. */
export function edgesOf({ plan }: ReadPlan): string[] {
  return plan.tasks.map(({ id, needs, after }) => {
    const waits = [...[...needs].sort(), ...[...after].sort().map((other) => `(${other})`)]
    return waits.length === 0 ? id : `${id} ← ${waits.join(' ')}`
  })
}

export function remarks(list: ReadPlan['source']['assumed']): string[] {
  return list.map(({ message, place }) => `${place.file ? `${place.file}:` : ''}${place.line}: ${message}`)
}

function filesOf(files: string | readonly PlanFile[]): readonly PlanFile[] {
  return typeof files === 'string' ? [{ file: 'plan.md', text: files }] : files
}
