// The table of routes: every path of paths.ts with what it takes, gives and needs. OpenAPI, the client, the docs page and
// the tests that try every route follow from it.
import type * as z from 'zod'
import { documentRoutes } from './document-routes.ts'
import { historyRoutes } from './history-routes.ts'
import type { RouteName } from './paths.ts'
import { planRoutes } from './plan-routes.ts'
import { projectRoutes } from './project-routes.ts'
import type { RouteShape } from './route.ts'
import { runRoutes } from './run-routes.ts'
import { searchRoutes } from './search-routes.ts'
import { serverRoutes } from './server-routes.ts'
import { suiteRoutes } from './suite-routes.ts'
import { taskRoutes } from './task-routes.ts'

export const ROUTES = {
  ...serverRoutes,
  ...planRoutes,
  ...runRoutes,
  ...historyRoutes,
  ...taskRoutes,
  ...suiteRoutes,
  ...searchRoutes,
  ...projectRoutes,
  ...documentRoutes,
} as const satisfies Record<RouteName, RouteShape>

type Routes = typeof ROUTES

/** What a handler is given: checked, with defaults filled in. */
export type Input<Name extends RouteName> = z.output<Routes[Name]['input']>
/** What a client gives. */
export type Given<Name extends RouteName> = z.input<Routes[Name]['input']>
/** What comes back; text where the route gives text. */
export type Answer<Name extends RouteName> = Routes[Name]['answer'] extends z.ZodType
  ? z.output<Routes[Name]['answer']>
  : string
