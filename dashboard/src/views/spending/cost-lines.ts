// What had been spent by when, what the rest will probably cost, and the budget, as lines over the same times.
import type { Line } from '../../parts/chart.tsx'
import type { Answer } from '../../shared.ts'

type Spending = Answer<'runs.spending'>
type Forecast = Answer<'runs.forecast'>

/** `forecast`: null where nobody works on it. Null: there is nothing to draw. */
export function chartOf(
  { overTime, budgets }: Spending,
  forecast: Forecast | null,
  startedAt: number,
): { xs: number[]; lines: Line[] } | null {
  const last = overTime.at(-1)
  if (!last) return null
  const now = forecast && forecast.at > last.at ? [{ at: forecast.at, costUsd: last.costUsd }] : []
  const spent = [...thinned([{ at: startedAt, costUsd: 0 }, ...overTime]), ...now]
  const rest = restOf(spent.at(-1) ?? last, forecast)
  const times = [...new Set([...spent, ...rest].map(({ at }) => at))].sort((a, b) => a - b)
  const valuesOf = (points: readonly { at: number; costUsd: number }[]) => {
    const byTime = new Map(points.map(({ at, costUsd }) => [at, costUsd]))
    return times.map((at) => byTime.get(at) ?? null)
  }
  const lines: Line[] = [{ label: 'Spent', tone: 'live', look: 'steps', values: valuesOf(spent) }]
  if (rest.length > 0) lines.push({ label: 'Forecast', tone: 'mute', look: 'dashes', values: valuesOf(rest) })
  const budget = budgets?.budgetUsd ?? null
  if (budget !== null) lines.push({ label: 'Budget', tone: 'bad', look: 'dashes', values: times.map(() => budget) })
  return { xs: times.map((at) => at / 1000), lines }
}

/** From what is spent now to the end, where both are known. */
function restOf(last: { at: number; costUsd: number }, forecast: Forecast | null) {
  if (!forecast?.costUsd || forecast.endsAt === null || forecast.endsAt <= last.at) return []
  return [last, { at: forecast.endsAt, costUsd: last.costUsd + forecast.costUsd }]
}

const MOST_POINTS = 2_000

/** As many as have pixels; the last is always among them. */
function thinned<T>(points: readonly T[]): T[] {
  if (points.length <= MOST_POINTS) return [...points]
  const step = points.length / MOST_POINTS
  const kept = Array.from({ length: MOST_POINTS }, (_, index) => points[Math.floor(index * step)] as T)
  return [...kept.slice(0, -1), points.at(-1) as T]
}
