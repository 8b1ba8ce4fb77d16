// What each route does.
import type { RouteName } from '../protocol/paths.ts'
import type { Handlers } from './call.ts'
import { documentHandlers } from './documents.ts'
import { historyHandlers } from './history.ts'
import { planHandlers } from './plans.ts'
import { projectHandlers } from './project.ts'
import { reportHandlers } from './report.ts'
import { runHandlers } from './runs.ts'
import { searchHandlers } from './searches.ts'
import { serverHandlers } from './server.ts'
import { suiteHandlers } from './suites.ts'
import { taskHandlers } from './tasks.ts'

export const HANDLERS: Handlers<RouteName> = {
  ...serverHandlers,
  ...planHandlers,
  ...runHandlers,
  ...historyHandlers,
  ...reportHandlers,
  ...taskHandlers,
  ...suiteHandlers,
  ...searchHandlers,
  ...projectHandlers,
  ...documentHandlers,
}
