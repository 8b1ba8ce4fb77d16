// Plans, before they run. What these answer is what `espalier plan … --json` prints.
import * as z from 'zod'
import { LIMITS } from '../../config.ts'
import type { EstimateOrigins, TimeOrigins } from '../../engine/open/estimates.ts'
import type { PlanOverview } from '../../workloads/analysis/overview.ts'
import type { Simulation } from '../../workloads/analysis/simulate.ts'
import type { LearnedClaims } from '../../workloads/analysis/suggested-claims.ts'
import { ofProject, planInput, planSource, runSettings } from './inputs.ts'
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
  'plans.convert': {
    scope: 'read',
    summary: "The open tasks of a plan in Espalier's own format",
    input: z.object({ ...ofProject, ...planSource, as: z.enum(['yaml', 'json']).default('yaml') }),
    answer: ['application/yaml', 'application/json'],
    large: true,
  },
  'plans.make': {
    scope: 'run',
    summary: 'Let an agent write a plan for an objective, or make one of a text (`espalier plan new`); takes minutes',
    input: z.object({
      ...ofProject,
      objective: z.string().min(1).max(100_000).optional(),
      plan: planInput.describe('what it is to make a plan of, instead of an objective'),
      agent: runSettings.agent,
      command: runSettings.command,
      model: z.string().min(1).max(200).optional(),
      timeoutMs: runSettings.timeoutMs,
      budgetUsd: z.number().positive().max(1e9).optional(),
    }),
    answer: z.object({ job: z.string() }),
    status: 202,
    starts: true,
    large: true,
  },
  'plans.made': {
    scope: 'read',
    summary: 'What became of it: the text of the plan, or why there is none',
    input: z.object({ ...ofProject, job: z.string().regex(/^[0-9a-f]{16}$/) }),
    answer: z.object({
      job: z.string(),
      status: z.enum(['running', 'done', 'failed']),
      objective: z.string(),
      startedAt: z.number(),
      plan: z.string().nullable(),
      rejected: z.string().nullable().describe('what the agent wrote, where that has problems'),
      problems: z.array(problemSchema),
    }),
  },
  'plans.prompt': {
    scope: 'read',
    summary: 'The prompt of the first attempt of a task of a plan',
    input: z.object({ ...ofProject, plan: planSource.plan, task: z.string().min(1).max(200) }),
    answer: ['text/markdown'],
    large: true,
  },
} as const satisfies Record<string, RouteShape>
