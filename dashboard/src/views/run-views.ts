// The views of a run, in the order of their tabs. A view is a component that is loaded when it is first shown; it finds the
// run in `useRun()` (views/run/run-context.ts).
import { type ComponentType, lazy } from 'react'
import type { PageKind } from '../shared.ts'

type RunViewEntry = {
  name: string
  title: string
  /** `g` and this key go there. */
  key: string
  /** The pages without a server that have it. */
  pages: readonly PageKind[]
  Component: ComponentType
}

const RUNS: readonly PageKind[] = ['run', 'suite', 'search']
const ALL: readonly PageKind[] = [...RUNS, 'plan', 'simulation']

const VIEWS: readonly RunViewEntry[] = [
  view('graph', 'Graph', 'g', () => import('./graph/graph-view.tsx'), ALL),
  view('board', 'Board', 'b', () => import('./board/board-view.tsx'), RUNS),
  view('timeline', 'Timeline', 't', () => import('./timeline/timeline-view.tsx'), [...RUNS, 'simulation']),
  view('list', 'List', 'l', () => import('./list/list-view.tsx'), ALL),
  view('summary', 'Report', 'r', () => import('./summary/summary-view.tsx'), ALL),
  view('landing', 'Landing', 'q', () => import('./queue/queue-view.tsx'), []),
  view('spending', 'Spending', 's', () => import('./spending/spending-view.tsx'), []),
  view('trace', 'Trace', 'e', () => import('./trace/trace-view.tsx'), []),
]

/** `page`: null on a server. */
export function runViews(page: PageKind | null): readonly RunViewEntry[] {
  return page === null ? VIEWS : VIEWS.filter(({ pages }) => pages.includes(page))
}

function view(
  name: string,
  title: string,
  key: string,
  load: () => Promise<{ default: ComponentType }>,
  pages: readonly PageKind[],
): RunViewEntry {
  return { name, title, key, pages, Component: lazy(load) }
}
