// Plans, before they run. What these answer is what `espalier plan … --json` prints.
import * as z from 'zod'
import { LIMITS } from '../../config.ts'
import type { EstimateOrigins, TimeOrigins } from '../../engine/open/estimates.ts'
import type { PlanOverview } from '../../workloads/analysis/overview.ts'
import type { Simulation } from '../../workloads/analysis/simulate.ts'
import type { LearnedClaims } from '../../workloads/analysis/suggested-claims.ts'
import { ofProject, planSource } from './inputs.ts'
import { problemSchema } from './refusal.ts'
import type { RouteShape } from './route.ts'
import { shape } from './shape.ts'

const remark = z.object({
  file: z.string(),
  message: z.string(),
  line: z.number().nullish(),
  column: z.number().nullish(),
})

export const planRoutes = {
  'plans.list': {
    scope: 'read',
    summary: 'The plan files of the repository, found by what is in them',
    input: z.object(ofProject),
    answer: z.object({ items: z.array(z.object({ file: z.string(), title: z.string() })) }),
  },
  'plans.check': {
    scope: 'read',
    summary: 'Check a plan: all problems with their places, the format, what was assumed and ignored',
    input: z.object({ ...ofProject, ...planSource }),
    answer: z.object({
      ok: z.boolean(),
      problems: z.array(problemSchema),
      format: z.string().optional(),
      tasks: z.number().optional(),
      done: z.number().optional(),
      skipped: z.array(z.string()).optional(),
      assumed: z.array(remark).optional(),
      ignored: z.array(remark).optional(),
    }),
    large: true,
  },
  'plans.show': {
    scope: 'read',
    summary: 'Batches, waves, epics, critical path and times of a plan',
    input: z.object({
      ...ofProject,
      ...planSource,
      maxConcurrency: z.number().int().min(1).max(LIMITS.slots).optional(),
    }),
    answer: shape<PlanOverview & { done: number; estimates: TimeOrigins; learnedClaims: LearnedClaims[] }>(
      'batches, waves, epics, criticalPath, … of the plan, as `espalier plan show --json`',
    ),
    large: true,
  },
  'plans.simulate': {
    scope: 'read',
    summary: 'Time and cost with 1, 2, 4 … workers',
    input: z.object({
      ...ofProject,
      ...planSource,
      workers: z.array(z.number().int().min(1).max(LIMITS.slots)).min(1).max(LIMITS.simulations).optional(),
    }),
    answer: shape<Simulation & { name: string; estimates: { time: TimeOrigins; cost: EstimateOrigins } }>(
      'rows of {workers, ms, …}, enough, … as `espalier plan simulate --json`',
    ),
    large: true,
  },
} as const satisfies Record<string, RouteShape>
