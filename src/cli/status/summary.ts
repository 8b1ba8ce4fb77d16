import type { TaskPaths } from '../../facts/changes-to-look-at.ts'
import { isDropped, isInterrupted, nextSteps } from '../../facts/next-steps.ts'
import { waitsOf, waitText } from '../../facts/waits.ts'
import { messageParts } from '../../failure.ts'
import type { TaskStatus } from '../../status.ts'
import { nameList } from '../../text/name-list.ts'
import { safeLine } from '../../text/safe.ts'
import { because, tellingLines } from '../../text/telling-lines.ts'
import { fit, hanging } from '../../text/width.ts'
import type { RunView, TaskView } from '../../view.ts'
import type { Look } from '../surroundings.ts'
import { glyph, signedLine, signedLines } from '../terminal/glyph.ts'
import { claimLines, flaggedLines, planFileLines, unchangedLines, unplacedLines } from './attention-lines.ts'
import { budgetLines, spendingLines } from './money-lines.ts'
import { landedOnLines, nextLines, type ResultOutside } from './next-steps.ts'
import { headerLines } from './run-header.ts'
import { flakeLine, pauseLines } from './waiting-lines.ts'

type Options = ResultOutside &
  Look & {
    unchanged: readonly TaskPaths[]
    cwd: string
    repeat: string
  }

export function summaryLines(view: RunView, options: Options): string[] {
  const flakes = flakeLine(view.queue)
  const login = view.paused?.filter(({ needsLogin }) => needsLogin)
  return [
    '',
    ...headerLines(view, { elapsedMs: view.durationMs, leftMs: null }, options),
    ...landedLines(view, options),
    ...failureLines(view, options),
    ...waitingLines(view, options),
    ...droppedLines(view, options.landedSince, options),
    ...attentionLines(view, options),
    ...(flakes ? [signedLine('landing', flakes, options)] : []),
    ...pauseLines(login, 0).map((line) => `! ${line}`),
    ...spendingLines(view, options),
    ...budgetLines(view.budgets, options),
    ...landedOnLines(view, options.landedOn, options.palette),
    '',
    ...stepLines(view, options),
  ]
}

/** Lines below the table of `status`. */
export function detailLines(view: RunView, options: Options): string[] {
  const details = [
    ...failureLines(view, options),
    ...attentionLines(view, options),
    ...spendingLines(view, options),
    ...(view.engine ? [] : landedOnLines(view, options.landedOn, options.palette)),
  ]
  return [details, stepLines(view, options)].flatMap((lines) => (lines.length > 0 ? ['', ...lines] : []))
}

/** Warnings for people. */
function attentionLines(view: RunView, options: Options): string[] {
  return [
    ...landedSinceLines(options.landedSince, options),
    ...unchangedLines(options.unchanged, options),
    ...flaggedLines(view, options),
    ...claimLines(view, options),
    ...unplacedLines(view, options),
    ...planFileLines(view, options),
  ]
}

function stepLines(view: RunView, { landedOn, landedSince, repeat, ...look }: Options): string[] {
  return nextLines(nextSteps(view, { landedOn, landedSince, flags: repeat }), look)
}

function landedLines(view: RunView, { width, palette }: Look): string[] {
  return (['landed', 'passed'] as const).flatMap((wanted) => {
    const ids = view.tasks.filter(({ status }) => status === wanted).map(({ id }) => id)
    if (ids.length === 0) return []
    const label = `${wanted}: `
    const names = nameList(ids, NAME_LINES * (width - 2) - label.length)
    const [first, ...rest] = hanging(label + names, width, 2)
    return [`${glyph(wanted, palette)} ${first}`, ...rest]
  })
}

/** Lines for the names of landed and passed tasks; `status` has all of them. */
const NAME_LINES = 2

/** Failures shown in full; the table of `status` has the others. */
const FAILURES_SHOWN = 20

/** Output lines of a failed command; `logs` has the rest. */
const OUTPUT_LINES = 6

/** Tasks in conflict, then failed tasks. Messages are wrapped between words. */
function failureLines(view: RunView, look: Look): string[] {
  const inConflict = failedTaskLines(withStatus(view, 'conflict'), 'in conflict', look)
  return [...inConflict, ...failedTaskLines(withStatus(view, 'failed'), 'failed', look)]
}

function failedTaskLines(tasks: TaskView[], what: string, look: Look): string[] {
  const { width, palette } = look
  const lines = tasks.slice(0, FAILURES_SHOWN).flatMap((task) => {
    const why = task.failure ? because(task.failure) : (task.outcome ?? 'failed')
    const printed = outputLines(task, width).map((line) => palette.dim(line))
    return [...signedLines(glyph(task.status, palette), `${task.id}: ${why}`, look), ...printed]
  })
  const left = tasks.length - FAILURES_SHOWN
  return left > 0 ? [...lines, palette.dim(`  … and ${left} more ${what}`)] : lines
}

/** Most useful output lines of the failed command. Their layout matters, so lines are cut and not wrapped. */
function outputLines({ failure }: TaskView, width: number): string[] {
  return tellingLines(messageParts(failure?.message ?? '').output, OUTPUT_LINES).map((line) =>
    fit(`    ${/^ */.exec(line)?.[0]}${safeLine(line)}`, width),
  )
}

/** Tasks that wait for a budget or for another task: a line per reason. An interrupted run waits as a whole. */
function waitingLines(view: RunView, look: Look): string[] {
  if (isInterrupted(view)) return []
  const now = view.finishedAt ?? 0 // no wait of these kinds ends by itself
  const waits = [...waitsOf(view, { now })].filter(([, { kind }]) => kind === 'budget' || kind === 'task')
  const byText = Map.groupBy(waits, ([, wait]) => waitText(wait, now))
  const lines = [...byText].map(([text, tasks]) =>
    signedLine('pending', safeLine(`${tasks.map(([task]) => task).join(', ')} ${verbFor(tasks.length, text)}`), look),
  )
  const left = lines.length - FAILURES_SHOWN
  return left > 0 ? [...lines.slice(0, FAILURES_SHOWN), look.palette.dim(`  … and ${left} more`)] : lines
}

/** `waits for …` for one task, `wait for …` for several. */
function verbFor(count: number, text: string): string {
  return count === 1 ? text : text.replace(/^waits /, 'wait ')
}

/** Blocked, cancelled and dropped tasks: a line per cause. `since`: tasks that other runs have landed. */
function droppedLines(view: RunView, since: ReadonlyMap<string, string>, look: Look): string[] {
  const blocked = Map.groupBy(withStatus(view, 'blocked'), (task) => task.failure?.cause ?? '')
  const lines = [...blocked].map(([cause, tasks]) => {
    const by = cause ? ` by ${cause}` : ''
    return signedLine('blocked', `blocked${by}: ${names(tasks)}`, look)
  })
  const cancelled = withStatus(view, 'cancelled').filter((task) => !isDropped(task))
  if (cancelled.length > 0) lines.push(signedLine('cancelled', `cancelled: ${names(cancelled)}`, look))
  const dropped = view.tasks.filter((task) => isDropped(task) && !since.has(task.id))
  for (const [why = '', tasks] of Map.groupBy(dropped, ({ failure }) => failure?.message))
    lines.push(signedLine('cancelled', safeLine(`left out: ${names(tasks)} (${why})`), look))
  return lines
}

/** Tasks that did not succeed here and that other runs have landed: a line per run. */
function landedSinceLines(since: ReadonlyMap<string, string>, look: Look): string[] {
  return [...Map.groupBy(since, ([, run]) => run)].map(([run, tasks]) =>
    signedLine('landed', `landed by run ${run} since: ${tasks.map(([task]) => task).join(', ')}`, look),
  )
}

function withStatus(view: RunView, wanted: TaskStatus): TaskView[] {
  return view.tasks.filter(({ status }) => status === wanted)
}

function names(tasks: TaskView[]): string {
  return tasks.map(({ id }) => id).join(', ')
}
