// The report of a run as data: the verdict, the figures, what went wrong, and the sections that all formats share. For the
// dashboard, and for the page of `espalier report --html`.

import type { Failure } from '../event.ts'
import { messageParts } from '../failure.ts'
import type { TaskStatus } from '../status.ts'
import { line, tail } from './escape.ts'
import { failureLog } from './facts/log-tails.ts'
import { type Facts, factsOf, type ReportInput } from './facts/run.ts'
import { noteSections } from './sections/notes.ts'
import { keptSection, nextSection, sectionsAbove, sectionsBelow } from './sections/order.ts'
import { boundedSection, type ReportSection } from './sections/section.ts'
import { type Figure, keyFigures } from './wording.ts'

export type Summary = {
  title: string
  detail: string
  objective: string | null
  figures: Figure[]
  failures: FailedTask[]
  /** How many there are besides. */
  failuresLeftOut: number
  sections: ReportSection[]
  /** One for each session. */
  notes: ReportSection[]
  generatedAt: number
}

/** `log`: the end of it, where its failure does not say it already. */
export type FailedTask = {
  task: string
  title: string
  status: TaskStatus
  attempts: number
  failure: Failure | null
  blocks: string[]
  log: string
}

const MAX_FAILURES = 50
const OBJECTIVE_CHARS = 500
const LOG_LINES = 40
const LOG_CHARS = 4_000
const TITLE_CHARS = 160
const MESSAGE_CHARS = 1_500
const MAX_PATHS = 20
const PATH_CHARS = 300
const MAX_BLOCKED = 200

export function summaryOf(input: ReportInput, facts: Facts = factsOf(input)): Summary {
  const { title, detail } = facts.verdict
  const { objective } = facts.purpose
  return {
    title,
    detail,
    objective: objective === null ? null : line(objective, OBJECTIVE_CHARS),
    figures: keyFigures(input.view, facts),
    failures: failedTasks(input, facts),
    failuresLeftOut: Math.max(0, facts.failures.length - MAX_FAILURES),
    sections: sectionsOf(input, facts).filter(isSome).map(boundedSection),
    notes: noteSections(facts).map(boundedSection),
    generatedAt: input.generatedAt,
  }
}

function sectionsOf({ view }: ReportInput, facts: Facts): (ReportSection | null)[] {
  return [nextSection(facts), ...sectionsAbove(view, facts), ...sectionsBelow(facts), keptSection(view)]
}

function failedTasks({ view, logTails }: ReportInput, { failures }: Facts): FailedTask[] {
  const status = new Map(view.tasks.map((task) => [task.id, task.status]))
  return failures.slice(0, MAX_FAILURES).map(({ task, title, failure, attempts, blocks }) => ({
    task,
    title: line(title, TITLE_CHARS),
    status: status.get(task) ?? 'failed',
    attempts,
    failure: failure && bounded(failure),
    blocks: blocks.slice(0, MAX_BLOCKED),
    log: failureLog(failure, Object.hasOwn(logTails, task) ? logTails[task] : '', LOG_LINES, LOG_CHARS),
  }))
}

function bounded({ message, paths, ...failure }: Failure): Failure {
  const { said, output } = messageParts(message.slice(0, 4 * MESSAGE_CHARS))
  const end = tail(output, LOG_LINES, LOG_CHARS).text
  return {
    ...failure,
    message: end === '' ? line(said, MESSAGE_CHARS) : `${line(said, MESSAGE_CHARS)}\n${end}`,
    ...(paths ? { paths: paths.slice(0, MAX_PATHS).map((path) => line(path, PATH_CHARS)) } : {}),
  }
}

function isSome(section: ReportSection | null): section is ReportSection {
  return (
    section !== null && (section.rows ?? []).length + (section.list ?? []).length + (section.words ?? []).length > 0
  )
}
