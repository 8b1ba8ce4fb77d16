// What each route does.
import type { RouteName } from '../protocol/paths.ts'
import type { Handlers } from './call.ts'
import { documentHandlers } from './documents.ts'
import { planHandlers } from './plans.ts'
import { projectHandlers } from './project.ts'
import { runHandlers } from './runs.ts'
import { serverHandlers } from './server.ts'
import { taskHandlers } from './tasks.ts'

export const HANDLERS: Handlers<RouteName> = {
  ...serverHandlers,
  ...planHandlers,
  ...runHandlers,
  ...taskHandlers,
  ...projectHandlers,
  ...documentHandlers,
}
