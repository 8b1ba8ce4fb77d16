// The routes of the requirement documents, with their names and shapes: `parallel/` of 001 (4.7, 4.9) and `parallel-test/`
// of 004. They are views of the same runs: a project has one run at work, and a session of tests is a run.
import * as z from 'zod'
import { LIMITS } from '../../config.ts'
import { ofProject, planInput, slots } from './inputs.ts'
import type { RouteShape } from './route.ts'

const seconds = z.number().describe('seconds')

const batch = z.object({
  batch_number: z.number().int().describe('from 0'),
  task_ids: z.array(z.string()),
  status: z.enum(['pending', 'running', 'completed', 'failed']),
  total: z.number(),
  completed: z.number(),
  failed: z.array(z.object({ task_id: z.string(), error: z.string() })),
  duration: seconds,
  cost: z.number().describe('US dollars'),
})

const session = { session: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}\.[a-z0-9][a-z0-9-]{0,62}$/) }
const sessionStatus = z.enum(['RUNNING', 'COMPLETE', 'FAILED'])

export const documentRoutes = {
  'parallel.start': {
    scope: 'run',
    summary: 'Start parallel execution of the plan of a project, batch by batch',
    input: z.object({
      ...ofProject,
      max_concurrency: slots.default(3),
      plan: planInput,
    }),
    answer: z.object({ run: z.string(), status: z.literal('started'), max_concurrency: z.number() }),
    status: 201,
    large: true,
  },
  'parallel.status': {
    scope: 'read',
    summary: 'What runs now',
    input: z.object(ofProject),
    answer: z.object({
      running: z.boolean(),
      active_agents: z.number(),
      agents: z.array(
        z.object({
          task_id: z.string(),
          epic_id: z.string().nullable(),
          model: z.string().nullable(),
          duration: seconds,
        }),
      ),
      max_concurrency: z.number(),
    }),
  },
  'parallel.cancel': {
    scope: 'run',
    summary: 'Cancel all running agents; answers with how many there were',
    input: z.object(ofProject),
    answer: z.object({ cancelled: z.number() }),
  },
  'parallel.batches': {
    scope: 'read',
    summary: 'The batches of the newest run',
    input: z.object(ofProject),
    answer: z.object({
      total_batches: z.number(),
      completed_batches: z.number(),
      total_tasks: z.number(),
      completed_tasks: z.number(),
      failed_tasks: batch.shape.failed,
      batch_results: z.array(batch),
      total_duration: seconds,
      total_cost: z.number(),
    }),
  },
  'parallel.batch': {
    scope: 'read',
    summary: 'One of them, counted from 0',
    input: z.object({ ...ofProject, batch: z.number().int().min(0).max(1e6) }),
    answer: batch,
  },
  'parallelTest.start': {
    scope: 'run',
    summary: 'Run test plans in parallel, each in worktrees of its own; nothing lands',
    input: z.object({
      test_plans: z
        .array(z.object({ plan_file: z.string().min(1).max(1_000), batch_range: z.string().max(200).default('all') }))
        .min(1)
        .max(100),
      num_workers: slots.default(3),
      config: z
        .object({
          task_timeout: z
            .number()
            .positive()
            .max(LIMITS.durationMs / 1_000)
            .optional()
            .describe('seconds'),
          max_retries: z.number().int().min(0).max(LIMITS.retries).optional(),
        })
        .default({}),
      project: ofProject.project.optional().describe('default: the only project'),
    }),
    answer: z.object({
      session_id: z.string(),
      status: sessionStatus,
      num_workers: z.number(),
      tests_queued: z.number(),
      estimated_duration_minutes: z.number().nullable(),
    }),
    status: 201,
  },
  'parallelTest.status': {
    scope: 'read',
    summary: 'Progress of a session, and what its workers do',
    input: z.object(session),
    answer: z.object({
      session_id: z.string(),
      status: sessionStatus,
      progress: z.object({
        total: z.number(),
        completed: z.number(),
        running: z.number(),
        pending: z.number(),
        failed: z.number(),
      }),
      workers: z.array(
        z.object({
          worker_id: z.string(),
          status: z.enum(['BUSY', 'FREE']),
          current_test: z.string().nullable(),
          worktree_id: z.string().nullable(),
        }),
      ),
    }),
  },
  'parallelTest.results': {
    scope: 'read',
    summary: 'Results of a session, by test plan',
    input: z.object(session),
    answer: z.object({
      session_id: z.string(),
      status: sessionStatus,
      duration_minutes: z.number(),
      summary: z.object({ total_tests: z.number(), tests_passed: z.number(), tests_failed: z.number() }),
      results: z.array(
        z.object({
          plan_file: z.string(),
          status: sessionStatus,
          tasks_passed: z.number(),
          tasks_failed: z.number(),
          duration_seconds: z.number(),
          report_path: z.string().optional(),
        }),
      ),
    }),
  },
} as const satisfies Record<string, RouteShape>
