// What the rows of the database hold as JSON is checked when it is read: a file can be damaged without SQLite noticing.
// By hand and only as far as somebody would stumble over it: `espalier status` has to answer at once, and loads no
// schemas. The journal itself is checked in full (store.ts).
import type { z } from 'zod'
import type { Settings } from '../config.ts'
import type { Fact } from '../event.ts'
import { probablyCounted } from '../failure.ts'
import { RUN_STATUSES, TASK_STATUSES } from '../status.ts'
import type { Plan } from '../task.ts'
import { NO_USAGE } from '../usage.ts'
import type { AttemptView, RunSummary, TaskView } from '../view.ts'
import { journalVersion, type RawFact, type UpcastStep, upcast } from './upcast.ts'

export class DamagedRow extends Error {
  readonly what: string

  constructor(what: string) {
    super(`what it says about ${what} makes no sense`)
    this.name = 'DamagedRow'
    this.what = what
  }
}

export class NewerJournal extends Error {
  constructor(what: string) {
    super(`${what} was written by a newer version of espalier`)
    this.name = 'NewerJournal'
  }
}

export function fromRow<T>(text: unknown, what: string, isWhole: (value: unknown) => value is T): T {
  const value = parseJson(text, what)
  if (!isWhole(value)) throw new DamagedRow(what)
  return value
}

/** The fact of an event in today's language. Whoever asks checks the rest of it. */
export function factOf(row: Record<string, unknown>, what: string, steps: readonly UpcastStep[]): RawFact {
  const version = Number(row.version)
  if (version > journalVersion(steps)) throw new NewerJournal(what)
  const fact = parseJson(row.data, what)
  if (!isObject(fact)) throw new DamagedRow(what)
  return upcast(fact, version, steps)
}

export function parseJson(text: unknown, what: string): unknown {
  try {
    return JSON.parse(String(text)) as unknown
  } catch {
    throw new DamagedRow(what)
  }
}

export function isSummary(value: unknown): value is RunSummary {
  return (
    isObject(value) &&
    ['run', 'name', 'repo', 'branch', 'base', 'head'].every((key) => typeof value[key] === 'string') &&
    ['enginePid', 'startedAt', 'slots'].every((key) => typeof value[key] === 'number') &&
    RUN_STATUSES.some((status) => status === value.status) &&
    isObject(value.counts) &&
    isObject(value.usage)
  )
}

export function taskFromRow(text: unknown, run: string, task: unknown): TaskView {
  const view = fromRow(text, `task ${task} of run ${run}`, isTaskView)
  for (const attempt of view.history) complete(attempt)
  return view
}

/** What older versions did not keep of an attempt, or kept elsewhere. */
function complete(attempt: AttemptView & { spentUsd?: number }): void {
  const { finishedAt, failure, spentUsd: costUsd } = attempt
  if (finishedAt !== null) attempt.countsAsTry ??= probablyCounted(failure)
  else if (costUsd !== undefined) attempt.usage ??= { ...NO_USAGE, costUsd }
}

function isTaskView(value: unknown): value is TaskView {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    typeof value.title === 'string' &&
    typeof value.attempts === 'number' &&
    TASK_STATUSES.some((status) => status === value.status) &&
    Array.isArray(value.needs) &&
    Array.isArray(value.history)
  )
}

export function isPlan(value: unknown): value is Plan {
  return isObject(value) && typeof value.name === 'string' && Array.isArray(value.tasks) && value.tasks.every(isTask)
}

export function isPlanChange(value: unknown): value is Extract<Fact, { type: 'run.replanned' | 'tasks.added' }> {
  if (!isObject(value)) return false
  if (value.type === 'run.replanned') return isPlan(value.plan)
  return Array.isArray(value.tasks) && value.tasks.every(isTask) && Array.isArray(value.epics)
}

export function isSettings(value: unknown): value is Settings {
  return isObject(value) && typeof value.maxConcurrency === 'number' && isObject(value.logs)
}

function isTask(value: unknown): boolean {
  return isObject(value) && typeof value.id === 'string' && Array.isArray(value.needs) && isObject(value.work)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// A row that is checked in full. Apart from row.ts because schemas take time to load, and `espalier status` has none.

export function checkedRow<T>(schema: z.ZodType<T>, text: unknown, what: string): T {
  return checkedValue(schema, parseJson(text, what), what)
}

export function checkedValue<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = schema.safeParse(value)
  if (!result.success) throw new DamagedRow(what)
  return result.data
}
