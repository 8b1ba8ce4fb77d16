// Checks JSON in rows of the database when it is read, because a file can be damaged without SQLite noticing. Checked by
// hand, and only fields that would crash a reader: `espalier status` has to answer at once and loads no schemas. The
// journal itself is checked in full (journal-queries.ts).
import type { z } from 'zod'
import type { Settings } from '../config.ts'
import type { Fact } from '../event.ts'
import { probablyCounted } from '../failure.ts'
import { RUN_STATUSES, TASK_STATUSES } from '../status.ts'
import type { Plan } from '../task.ts'
import { NO_USAGE } from '../usage.ts'
import type { AttemptView, RunSummary, TaskView } from '../view.ts'
import type { Row } from './database.ts'

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

/**
 * The version of the journal's language. It is raised when a fact that may be in a journal changes its shape or meaning; `factOf`
 * then brings facts of older versions up to date. One event stays one event.
 */
export const JOURNAL_VERSION = 1

/** The fact of an event, brought up to date. Callers check its fields. */
export function factOf(row: Row, what: string): Record<string, unknown> {
  if (Number(row.version) > JOURNAL_VERSION) throw new NewerJournal(what)
  const fact = parseJson(row.data, what)
  if (!isObject(fact)) throw new DamagedRow(what)
  return fact
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

/** Fills in fields of an attempt that older versions lacked or kept elsewhere. */
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

/** The current plan. `rows`: the events that change it, in order, from the newest that has it in full. */
export function planByRows(run: string, first: Plan, rows: readonly Row[]): Plan {
  const changes = rows.map((row) => {
    const what = `event ${row.seq} of run ${run}`
    const fact: unknown = factOf(row, what)
    if (!isPlanChange(fact)) throw new DamagedRow(what)
    return fact
  })
  return planAfter(first, changes)
}

/** The plan with all changes of these events. */
export function planAfter(first: Plan, events: readonly Fact[]): Plan {
  const newest = events.findLastIndex(({ type }) => type === 'run.replanned')
  const replanned = events[newest]
  const plan = replanned?.type === 'run.replanned' ? replanned.plan : first
  const added = events.slice(newest + 1).filter((event) => event.type === 'tasks.added')
  if (added.length === 0) return plan
  const [tasks, epics] = [added.flatMap((event) => event.tasks), added.flatMap((event) => event.epics)]
  return { ...plan, tasks: [...plan.tasks, ...tasks], epics: [...plan.epics, ...epics] }
}

function isPlanChange(value: unknown): value is Extract<Fact, { type: 'run.replanned' | 'tasks.added' }> {
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

// A row that is checked in full, by a schema.

export function checkedRow<T>(schema: z.ZodType<T>, text: unknown, what: string): T {
  return checkedValue(schema, parseJson(text, what), what)
}

export function checkedValue<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = schema.safeParse(value)
  if (!result.success) throw new DamagedRow(what)
  return result.data
}
