// What a plan of another format was understood to be, for people.
import type { PlanSource } from '../index.ts'
import { count } from './event-line.ts'
import type { Palette } from './palette.ts'

/** `read as Task Master tasks.json: 9 tasks to do, 3 done already`; empty for Espalier's own plan. */
export function sourceLine({ format, title, entries }: PlanSource, tasks: number): string {
  if (format === 'espalier') return ''
  const number = (state: string): number => entries.filter((entry) => entry.state === state).length
  const parts = [
    `${count(tasks, 'task')} to do`,
    number('done') > 0 ? `${number('done')} done already` : '',
    number('skipped') > 0 ? `${number('skipped')} left out` : '',
  ]
  return `read as ${title}: ${parts.filter(Boolean).join(', ')}`
}

/** What was assumed and what was ignored, each with its place. */
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
