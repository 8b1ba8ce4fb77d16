// The views of a project besides its runs, in the order of their tabs: as those of a run (run-views.ts), each given the
// project it is about.
import { type ComponentType, lazy } from 'react'
import type { PageKind } from '../shared.ts'

type ProjectViewEntry = {
  name: string
  title: string
  key: string
  /** The page without a server that has it. */
  page?: PageKind
  Component: ComponentType<{ project: string }>
}

const VIEWS: readonly ProjectViewEntry[] = [
  { name: 'plan', title: 'Plan', key: 'p', Component: lazy(() => import('./plan/plan-view.tsx')) },
  { name: 'claims', title: 'Claims', key: 'c', Component: lazy(() => import('./claims/claims-view.tsx')) },
  {
    name: 'suites',
    title: 'Suites',
    key: 'u',
    page: 'suite',
    Component: lazy(() => import('./suites/suites-view.tsx')),
  },
  {
    name: 'searches',
    title: 'Searches',
    key: 's',
    page: 'search',
    Component: lazy(() => import('./search/search-view.tsx')),
  },
  { name: 'workers', title: 'Workers', key: 'w', Component: lazy(() => import('./workers/workers-view.tsx')) },
]

/** `page`: null on a server. */
export function projectViews(page: PageKind | null): readonly ProjectViewEntry[] {
  return page === null ? VIEWS : VIEWS.filter((view) => view.page === page)
}
