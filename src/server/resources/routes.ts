// All routes. OpenAPI, the types of the client, the docs page and the tests that attack every route follow from them.
import type * as z from 'zod'
import { claimRoutes } from './claims.ts'
import { parallelRoutes } from './parallel-execution.ts'
import { parallelTestRoutes } from './parallel-test.ts'
import { planRoutes } from './plans.ts'
import { projectRoutes } from './projects.ts'
import type { Route } from './route.ts'
import type { RouteName } from './route-paths.ts'
import { runHistoryRoutes } from './run-progress-and-spending.ts'
import { runRoutes } from './runs.ts'
import { searchRoutes } from './searches.ts'
import { serverRoutes } from './server-and-tokens.ts'
import { suiteRoutes } from './suites.ts'
import { taskRoutes } from './tasks.ts'

export const ROUTES = {
  ...serverRoutes,
  ...projectRoutes,
  ...planRoutes,
  ...runRoutes,
  ...runHistoryRoutes,
  ...taskRoutes,
  ...suiteRoutes,
  ...searchRoutes,
  ...claimRoutes,
  ...parallelRoutes,
  ...parallelTestRoutes,
} satisfies Record<RouteName, Route>

type Routes = typeof ROUTES

/** The input of a client's call. */
export type Given<Name extends RouteName> = z.input<Routes[Name]['input']>
/** The answer to a client's call: JSON, or text. */
export type Answer<Name extends RouteName> = Routes[Name]['answer'] extends z.ZodType
  ? z.output<Routes[Name]['answer']>
  : string
