// Summary of how a plan of another format was read.

import { count } from '../../text/figures.ts'
import { safeLine } from '../../text/safe.ts'
import type { PlanSource } from '../../workloads/plan/translate-format.ts'
import type { Palette } from '../terminal/palette.ts'

/** `read as Task Master tasks.json: 9 tasks to do, 3 done already`; empty for Espalier's own plan. */
export function sourceLine({ format, title, entries }: PlanSource, tasks: number): string {
  if (format === 'espalier') return ''
  const number = (state: string): number => entries.filter((entry) => entry.state === state).length
  const parts = [
    `${count(tasks, 'task')} to do`,
    number('done') > 0 ? `${number('done')} done already` : '',
    leftOut(entries),
  ]
  return `read as ${title}: ${parts.filter(Boolean).join(', ')}`
}

export function nothingLeft(name: string, source: PlanSource): string[] {
  return [sourceLine(source, 0), `${name}: nothing left to do`].filter(Boolean)
}

export function doneInFile({ entries }: PlanSource): number {
  return entries.filter(({ state }) => state === 'done').length
}

function leftOut(entries: PlanSource['entries']): string {
  const skipped = entries.filter(({ state }) => state === 'skipped')
  if (skipped.length === 0) return ''
  const names = skipped.slice(0, NAMED).map(({ source }) => safeLine(source).slice(0, NAME_CHARS))
  return `${skipped.length} left out (${names.join(', ')}${skipped.length > NAMED ? ', …' : ''})`
}

const NAMED = 8
const NAME_CHARS = 40

export function remarkLines({ assumed, ignored, file }: PlanSource, palette: Palette): string[] {
  const lines = (title: string, remarks: PlanSource['assumed']): string[] => {
    if (remarks.length === 0) return []
    const all = remarks.map(({ message, place }) => {
      return `  ${palette.dim(`${place.file ?? file}:${place.line}:${place.column}`)}  ${message}`
    })
    return [palette.strong(title), ...all]
  }
  return [...lines('Assumed', assumed), ...lines('Ignored', ignored)]
}
