// Summary of how a plan of another format was read.

import { count } from '../../text/figures.ts'
import { safeLine } from '../../text/safe.ts'
import type { PlanSource } from '../../workloads/plan/source.ts'

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

function leftOut(entries: PlanSource['entries']): string {
  const skipped = entries.filter(({ state }) => state === 'skipped')
  if (skipped.length === 0) return ''
  const names = skipped.slice(0, NAMED).map(({ source }) => safeLine(source).slice(0, NAME_CHARS))
  return `${skipped.length} left out (${names.join(', ')}${skipped.length > NAMED ? ', …' : ''})`
}

const NAMED = 8
const NAME_CHARS = 40
