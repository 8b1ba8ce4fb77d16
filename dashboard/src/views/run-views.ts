// The views of a run, in the order of their tabs. A view is a component that is loaded when it is first shown; it finds the
// run in `useRun()` (views/run/run-context.ts).
import { type ComponentType, lazy } from 'react'

export type RunViewEntry = {
  name: string
  title: string
  /** `g` and this key go there. */
  key: string
  Component: ComponentType
}

export const RUN_VIEWS: readonly RunViewEntry[] = [
  { name: 'graph', title: 'Graph', key: 'g', Component: lazy(() => import('./graph/graph-view.tsx')) },
  { name: 'board', title: 'Board', key: 'b', Component: lazy(() => import('./board/board-view.tsx')) },
  { name: 'timeline', title: 'Timeline', key: 't', Component: lazy(() => import('./timeline/timeline-view.tsx')) },
  { name: 'list', title: 'List', key: 'l', Component: lazy(() => import('./list/list-view.tsx')) },
]
