// Wording for a search, shared by its summary, its page and the terminal.
import { formatDuration } from '../../text/duration.ts'
import type { EvalEntry, Manifest } from '../../workloads/search/result-manifest.ts'

export function scoreText(value: number | null, spread: number | null = null): string {
  if (value === null) return '–'
  return spread ? `${plain(value)} ± ${plain(spread / 2)}` : plain(value)
}

/** Rounds to 6 digits. */
export function plain(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)))
}

/** Why an eval was promoted or not. */
export function promotionText({ promotion, error }: EvalEntry): string {
  const { status, rank, of, gain = 0, needed = 0, noise = 0 } = promotion
  switch (status) {
    case 'promoted':
      return rank === undefined ? 'promoted' : `promoted, rank ${rank}`
    case 'outranked':
      return `not in the beam (${rank}.)`
    case 'duplicate':
      return `same files as ${of}`
    case 'unchanged':
      return 'changed nothing'
    case 'no-improvement':
      if (gain <= 0) return gain === 0 ? 'no better than its node' : `worse than its node by ${plain(-gain)}`
      if (gain <= noise) return `gain of ${plain(gain)} is within the noise (${plain(noise)})`
      return `gain of ${plain(gain)} is less than ${plain(needed)}`
    case 'failed':
      return error ? error.reason : 'failed'
    case 'undecided':
      return 'waits for the others of its depth'
    default:
      return ''
  }
}

export function durationText({ started_at, finished_at }: EvalEntry): string {
  return started_at === null || finished_at === null ? '' : formatDuration(finished_at - started_at)
}

/** `3 of 8 done, 1 failed, 2 running` */
export function depthText({ queued, running, completed, failed }: Manifest['depths'][number]): string {
  const all = queued + running + completed + failed
  const parts = [`${completed + failed}/${all} evals`]
  if (failed > 0) parts.push(`${failed} failed`)
  if (running > 0) parts.push(`${running} running`)
  return parts.join(', ')
}

/** The best score of the nodes down to a depth. */
export function bestUpTo({ nodes, goal }: Manifest, depth: number): number | null {
  const scores = nodes.flatMap((node) => (node.depth <= depth ? [node.score] : []))
  if (scores.length === 0) return null
  return goal === 'max' ? Math.max(...scores) : Math.min(...scores)
}

export function ideaText(path: string | null): string {
  return path === null ? 'the root' : (path.split('/').at(-1) ?? path)
}

/** The ideas from the root to a node. */
export function wayText({ nodes }: Manifest, id: string): string {
  const byId = new Map(nodes.map((node) => [node.node_id, node]))
  const way: string[] = []
  for (let current = byId.get(id); current?.parent_node_id; current = byId.get(current.parent_node_id))
    way.unshift(ideaText(current.idea_path))
  return way.length === 0 ? 'the root' : way.join(' → ')
}
