// The end of a run in a few lines: how it stands, what landed, what did not and why, and what to type next.
import type { RunView, TaskView } from '../status.ts'
import { fit, padEnd, widest } from './display-width.ts'
import { because, short } from './event-line.ts'
import { glyph } from './glyph.ts'
import type { Palette } from './palette.ts'
import { headerLines } from './run-header.ts'

type Options = {
  interrupted: boolean
  width: number
  palette: Palette
  /** Flags to repeat in the commands, with a leading space. */
  repeat: string
}

/** Failures that are told one by one; `status` has the others. */
const FAILURES_SHOWN = 20
/** Of the commands, behind the word `next`. */
const INDENT = 6

export function summaryLines(view: RunView, { interrupted, width, palette, repeat }: Options): string[] {
  const state = interrupted ? 'interrupted' : view.status
  const header = { ...view, state, elapsedMs: view.durationMs, leftMs: null }
  return [
    '',
    ...headerLines(header, width, palette),
    ...landedLines(view, width, palette),
    ...failureLines(view, width, palette),
    '',
    ...nextLines(view, { interrupted, width, palette, repeat }),
  ]
}

function landedLines(view: RunView, width: number, palette: Palette): string[] {
  const landed = view.tasks.filter(({ status }) => status === 'landed').map(({ id }) => id)
  const passed = view.tasks.filter(({ status }) => status === 'passed').map(({ id }) => id)
  const lines = []
  if (landed.length > 0) lines.push(`${glyph('landed', palette)} ${fit(`landed: ${landed.join(', ')}`, width - 2)}`)
  if (passed.length > 0) lines.push(`${glyph('passed', palette)} ${fit(`passed: ${passed.join(', ')}`, width - 2)}`)
  return lines
}

function failureLines(view: RunView, width: number, palette: Palette): string[] {
  const failed = view.tasks.filter(({ status }) => status === 'failed')
  const lines = failed.slice(0, FAILURES_SHOWN).map((task) => {
    const why = task.failure ? because(task.failure) : (task.outcome ?? 'failed')
    return `${glyph('failed', palette)} ${fit(`${task.id}: ${why}`, Math.max(width - 2, 40))}`
  })
  if (failed.length > lines.length) lines.push(palette.dim(`  … and ${failed.length - lines.length} more failed`))
  const blocked = Map.groupBy(
    view.tasks.filter(({ status }) => status === 'blocked'),
    (task) => task.failure?.cause ?? '',
  )
  for (const [cause, tasks] of blocked) {
    const by = cause ? ` by ${cause}` : ''
    lines.push(`${glyph('blocked', palette)} ${fit(`blocked${by}: ${names(tasks)}`, width - 2)}`)
  }
  const cancelled = view.tasks.filter(({ status }) => status === 'cancelled')
  if (cancelled.length > 0) {
    lines.push(`${glyph('cancelled', palette)} ${fit(`cancelled: ${names(cancelled)}`, width - 2)}`)
  }
  return lines
}

function nextLines(view: RunView, { interrupted, width, repeat, palette }: Options): string[] {
  const next: [command: string, what: string][] = []
  const failed = view.tasks.find(({ status }) => status === 'failed')
  const add = (command: string, what: string) => next.push([`espalier ${command}${repeat}`, what])
  if (interrupted) add(`resume ${view.run}`, 'goes on where this stopped')
  if (failed) add(`logs ${failed.id} --run ${view.run}`, 'what it said')
  if (view.counts.landed > 0 && !interrupted) {
    add(`land ${view.run}`, `brings ${view.branch} (${short(view.head)}) onto your branch`)
  }
  add(`report ${view.run} --format html`, 'all of it, as a page')

  const commandWidth = widest(next.map(([command]) => command))
  const explanationAt = INDENT + commandWidth + 2
  const beside = explanationAt + widest(next.map(([, what]) => what)) <= width
  return next.flatMap(([command, what], index) => {
    const label = palette.dim(padEnd(index === 0 ? 'next' : '', INDENT))
    if (beside) return `${label}${padEnd(command, commandWidth)}  ${palette.dim(what)}`
    // Commands are never cut: somebody copies them.
    return [`${label}${command}`, `${' '.repeat(INDENT + 2)}${palette.dim(fit(what, width - INDENT - 2))}`]
  })
}

function names(tasks: TaskView[]): string {
  return tasks.map(({ id }) => id).join(', ')
}
