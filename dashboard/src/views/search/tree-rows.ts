// The tree of a search as rows in the order they are shown: under each node what was tried on it, the best first.
import type { EvalEntry, Manifest } from '../../shared.ts'

export type TreeRow = {
  /** Of the eval; `root` of the root. */
  id: string
  level: number
  entry: EvalEntry
  /** The node it became; null: none. */
  node: string | null
  parent: EvalEntry | null
  tried: number
}

export function treeRows({ root, evals, goal }: Manifest): TreeRow[] {
  if (!root) return []
  const children = Map.groupBy(evals, ({ parent_node_id }) => parent_node_id ?? '')
  const sign = goal === 'max' ? -1 : 1
  const rank = ({ score }: EvalEntry) => (score === null ? Number.POSITIVE_INFINITY : sign * score)
  const rows: TreeRow[] = []
  const put = (entry: EvalEntry, node: string | null, level: number, parent: EvalEntry | null) => {
    const tried = node === null ? [] : (children.get(node) ?? [])
    rows.push({ id: entry.eval_id, level, entry, node, parent, tried: tried.length })
    for (const one of tried.toSorted((a, b) => rank(a) - rank(b) || a.eval_id.localeCompare(b.eval_id)))
      put(one, one.node_id, level + 1, entry)
  }
  put(root, 'root', 1, null)
  return rows
}
