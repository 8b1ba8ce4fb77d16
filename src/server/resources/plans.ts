// Plans before they run. Each is read by a process of its own, because plans are other people's texts; the answers are the output of
// `espalier plan … --json`.
import * as z from 'zod'
import { LIMITS } from '../../config.ts'
import type { EstimatedPlan } from '../../engine/open/estimates.ts'
import { ok } from '../../problem.ts'
import type { PlanOverview } from '../../workloads/analysis/overview.ts'
import type { Simulation } from '../../workloads/analysis/simulate.ts'
import type { LearnedClaims } from '../../workloads/analysis/suggested-claims.ts'
import { flagsOf } from '../engines/espalier-process.ts'
import { type PlanInput, planWords } from '../engines/plan-argument.ts'
import { problemSchema, type Reply } from './refusal.ts'
import { type ProjectCall, projectRoute, shape } from './route.ts'
import { planSource, slots } from './shared-inputs.ts'

const remark = z.object({
  file: z.string(),
  message: z.string(),
  line: z.number().nullish(),
  column: z.number().nullish(),
})

export const planRoutes = {
  'plans.list': projectRoute({
    scope: 'read',
    summary: 'The plan files of the repository, found by what is in them',
    answer: z.object({ items: z.array(z.object({ file: z.string(), title: z.string() })) }),
    handle: async ({ context, project }) => ok({ items: await context.plansIn(project.repo) }),
  }),

  'plans.check': projectRoute({
    scope: 'read',
    summary: 'Check a plan: all problems with their places, the format, what was assumed and ignored',
    input: planSource,
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
    handle: (call) => printed(call, 'check'),
  }),

  'plans.show': projectRoute({
    scope: 'read',
    summary: 'Batches, waves, epics, critical path and times of a plan',
    input: { ...planSource, maxConcurrency: slots.optional() },
    answer: shape<PlanOverview & { done: number; estimates: EstimatedPlan['time']; learnedClaims: LearnedClaims[] }>(
      'batches, waves, epics, criticalPath, … of the plan, as `espalier plan show --json`',
    ),
    large: true,
    handle: (call) => printed(call, 'show', { maxConcurrency: call.input.maxConcurrency }),
  }),

  'plans.simulate': projectRoute({
    scope: 'read',
    summary: 'Time and cost with 1, 2, 4 … workers',
    input: { ...planSource, workers: z.array(slots).min(1).max(LIMITS.simulations).optional() },
    answer: shape<Simulation & { name: string; estimates: Pick<EstimatedPlan, 'time' | 'cost'> }>(
      'rows of {workers, ms, …}, enough, … as `espalier plan simulate --json`',
    ),
    large: true,
    handle: (call) => printed(call, 'simulate', { maxConcurrency: call.input.workers?.join(',') }),
  }),
}

/** The output of the command with `--json`. */
async function printed<T>(
  call: ProjectCall<{ plan?: PlanInput; format?: string | undefined; part?: string | undefined }>,
  command: 'check' | 'show' | 'simulate',
  settings: { maxConcurrency?: number | string | undefined } = {},
): Promise<Reply<T>> {
  const { plan, format, part } = call.input
  const words = await planWords(plan, call)
  if (!words.ok) return words
  const args = ['plan', command, '--json', ...flagsOf({ ...settings, format, part }), ...words.value]
  return call.context.commands.json<T>(args, { cwd: call.project.repo, signal: call.signal() })
}
