// How the best score has grown, eval by eval, in the order they were done.
import type { Line } from '../../parts/chart.tsx'
import type { Manifest } from '../../shared.ts'

export function bestSoFar({ root, evals, goal }: Manifest): { xs: number[]; best: number[]; lines: Line[] } {
  const scored = evals
    .flatMap(({ score, finished_at }) => (score === null || finished_at === null ? [] : [{ score, at: finished_at }]))
    .sort((a, b) => a.at - b.at)
  const scores = [...(root?.score == null ? [] : [root.score]), ...scored.map(({ score }) => score)]
  const best: number[] = []
  for (const score of scores) {
    const before = best.at(-1)
    best.push(before === undefined ? score : goal === 'max' ? Math.max(before, score) : Math.min(before, score))
  }
  const lines: Line[] = [
    { label: 'Best', tone: 'good', look: 'steps', values: best },
    { label: 'Eval', tone: 'live', look: 'points', values: scores },
  ]
  return { xs: scores.map((_, index) => index), best, lines }
}
