// `espalier plan show`: the shape of a plan, for people.

import type { EstimatedPlan } from '../../engine/open/estimates.ts'
import type { Plan } from '../../task.ts'
import { formatDuration } from '../../text/duration.ts'
import { count } from '../../text/figures.ts'
import { nameList } from '../../text/name-list.ts'
import { safeLine } from '../../text/safe.ts'
import { displayWidth, fit, padEnd, widest } from '../../text/width.ts'
import type { PlanOverview } from '../../workloads/analysis/overview.ts'
import { busiestClaimText } from '../../workloads/analysis/times.ts'
import { whyNever } from '../../workloads/plan/never-runs.ts'
import type { Look } from '../surroundings.ts'
import type { Palette } from '../terminal/palette.ts'
import { blocks, tableLines } from '../terminal/table.ts'

/** Rows of one list; --json has all of them. */
const SHOWN = 40
const SHOWN_PAIRS = 20
/** Of the width, for ids in a table: some formats make long ids, and the text behind them matters more. */
const ID_SHARE = 0.4

export function planShapeLines(
  { plan, overview, times }: { plan: Plan; overview: PlanOverview; times: EstimatedPlan['time'] },
  look: Look,
): string[] {
  return blocks([
    headLines(overview, look),
    batchLines(overview, look),
    waveLines(overview, look),
    epicLines(overview, look),
    taskLines(plan, look),
    pathLines(overview, look),
    conflictLines(overview, look),
    neverLines(overview, look),
    timeLines(overview, times, look),
  ])
}

function headLines(overview: PlanOverview, { width, palette }: Look) {
  const { name, tasks, edges, batches, waves, epics } = overview
  const counts = [
    count(tasks, 'task'),
    edges === 1 ? '1 dependency' : `${edges} dependencies`,
    batches.length === 1 ? '1 batch' : `${batches.length} batches`,
  ]
  const more = [
    ...(hasWaves(overview) ? [count(waves.length, 'wave')] : []),
    ...(epics.length > 0 ? [count(epics.length, 'epic')] : []),
  ]
  return [`${palette.strong(name)}  ${fit([...counts, ...more].join(', '), width - name.length - 2)}`]
}

function batchLines({ batches }: PlanOverview, look: Look): string[] {
  const { palette } = look
  const lines = batches
    .slice(0, SHOWN)
    .flatMap(({ number, tasks, waitsFor }) => [
      numbered(number, tasks, look),
      ...(waitsFor.length > 0 ? [reason('waits for', waitsFor, look)] : []),
    ])
  return [palette.strong('Batches: tasks that can run at the same time'), ...lines, ...left(batches.length, palette)]
}

/** Only where claims make a difference: else the waves are the batches. */
function hasWaves({ batches, waves }: PlanOverview): boolean {
  return waves.some(({ heldBack }) => heldBack.length > 0) || waves.length !== batches.length
}

function waveLines(overview: PlanOverview, look: Look): string[] {
  const { width, palette } = look
  if (!hasWaves(overview)) return []
  const { waves } = overview
  const lines = waves.slice(0, SHOWN).flatMap(({ number, tasks, heldBack }) => {
    const names = heldBack.map(({ task, by, pattern }) => safeLine(`${task} by ${by} (${pattern})`))
    return [numbered(number, tasks, look), ...(names.length > 0 ? [reason('delayed:', names, look)] : [])]
  })
  const title = 'Waves: batches split so that no two tasks of a wave claim the same paths'
  return [palette.strong(fit(title, width)), ...lines, ...left(waves.length, palette)]
}

function epicLines({ epics }: PlanOverview, { width, palette }: Look): string[] {
  if (epics.length === 0) return []
  const rows = epics
    .slice(0, SHOWN)
    .map(({ id, stage, tasks, widest: most, ms, waitsFor }) => [
      fit(id, Math.floor(width * ID_SHARE)),
      String(stage),
      String(tasks),
      String(most),
      formatDuration(ms),
      waitsFor.length > 0 ? `waits for ${waitsFor.join(', ')}` : '',
    ])
  const head = ['epic', 'stage', 'tasks', 'at once', 'time', '']
  const isRight = (column: number) => column > 0 && column < head.length - 1
  return [
    palette.strong('Epics: those of the same stage do not wait for each other'),
    ...tableLines(head, rows, { width, palette, isRight, indent: 2 }),
    ...left(epics.length, palette),
  ]
}

function taskLines({ tasks }: Plan, { width, palette }: Look): string[] {
  if (tasks.every(({ id, title }) => title === id)) return []
  const shown = tasks.slice(0, SHOWN)
  const ids = Math.min(widest(shown.map(({ id }) => id)), Math.floor(width * ID_SHARE))
  const lines = shown.map(({ id, title }) => {
    return `  ${padEnd(fit(id, ids), ids)}  ${palette.dim(fit(safeLine(title), width - ids - 4))}`.trimEnd()
  })
  return [palette.strong('Tasks'), ...lines, ...left(tasks.length, palette)]
}

function pathLines({ criticalPath }: PlanOverview, { width, palette }: Look): string[] {
  return [
    palette.strong(`Critical path: ${formatDuration(criticalPath.ms)}, ${count(criticalPath.tasks.length, 'task')}`),
    `  ${chainText(criticalPath.tasks, width - 2)}`,
  ]
}

function conflictLines({ conflicts, conflictCount, conflictsComplete }: PlanOverview, { width, palette }: Look) {
  if (conflicts.length === 0) return []
  const shown = conflicts.slice(0, SHOWN_PAIRS)
  const lines = shown.map(({ a, b, paths }) => `  ${fit(safeLine(`${a} × ${b}  ${paths.join(' and ')}`), width - 2)}`)
  const more = conflictCount - shown.length
  if (more > 0 || !conflictsComplete) lines.push(palette.dim(`  … and ${more}${conflictsComplete ? '' : ' or'} more`))
  return [palette.strong('Never at the same time, because their claims overlap'), ...lines]
}

function neverLines({ never }: PlanOverview, { width, palette }: Look): string[] {
  if (never.length === 0) return []
  const lines = never.slice(0, SHOWN).map((one) => `  ${fit(safeLine(`${one.task}  ${whyNever(one)}`), width - 2)}`)
  return [palette.bad('Will not run'), ...lines, ...left(never.length, palette)]
}

function timeLines(plan: PlanOverview, times: EstimatedPlan['time'], { width, palette }: Look): string[] {
  const { lowerBoundMs, totalMs, slots, busiestClaim } = plan
  const speedUp = lowerBoundMs > 0 && totalMs > lowerBoundMs ? `, ${(totalMs / lowerBoundMs).toFixed(1)} × as fast` : ''
  const claim =
    busiestClaim && busiestClaim.boundMs >= lowerBoundMs && slots > 1
      ? [`  ${fit(safeLine(busiestClaimText(busiestClaim, busiestClaim.pattern)), width - 2)}`]
      : []
  return [
    palette.strong('Time'),
    `  one after another   ${formatDuration(totalMs)}`,
    `  ${padEnd(`at best with -j ${slots}`, 17)}   ${formatDuration(lowerBoundMs)}${speedUp}`,
    ...claim,
    palette.dim(fit(`  (${timeWords(times)})`, width)),
  ]
}

const LABEL = 6

function numbered(number: number, names: readonly string[], { width, palette }: Look): string {
  return `${palette.dim(`${String(number).padStart(4)}  `)}${nameList(names, width - LABEL)}`
}

function reason(words: string, names: readonly string[], { width, palette }: Look): string {
  return `${' '.repeat(LABEL)}${palette.dim(`${words} ${nameList(names, width - LABEL - words.length - 1)}`)}`
}

function left(all: number, palette: Palette): string[] {
  return all > SHOWN ? [palette.dim(`      … and ${all - SHOWN} more`)] : []
}

/** `a → b → c`; where that is too long, `a → b → … → z`: where it begins and how it ends. */
export function chainText(tasks: readonly string[], columns: number): string {
  const whole = tasks.join(' → ')
  if (displayWidth(whole) <= columns) return whole
  const end = ` → … → ${tasks.at(-1) ?? ''}`
  let [text = ''] = tasks
  for (const task of tasks.slice(1, -1)) {
    const longer = `${text} → ${task}`
    if (displayWidth(longer + end) > columns) break
    text = longer
  }
  return fit(text + end, columns)
}

/** `estimates: 3 from the plan; 10m 00s assumed for the other 2` */
export function timeWords(times: EstimatedPlan['time']): string {
  const { plan, history, unknown, assumedMs } = times
  const assumed = `${formatDuration(assumedMs)} assumed for`
  if (plan + history === 0) return `no estimates yet: ${assumed} ${unknown === 1 ? 'the task' : 'each task'}`
  const known = `estimates: ${estimateWords({ plan, history, unknown: 0 }, '')}`
  return unknown === 0 ? known : `${known}; ${assumed} the other ${unknown === 1 ? 'task' : unknown}`
}

/** `3 from the plan, 2 from earlier runs, 1 unknown`. `otherwise`: what the last are. */
export function estimateWords({ plan, history, unknown }: EstimatedPlan['cost'], otherwise: string): string {
  const parts = [
    ...(plan > 0 ? [`${plan} from the plan`] : []),
    ...(history > 0 ? [`${history} from earlier runs`] : []),
    ...(unknown > 0 ? [`${unknown} ${otherwise}`] : []),
  ]
  return parts.join(', ')
}
