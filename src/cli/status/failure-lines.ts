// What did not succeed and why, told in full: the end of a run and of `espalier status`.

import { isDropped } from '../../facts/retryable.ts'
import { messageParts } from '../../failure.ts'
import type { RunView, TaskStatus, TaskView } from '../../status.ts'
import { safeLine } from '../../text/safe.ts'
import { fit, hanging } from '../../text/width.ts'
import { because } from '../live/event-line.ts'
import { glyph } from '../terminal/glyph.ts'
import type { Palette } from '../terminal/palette.ts'

/** Failures that are told one by one; the table of `status` has the others. */
const FAILURES_SHOWN = 20

/** Of what a failed command printed; `logs` has the rest. */
const OUTPUT_LINES = 6

/** What waits for a person, then every failed task. Messages are broken between words where the terminal is too narrow. */
export function failureLines(view: RunView, width: number, palette: Palette): string[] {
  const inConflict = told(withStatus(view, 'conflict'), 'in conflict', width, palette)
  return [...inConflict, ...told(withStatus(view, 'failed'), 'failed', width, palette)]
}

function told(tasks: TaskView[], what: string, width: number, palette: Palette): string[] {
  const lines = tasks.slice(0, FAILURES_SHOWN).flatMap((task) => {
    const why = task.failure ? because(task.failure) : (task.outcome ?? 'failed')
    const [first, ...more] = hanging(`${task.id}: ${why}`, Math.max(width - 2, 40), 2)
    const printed = outputLines(task, width).map((line) => palette.dim(line))
    return [`${glyph(task.status, palette)} ${first}`, ...more.map((line) => `  ${line}`), ...printed]
  })
  const left = tasks.length - FAILURES_SHOWN
  return left > 0 ? [...lines, palette.dim(`  … and ${left} more ${what}`)] : lines
}

/** The end of what the command printed that failed. It is laid out already, so lines are cut and not broken. */
function outputLines({ failure }: TaskView, width: number): string[] {
  const lines = messageParts(failure?.message ?? '').output.split('\n')
  return lines
    .filter((line) => safeLine(line) !== '')
    .slice(-OUTPUT_LINES)
    .map((line) => fit(`    ${/^ */.exec(line)?.[0]}${safeLine(line)}`, width))
}

/** What never came to it: a line per cause. `since`: what is told as landed by others. */
export function droppedLines(
  view: RunView,
  since: ReadonlyMap<string, string>,
  width: number,
  palette: Palette,
): string[] {
  const blocked = Map.groupBy(withStatus(view, 'blocked'), (task) => task.failure?.cause ?? '')
  const lines = [...blocked].map(([cause, tasks]) => {
    const by = cause ? ` by ${cause}` : ''
    return `${glyph('blocked', palette)} ${fit(`blocked${by}: ${names(tasks)}`, width - 2)}`
  })
  const cancelled = withStatus(view, 'cancelled').filter((task) => !isDropped(task))
  if (cancelled.length > 0)
    lines.push(`${glyph('cancelled', palette)} ${fit(`cancelled: ${names(cancelled)}`, width - 2)}`)
  const dropped = view.tasks.filter((task) => isDropped(task) && !since.has(task.id))
  for (const [why = '', tasks] of Map.groupBy(dropped, ({ failure }) => failure?.message))
    lines.push(`${glyph('cancelled', palette)} ${fit(safeLine(`left out: ${names(tasks)} (${why})`), width - 2)}`)
  return lines
}

/** What did not succeed here and is done all the same: a line per run that did it. */
export function landedSinceLines(since: ReadonlyMap<string, string>, width: number, palette: Palette): string[] {
  return [...Map.groupBy(since, ([, run]) => run)].map(([run, tasks]) => {
    const text = `landed by run ${run} since: ${tasks.map(([task]) => task).join(', ')}`
    return `${glyph('landed', palette)} ${fit(text, width - 2)}`
  })
}

function withStatus(view: RunView, wanted: TaskStatus): TaskView[] {
  return view.tasks.filter(({ status }) => status === wanted)
}

function names(tasks: TaskView[]): string {
  return tasks.map(({ id }) => id).join(', ')
}
