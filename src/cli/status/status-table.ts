// `espalier status`: a header for the run, and a row per task.

import type { ClaimWait } from '../../claim.ts'
import { atWorkMs } from '../../facts/at-work.ts'
import { pathsText } from '../../facts/changes.ts'
import { isInterrupted } from '../../facts/next-steps.ts'
import { type Estimates, estimateLeftMs, workLeft } from '../../facts/time-left.ts'
import { type Wait, waitsOf, waitText } from '../../facts/waits.ts'
import { type RunView, TASK_STATUSES, type TaskStatus, type TaskView } from '../../status.ts'
import type { Plan } from '../../task.ts'
import { formatDuration } from '../../text/duration.ts'
import { safeLine } from '../../text/safe.ts'
import { displayWidth, fit, fitMiddle, padEnd, padStart, widest } from '../../text/width.ts'
import { formatDiff, silentFor, whyFailed } from '../live/event-line.ts'
import type { Look } from '../surroundings.ts'
import { idWidthOf } from '../terminal/columns.ts'
import { glyph, inColourOf, signedLine } from '../terminal/glyph.ts'
import { chosenModel } from './chosen-model.ts'
import { budgetLines } from './money-lines.ts'
import { flakeLine, queueLine } from './queue-line.ts'
import { headerLines } from './run-header.ts'
import { type HeldBack, holdLines, NONE_HELD_BACK, pauseLines, standInText } from './waiting-lines.ts'

type Options = Look & {
  now: number
  /** Estimated times of tasks, for the finish time of a running run. */
  estimates: Estimates
  /** Which tasks wait for what people hold. Default: none. */
  heldBack?: HeldBack
  /** Which tasks wait for what others hold. Default: none. */
  claimWaits?: ReadonlyMap<string, ClaimWait>
  plan?: Plan | null
  /** By task: what its agent said last. */
  messages?: ReadonlyMap<string, string> | undefined
  /** As many lines as fit the screen, the busiest tasks first. Default: all tasks, in the plan's order. */
  rows?: number
}

const NONE_WAIT: ReadonlyMap<string, ClaimWait> = new Map()

const STATUS_WIDTH = widest(TASK_STATUSES)
const ATTEMPTS_WIDTH = 3
const TIME_WIDTH = 7
const GAP = 2
/** The sign with its space, and all columns between the id and the note, with the gaps. */
const OTHERS_WIDTH = 2 + STATUS_WIDTH + ATTEMPTS_WIDTH + TIME_WIDTH + 4 * GAP

/** If there is no room for all tasks, these statuses come first. */
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
  const { now, width, palette, estimates, rows = Number.POSITIVE_INFINITY } = options
  const { heldBack = NONE_HELD_BACK, claimWaits = NONE_WAIT } = options
  const header = {
    ...view,
    branch: landingBranch(view),
    state: stateOf(view),
    elapsedMs: view.engine ? atWorkMs(view, now) : view.durationMs,
    leftMs: heldBack.some ? null : leftMs(view, estimates, now),
  }
  const holds = view.engine ? holdLines(view.holds, heldBack, now) : []
  const left = view.engine ? view.paused : view.paused?.filter(({ needsLogin }) => needsLogin)
  const pauses = [...pauseLines(left, now), ...holds]
  const top = [
    ...headerLines(header, options),
    ...queueLines(view, options),
    ...pauses.map((line) => signedLine('pending', line, options)),
    ...budgetLines(view.budgets, options),
  ]
  const room = rows - top.length - 1
  const byWeight = (a: TaskView, b: TaskView) => MOST_TELLING.indexOf(a.status) - MOST_TELLING.indexOf(b.status)
  const tasks = view.tasks.length <= room ? view.tasks : view.tasks.toSorted(byWeight).slice(0, Math.max(0, room - 1))
  const idWidth = idWidthOf(
    tasks.map(({ id }) => id),
    width,
    OTHERS_WIDTH,
  )
  const waits = waitsOf(view, { now, plan: options.plan, claims: claimWaits, holds: heldBack.ready })
  const lines = tasks.map((task) =>
    row(task, { idWidth, now, width, palette, waits, messages: options.messages, interrupted: isInterrupted(view) }),
  )
  if (tasks.length < view.tasks.length) lines.push(palette.dim(`  … and ${view.tasks.length - tasks.length} more`))
  return [...top, '', ...lines]
}

/** What is being verified, or at the end whether verification was flaky. Without an engine nothing is verified. */
function queueLines({ engine, queue, counts }: RunView, options: Options): string[] {
  const line = engine ? queueLine(queue, counts.landing, options.now) : flakeLine(queue)
  return line ? [signedLine('landing', line, options)] : []
}

/** Of a suite nothing lands. */
export function landingBranch({ kind, branch }: Pick<RunView, 'kind' | 'branch'>): string | null {
  return kind === 'suite' ? null : branch
}

export function stateOf(
  view: Pick<RunView, 'run' | 'status' | 'counts' | 'engine' | 'resumable' | 'budgets' | 'paused' | 'unplaced'>,
): string {
  if (view.status === 'waiting' && view.paused?.some(({ needsLogin }) => needsLogin)) return 'waiting for a login'
  if (view.status === 'waiting' && view.budgets?.holding.length) return 'waiting for a larger budget'
  if (view.status === 'waiting' && view.unplaced?.length) return 'waiting for a worker'
  if (view.status === 'waiting') return 'waiting for you'
  if (isInterrupted(view)) return 'interrupted'
  // Only what somebody cancelled is missing, and what that blocked.
  return view.status === 'failed' && view.counts.failed === 0 ? 'incomplete' : view.status
}

type RowOptions = Pick<Options, 'now' | 'width' | 'palette' | 'messages'> & {
  idWidth: number
  waits: ReadonlyMap<string, Wait>
  interrupted: boolean
}

function row(task: TaskView, options: RowOptions): string {
  const { idWidth, now, width, palette } = options
  const columns = [
    padEnd(fitMiddle(task.id, idWidth), idWidth),
    inColourOf(task.status, padEnd(task.status, STATUS_WIDTH), palette),
    padStart(task.attempts > 1 ? `${task.attempts}×` : '', ATTEMPTS_WIDTH),
    padStart(task.history.length === 0 ? '' : formatDuration(workedMs(task, now)), TIME_WIDTH),
  ]
  const start = `${glyph(task.status, palette)} ${columns.join('  ')}`
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
  if (task.stalledSince) return silentFor(task.stalledSince, now)
  if (task.failure) return whyFailed(task.failure)
  const wait = waits.get(task.id)
  const outside = task.status === 'landing' ? last?.undeclared : undefined
  // Of an interrupted run everything waits to be resumed, which its header says.
  if (wait && !outside && wait.kind !== 'resume') return waitText(wait, now)
  if (task.status === 'running' && last?.agent && last.insteadOf)
    return standInText(last.agent, last.insteadOf, last.startedAt)
  if (outside) return `outside its claims: ${pathsText(outside)}`
  const note = task.status === 'running' ? (messages?.get(task.id) ?? last?.notes?.at(-1)?.text) : undefined
  if (task.status === 'running' && last?.choice) return `${chosenModel(last.choice)}  ${note ?? titleOf(task)}`
  if (note !== undefined) return note
  if (task.status === 'landed' || task.status === 'passed') {
    // What an agent says is its own word, not a title and not a fact.
    const said = last?.summary && last.agent ? `“${last.summary}”` : last?.summary
    const summary = said ?? titleOf(task)
    return last?.diff ? `${formatDiff(last.diff)}  ${summary}` : summary
  }
  return titleOf(task)
}

/** All attempts together, as in the report, without the time between them. */
function workedMs({ history }: TaskView, now: number): number {
  return history.reduce((sum, { startedAt, finishedAt }) => sum + Math.max(0, (finishedAt ?? now) - startedAt), 0)
}

function titleOf({ id, title }: TaskView): string {
  return title === id ? '' : title
}

function leftMs({ tasks, slots, engine }: RunView, estimates: Estimates, now: number): number | null {
  if (!engine) return null
  const measured = { count: 0, totalMs: 0 }
  const running: { id: string; elapsedMs: number; estimateMs: number | null }[] = []
  for (const task of tasks) {
    const startedAt = task.history.at(-1)?.startedAt ?? now
    if (task.status === 'running')
      running.push({ id: task.id, elapsedMs: now - startedAt, estimateMs: estimates.get(task.id) ?? null })
    for (const attempt of task.history) {
      if (attempt.finishedAt === null || attempt.failure) continue
      measured.count += 1
      measured.totalMs += attempt.finishedAt - attempt.startedAt
    }
  }
  return estimateLeftMs({ running, left: workLeft(tasks, estimates, measured), slots })
}
