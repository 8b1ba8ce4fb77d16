// The views of a project besides its runs, in the order of their tabs: as those of a run (run-views.ts), each given the
// project it is about.
import { type ComponentType, lazy } from 'react'
import { isFile } from '../data/is-file.ts'

export type ProjectViewEntry = {
  name: string
  title: string
  key: string
  Component: ComponentType<{ project: string }>
}

const ALL: readonly ProjectViewEntry[] = [
  { name: 'plan', title: 'Plan', key: 'p', Component: lazy(() => import('./plan/plan-view.tsx')) },
  { name: 'claims', title: 'Claims', key: 'c', Component: lazy(() => import('./claims/claims-view.tsx')) },
  { name: 'suites', title: 'Suites', key: 'u', Component: lazy(() => import('./suites/suites-view.tsx')) },
  { name: 'searches', title: 'Searches', key: 's', Component: lazy(() => import('./search/search-view.tsx')) },
  { name: 'workers', title: 'Workers', key: 'w', Component: lazy(() => import('./workers/workers-view.tsx')) },
]

export const PROJECT_VIEWS: readonly ProjectViewEntry[] = isFile ? [] : ALL
