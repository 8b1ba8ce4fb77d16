// What the nodes of the graph have in common.
import { createContext, useContext } from 'react'
import type { Folded } from './fold.ts'

export type GraphValue = {
  /** Where the keys are. */
  cursor: string | null
  /** Tasks that were looked for; null: nobody looks. */
  found: ReadonlySet<string> | null
  chain: readonly string[]
  /** The edges along it. */
  hot: ReadonlySet<string>
  groups: Folded['groups']
  /** Folds or unfolds a group. */
  unfold(group: string): void
}

export const GraphContext = createContext<GraphValue>({
  cursor: null,
  found: null,
  chain: [],
  hot: new Set(),
  groups: new Map(),
  unfold: () => {},
})

export function useGraph(): GraphValue {
  return useContext(GraphContext)
}
