// `espalier plan show`: the shape of a plan, for people.
import { formatDuration } from '../duration.ts'
import type { PlanAnalysis } from '../index.ts'
import { fit, padEnd } from './display-width.ts'
import { count } from './event-line.ts'
import type { Palette } from './palette.ts'

/** Rows of one list. Whoever needs all of them takes --json. */
const SHOWN = 40

export function planShapeLines(name: string, shape: PlanAnalysis, width: number, palette: Palette): string[] {
  const head = `${count(shape.tasks, 'task')}, ${count(shape.edges, 'edge')}, ${count(shape.levels.length, 'level')}`
  return [
    `${palette.strong(name)}  ${head}`,
    '',
    palette.strong('Levels: each waits for the one before'),
    ...numbered(shape.levels, width, palette),
    '',
    palette.strong(`Critical path: ${formatDuration(shape.criticalPath.ms)}`),
    `  ${fit(shape.criticalPath.tasks.join(' → '), width - 2)}`,
    '',
    ...conflictLines(shape, width, palette),
    ...timeLines(shape, palette),
  ]
}

function timeLines({ lowerBoundMs, totalMs, slots, estimated, tasks }: PlanAnalysis, palette: Palette): string[] {
  const lines = [
    palette.strong('Time'),
    `  one after another   ${formatDuration(totalMs)}`,
    `  ${padEnd(`at best with -j ${slots}`, 17)}   ${formatDuration(lowerBoundMs)}`,
  ]
  if (estimated > 0) {
    const whose = estimated === tasks ? 'the tasks' : `${estimated} of the tasks`
    lines.push(
      palette.dim(
        `  (${whose} ${estimated === 1 && tasks > 1 ? 'has' : 'have'} no estimate: a typical time was taken)`,
      ),
    )
  }
  return lines
}

function conflictLines({ conflicts, conflictCount, conflictsComplete }: PlanAnalysis, width: number, palette: Palette) {
  if (conflicts.length === 0) return []
  const shown = conflicts.slice(0, SHOWN)
  const lines = shown.map(({ a, b, paths }) => `  ${fit(`${a} × ${b}  ${paths.join(' and ')}`, width - 2)}`)
  const more = conflictCount - shown.length
  if (more > 0 || !conflictsComplete) lines.push(palette.dim(`  … and ${more}${conflictsComplete ? '' : ' or'} more`))
  return [palette.strong('Never at the same time, because their claims overlap'), ...lines, '']
}

function numbered(groups: string[][], width: number, palette: Palette): string[] {
  const lines = groups.slice(0, SHOWN).map((ids, index) => {
    const label = `${String(index + 1).padStart(4)}  `
    return `${palette.dim(label)}${fit(ids.join(', '), width - label.length)}`
  })
  if (groups.length > SHOWN) lines.push(palette.dim(`      … and ${groups.length - SHOWN} more levels`))
  return lines
}
