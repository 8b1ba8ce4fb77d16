// What did not succeed and why, in full: at the end of a run and of `espalier status`.

import { isInterrupted } from '../../facts/next-steps.ts'
import { isDropped } from '../../facts/retryable.ts'
import { waitsOf, waitText } from '../../facts/waits.ts'
import { messageParts } from '../../failure.ts'
import type { TaskStatus } from '../../status.ts'
import { safeLine } from '../../text/safe.ts'
import { tellingLines } from '../../text/telling-lines.ts'
import { fit } from '../../text/width.ts'
import type { RunView, TaskView } from '../../view.ts'
import { because } from '../live/event-line.ts'
import type { Look } from '../surroundings.ts'
import { glyph, signedLine, signedLines } from '../terminal/glyph.ts'

/** Failures shown one by one; the table of `status` has the others. */
const FAILURES_SHOWN = 20

/** Of the output of a failed command; `logs` has the rest. */
const OUTPUT_LINES = 6

/** Tasks in conflict, then failed tasks. Messages are wrapped between words. */
export function failureLines(view: RunView, look: Look): string[] {
  const inConflict = detailLines(withStatus(view, 'conflict'), 'in conflict', look)
  return [...inConflict, ...detailLines(withStatus(view, 'failed'), 'failed', look)]
}

function detailLines(tasks: TaskView[], what: string, look: Look): string[] {
  const { width, palette } = look
  const lines = tasks.slice(0, FAILURES_SHOWN).flatMap((task) => {
    const why = task.failure ? because(task.failure) : (task.outcome ?? 'failed')
    const printed = outputLines(task, width).map((line) => palette.dim(line))
    return [...signedLines(glyph(task.status, palette), `${task.id}: ${why}`, look), ...printed]
  })
  const left = tasks.length - FAILURES_SHOWN
  return left > 0 ? [...lines, palette.dim(`  … and ${left} more ${what}`)] : lines
}

/** What went wrong, in the words of the failed command. Its layout matters, so lines are cut and not wrapped. */
function outputLines({ failure }: TaskView, width: number): string[] {
  return tellingLines(messageParts(failure?.message ?? '').output, OUTPUT_LINES).map((line) =>
    fit(`    ${/^ */.exec(line)?.[0]}${safeLine(line)}`, width),
  )
}

/** Tasks that wait for something that has to be done first, by what that is. An interrupted run waits as a whole. */
export function waitingLines(view: RunView, look: Look): string[] {
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

/** `waits for …` of one, `wait for …` of several. */
function verbFor(count: number, text: string): string {
  return count === 1 ? text : text.replace(/^waits /, 'wait ')
}

/** Blocked, cancelled and dropped tasks: a line per cause. `since`: tasks that other runs have landed. */
export function droppedLines(view: RunView, since: ReadonlyMap<string, string>, look: Look): string[] {
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
export function landedSinceLines(since: ReadonlyMap<string, string>, look: Look): string[] {
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
