// The views of a project besides its runs, in the order of their tabs: as those of a run (run-views.ts), each given the
// project it is about.
import type { ComponentType } from 'react'

export type ProjectViewEntry = {
  name: string
  title: string
  key: string
  Component: ComponentType<{ project: string }>
}

export const PROJECT_VIEWS: readonly ProjectViewEntry[] = []
