// The views of a run, in the order of their tabs. A view is a component that is loaded when it is first shown; it finds the
// run in `useRun()` (views/run/run-context.ts).
import { type ComponentType, lazy } from 'react'
import { isFile } from '../data/is-file.ts'

export type RunViewEntry = {
  name: string
  title: string
  /** `g` and this key go there. */
  key: string
  /** Also of a plan that has not run. */
  isForPlans: boolean
  Component: ComponentType
}

export const RUN_VIEWS: readonly RunViewEntry[] = [
  view('graph', 'Graph', 'g', () => import('./graph/graph-view.tsx'), true),
  view('board', 'Board', 'b', () => import('./board/board-view.tsx')),
  view('timeline', 'Timeline', 't', () => import('./timeline/timeline-view.tsx')),
  view('list', 'List', 'l', () => import('./list/list-view.tsx'), true),
  view('summary', 'Report', 'r', () => import('./summary/summary-view.tsx'), true),
  ...(isFile
    ? []
    : [
        view('landing', 'Landing', 'q', () => import('./queue/queue-view.tsx')),
        view('spending', 'Spending', 's', () => import('./spending/spending-view.tsx')),
        view('trace', 'Trace', 'e', () => import('./trace/trace-view.tsx')),
      ]),
]

function view(
  name: string,
  title: string,
  key: string,
  load: () => Promise<{ default: ComponentType }>,
  isForPlans = false,
): RunViewEntry {
  return { name, title, key, isForPlans, Component: lazy(load) }
}
