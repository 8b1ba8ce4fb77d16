// A plan in another format as it was understood, for tests to look at.
import assert from 'node:assert/strict'
import { DEFAULT_SETTINGS } from '../../../src/config.ts'
import { formatProblem } from '../../../src/problem.ts'
import { type ReadPlan, readPlan } from '../../../src/workloads/plan/read.ts'
import { sample } from './sample.ts'

type ReadPlanOptions = NonNullable<Parameters<typeof readPlan>[3]>

export function readSample(file: string, options: ReadPlanOptions = {}): ReadPlan {
  return readText(sample(file).text, file, options)
}

/** A text, or the value of one. */
export function readText(written: unknown, file: string, options: ReadPlanOptions = {}): ReadPlan {
  const read = readPlan(toText(written), file, DEFAULT_SETTINGS, options)
  assert.ok(read.ok, read.ok ? '' : read.problems.map(formatProblem).join('\n'))
  return read.value
}

/** What is wrong with it, a line each. */
export function refusal(written: unknown, file: string, options: ReadPlanOptions = {}): string[] {
  const read = readPlan(toText(written), file, DEFAULT_SETTINGS, options)
  assert.ok(!read.ok, 'it was read')
  return read.problems.map(formatProblem)
}

function toText(written: unknown): string {
  return typeof written === 'string' ? written : JSON.stringify(written, null, 2)
}

/** What every task waits for, needs and afters apart. */
export function graphOf({ plan }: ReadPlan): Record<string, string[]> {
  return Object.fromEntries(
    plan.tasks.map(({ id, needs, after }) => [id, [...needs, ...after.map((name) => `after ${name}`)].sort()]),
  )
}

export function promptOf({ plan }: ReadPlan, id: string): string {
  const { work } = plan.tasks.find((task) => task.id === id) ?? assert.fail(`there is no task ${id}`)
  return work.kind === 'prompt' ? work.prompt : assert.fail()
}

export function taskOf({ plan }: ReadPlan, id: string) {
  return plan.tasks.find((task) => task.id === id) ?? assert.fail(`there is no task ${id}`)
}

export function statesOf({ source }: ReadPlan): Record<string, string> {
  return Object.fromEntries(source.entries.map(({ source, state }) => [source, state]))
}

/** `line:column message` */
export function remarksOf({ source }: ReadPlan, kind: 'assumed' | 'ignored' | 'warnings'): string[] {
  return source[kind].map(({ place, message }) => `${place.line}:${place.column} ${message}`)
}
