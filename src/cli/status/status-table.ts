// The table of `espalier status` and of the live view: a header for the run, and a row per task.

import { pathsText } from '../../facts/changes-to-look-at.ts'
import { atWorkMs, workedMs } from '../../facts/durations.ts'
import { choiceText, chosenModel } from '../../facts/model-choices.ts'
import { isInterrupted } from '../../facts/next-steps.ts'
import { type Estimates, estimateLeftMs } from '../../facts/time-left.ts'
import { type Wait, waitsOf, waitText } from '../../facts/waits.ts'
import type { ClaimWait } from '../../held-claims.ts'
import { isDone, TASK_STATUSES, type TaskStatus } from '../../status.ts'
import type { Plan } from '../../task.ts'
import { formatDuration, silentFor } from '../../text/duration.ts'
import { diffText } from '../../text/figures.ts'
import { safeLine } from '../../text/safe.ts'
import { whyFailed } from '../../text/telling-lines.ts'
import { displayWidth, fit, fitMiddle, padEnd, padStart, widest } from '../../text/width.ts'
import type { AttemptView, RunView, TaskView } from '../../view.ts'
import type { Look } from '../surroundings.ts'
import { glyph, inColourOf, signedLine } from '../terminal/glyph.ts'
import { idWidthOf } from '../terminal/table.ts'
import { budgetLines } from './money-lines.ts'
import { headerLines } from './run-header.ts'
import {
  flakeLine,
  type HeldBack,
  holdLines,
  NONE_HELD_BACK,
  pauseLines,
  queueLine,
  standInText,
} from './waiting-lines.ts'

type Options = Look & {
  now: number
  /** Estimated times of tasks, for the finish time of a running run. Null: no finish time. */
  estimates: Estimates | null
  /** Tasks that wait for holds of people. Default: none. */
  heldBack?: HeldBack
  /** Tasks that wait for claims of other tasks. Default: none. */
  claimWaits?: ReadonlyMap<string, ClaimWait> | undefined
  plan?: Plan | null
  /** Last message of the agent, by `task/attempt`. */
  messages?: ReadonlyMap<string, string> | undefined
  /** Number of lines that fit the screen, the busiest tasks first. Default: all tasks, in plan order. */
  rows?: number
  /** The task under the cursor, and the word to find in id, title, epic or status of listed tasks. */
  selected?: string | null
  filter?: string
  /** More lines for the top, such as the progress of a search. */
  below?: readonly string[]
}

const NONE_WAIT: ReadonlyMap<string, ClaimWait> = new Map()

const STATUS_WIDTH = widest(TASK_STATUSES)
const ATTEMPTS_WIDTH = 3
const TIME_WIDTH = 7
const GAP = 2
/** Width of everything except id and note: the sign, the other columns and the gaps. */
const OTHERS_WIDTH = 2 + STATUS_WIDTH + ATTEMPTS_WIDTH + TIME_WIDTH + 4 * GAP

/** Order of statuses if there is no room for all tasks. */
const MOST_TELLING: readonly TaskStatus[] = [
  'running',
  'landing',
  'conflict',
  'failed',
  'blocked',
  'ready',
  'pending',
  'cancelled',
  'landed',
  'passed',
]

export function statusLines(view: RunView, options: Options): string[] {
  return statusTable(view, options).lines
}

/** `listed`: all matching tasks in the order of the table, including those that do not fit on the screen. */
export function statusTable(view: RunView, options: Options): { lines: string[]; listed: string[] } {
  const { now, width, palette, estimates, rows = Number.POSITIVE_INFINITY, selected = null, filter = '' } = options
  const { heldBack = NONE_HELD_BACK, claimWaits = NONE_WAIT } = options
  const times = {
    elapsedMs: view.engine ? atWorkMs(view, now) : view.durationMs,
    leftMs: heldBack.some || !estimates || !view.engine ? null : estimateLeftMs(view, estimates, now),
  }
  const holds = view.engine ? holdLines(view.holds, heldBack, now) : []
  const paused = view.engine ? view.paused : view.paused?.filter(({ needsLogin }) => needsLogin)
  const pauses = [...pauseLines(paused, now), ...holds]
  const top = [
    ...headerLines(view, times, options),
    ...(options.below ?? []).map((line) => signedLine('running', line, options)),
    ...queueLines(view, options),
    ...pauses.map((line) => signedLine('pending', line, options)),
    ...budgetLines(view.budgets, options),
  ]
  const matching = filtered(view.tasks, filter)
  const room = rows - top.length - 1
  const listed = matching.length <= room ? matching : busiestFirst(matching)
  const tasks = inRoom(listed, room, selected)
  const idWidth = idWidthOf(
    tasks.map(({ id }) => id),
    width,
    OTHERS_WIDTH,
  )
  const waits = waitsOf(view, { now, plan: options.plan, claims: claimWaits, holds: heldBack.ready })
  const look = { idWidth, now, width, palette, waits, messages: options.messages, interrupted: isInterrupted(view) }
  const lines = tasks.map((task) => row(task, { ...look, isSelected: task.id === selected }))
  const left = matching.length - tasks.length
  if (left > 0) lines.push(palette.dim(`  … and ${left} more`))
  if (matching.length === 0 && filter !== '') lines.push(palette.dim('  no such task'))
  return { lines: [...top, '', ...lines], listed: listed.map(({ id }) => id) }
}

function filtered(tasks: readonly TaskView[], filter: string): readonly TaskView[] {
  if (filter === '') return tasks
  const word = filter.toLowerCase()
  return tasks.filter(({ id, title, epic, status }) =>
    [id, title, epic ?? '', status].some((text) => text.toLowerCase().includes(word)),
  )
}

function busiestFirst(tasks: readonly TaskView[]): readonly TaskView[] {
  const byStatus = Map.groupBy(tasks, ({ status }) => status)
  return MOST_TELLING.flatMap((status) => byStatus.get(status) ?? [])
}

/** Leaves one row for the number of hidden tasks, and always shows the selected task. */
function inRoom(tasks: readonly TaskView[], rows: number, selected: string | null): readonly TaskView[] {
  if (tasks.length <= rows) return tasks
  const room = Math.max(0, rows - 1)
  const from = Math.max(0, tasks.findIndex(({ id }) => id === selected) - room + 1)
  return tasks.slice(from, from + room)
}

/** Verification in progress, or without an engine a warning about flaky verification. */
function queueLines({ engine, queue, counts }: RunView, options: Options): string[] {
  const line = engine ? queueLine(queue, counts.landing, options.now) : flakeLine(queue)
  return line ? [signedLine('landing', line, options)] : []
}

type RowOptions = Pick<Options, 'now' | 'width' | 'palette' | 'messages'> & {
  idWidth: number
  waits: ReadonlyMap<string, Wait>
  interrupted: boolean
  isSelected: boolean
}

function row(task: TaskView, options: RowOptions): string {
  const { idWidth, now, width, palette, isSelected } = options
  const columns = [
    padEnd(fitMiddle(task.id, idWidth), idWidth),
    inColourOf(task.status, padEnd(task.status, STATUS_WIDTH), palette),
    padStart(task.attempts > 1 ? `${task.attempts}×` : '', ATTEMPTS_WIDTH),
    padStart(task.history.length === 0 ? '' : timeText(task, now), TIME_WIDTH),
  ]
  const start = `${isSelected ? palette.strong('›') : glyph(task.status, palette)} ${columns.join('  ')}`
  const room = width - displayWidth(start) - 2
  const note = fit(safeLine(noteOf(task, options)), room)
  return note ? `${start}  ${palette.dim(note)}` : start.trimEnd()
}

function noteOf(task: TaskView, { now, interrupted, waits, messages }: RowOptions): string {
  const last = task.history.at(-1)
  if (task.retryAt !== null && task.status === 'pending') {
    const why = task.failure ?? last?.failure
    const when = interrupted ? 'on resume' : `in ${formatDuration(Math.max(0, task.retryAt - now))}`
    return `retry ${when}${why ? `, after ${whyFailed(why)}` : ''}`
  }
  const message =
    task.status === 'running' ? (messages?.get(`${task.id}/${task.attempts}`) ?? last?.notes?.at(-1)?.text ?? '') : ''
  if (task.stalledSince) return `${silentFor(task.stalledSince, now)}${message ? `, after: ${message}` : ''}`
  if (task.failure) return whyFailed(task.failure)
  const wait = waits.get(task.id)
  const outside = task.status === 'landing' ? last?.undeclared : undefined
  // An interrupted run as a whole waits to be resumed: its header says so.
  if (wait && !outside && wait.kind !== 'resume') return waitText(wait, now)
  if (outside) return `outside its claims: ${pathsText(outside)}`
  if (task.status === 'running' && last) return runningNote(last, message) || titleOf(task)
  if (isDone(task.status)) {
    // Quotes mark the agent's own words.
    const said = last?.summary && last.agent ? `“${last.summary}”` : last?.summary
    const summary = said ?? titleOf(task)
    return last?.diff ? `${diffText(last.diff)}  ${summary}` : summary
  }
  return titleOf(task)
}

/** Prefers the agent's last message to the reason why this agent or model was chosen. */
function runningNote({ agent, insteadOf, choice, startedAt }: AttemptView, message: string): string {
  if (agent !== undefined && insteadOf)
    return message ? `${agent}, instead of ${insteadOf.agent}: ${message}` : standInText(agent, insteadOf, startedAt)
  if (choice) return message ? `${chosenModel(choice)}: ${message}` : choiceText(choice)
  return message
}

/** Whole seconds for a running task: tenths would redraw every row ten times a second. */
function timeText(task: TaskView, now: number): string {
  const ms = workedMs(task.history, now)
  return task.status === 'running' && ms < 10_000 ? `${Math.floor(ms / 1_000)}s` : formatDuration(ms)
}

function titleOf({ id, title }: TaskView): string {
  return title === id ? '' : title
}
