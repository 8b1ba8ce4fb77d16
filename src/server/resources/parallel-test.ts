// `parallel-test/` of document 004: a session of parallel tests is a run, a test plan one of its epics, a worker one of its
// slots.
import * as z from 'zod'
import { LIMITS } from '../../config.ts'
import { ok } from '../../problem.ts'
import type { RunView, TaskView } from '../../view.ts'
import type { Simulation } from '../../workloads/analysis/simulate.ts'
import { readPlanOf, readRun } from '../../workspace/read-runs.ts'
import type { ServerContext } from '../context.ts'
import { fileInside, planWords } from '../engines/plan-argument.ts'
import { startEngine } from '../engines/start.ts'
import { sessionPlan, type TestPlan, testId } from '../engines/test-session.ts'
import { endOf } from '../events/batch-events.ts'
import type { Project } from '../projects/projects.ts'
import { flagsOf, projectId, slots } from './inputs.ts'
import { type Reply, refusal, refusalOf } from './refusal.ts'
import { type Call, findProject, onlyProject, route } from './route.ts'

const session = { session: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}\.[a-z0-9][a-z0-9-]{0,62}$/) }
const status = z.enum(['RUNNING', 'COMPLETE', 'FAILED'])
type Status = z.infer<typeof status>

const startInput = {
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
  project: projectId.optional().describe('default: the only project'),
}

const result = z.object({
  plan_file: z.string(),
  status,
  tasks_passed: z.number(),
  tasks_failed: z.number(),
  duration_seconds: z.number(),
  report_path: z.string().optional(),
})

export const parallelTestRoutes = {
  'parallelTest.start': route({
    scope: 'run',
    summary: 'Run test plans in parallel, each in worktrees of its own; nothing lands',
    input: startInput,
    answer: z.object({
      session_id: z.string(),
      status,
      num_workers: z.number(),
      tests_queued: z.number(),
      estimated_duration_minutes: z.number().nullable(),
    }),
    status: 201,
    handle: async (call) => {
      const project = await onlyProject(call.context, call.input.project, 'project')
      return project.ok ? start(call, project.value) : project
    },
  }),

  'parallelTest.status': route({
    scope: 'read',
    summary: 'Progress of a session, and what its workers do',
    input: session,
    answer: z.object({
      session_id: z.string(),
      status,
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
    handle: async ({ context, input }) => {
      const found = await findSession(context, input.session)
      if (!found.ok) return found
      const { view } = found.value
      const tests = testsOf(view)
      const states = tests.map(({ tasks }) => stateOf(tasks))
      const busy = view.tasks.filter(({ status }) => status === 'running')
      const count = (state: (typeof states)[number]) => states.filter((one) => one === state).length
      return ok({
        session_id: input.session,
        status: sessionStatus(view),
        progress: {
          total: tests.length,
          completed: count('COMPLETE'),
          running: count('RUNNING'),
          pending: count('PENDING'),
          failed: count('FAILED'),
        },
        workers: Array.from({ length: view.slots }, (_, index) => workerAt(index + 1, busy, tests)),
      })
    },
  }),

  'parallelTest.results': route({
    scope: 'read',
    summary: 'Results of a session, by test plan',
    input: session,
    answer: z.object({
      session_id: z.string(),
      status,
      duration_minutes: z.number(),
      summary: z.object({ total_tests: z.number(), tests_passed: z.number(), tests_failed: z.number() }),
      results: z.array(result),
    }),
    handle: async ({ context, input }) => {
      const found = await findSession(context, input.session)
      if (!found.ok) return found
      const { view, project } = found.value
      const results = testsOf(view).map(({ file, tasks }) => resultOf(file, tasks, view, project))
      return ok({
        session_id: input.session,
        status: sessionStatus(view),
        duration_minutes: view.durationMs / 60_000,
        summary: {
          total_tests: results.length,
          tests_passed: results.filter(({ status }) => status === 'COMPLETE').length,
          tests_failed: results.filter(({ status }) => status === 'FAILED').length,
        },
        results,
      })
    },
  }),
}

type StartCall = Call<z.output<z.ZodObject<typeof startInput>>>

async function start(call: StartCall, project: Project) {
  const { test_plans, num_workers, config } = call.input
  const plans: TestPlan[] = []
  for (const { plan_file, batch_range } of test_plans) {
    const read = await converted(call, project, plan_file, batch_range)
    if (!read.ok) return read
    plans.push({ file: plan_file, document: read.value })
  }
  const plan = sessionPlan('parallel-test', plans)
  if (plan === null) return refusal('refused', 'one of the plans cannot be made part of a session')
  const text = { text: JSON.stringify(plan, null, 2), name: 'parallel-test.json' }
  const words = await planWords(text, project, call.context)
  if (!words.ok) return words
  const flags = flagsOf({
    maxConcurrency: num_workers,
    retries: config.max_retries,
    timeoutMs: config.task_timeout === undefined ? undefined : Math.max(1_000, config.task_timeout * 1000),
  })
  const started = await startEngine({ project, context: call.context }, ['run'], flags, words.value)
  if (!started.ok) return started
  return ok({
    session_id: `${project.id}.${started.value.run}`,
    status: 'RUNNING' as const,
    num_workers,
    tests_queued: test_plans.length,
    estimated_duration_minutes: await estimatedMinutes(call, project, words.value, num_workers),
  })
}

async function converted(
  { context, signal }: StartCall,
  { repo }: Project,
  file: string,
  range: string,
): Promise<Reply<unknown>> {
  const inside = await fileInside(file, repo)
  if (!inside.ok) return inside
  const part = range === 'all' ? [] : flagsOf({ part: range })
  const args = ['plan', 'convert', '--json', ...part, '--', inside.value]
  const plan = await context.commands.json(args, { cwd: repo, signal: signal() })
  return plan.ok ? plan : refusal('refused', `${file} could not be read: ${refusalOf(plan).detail}`)
}

/** Null: the plan cannot be simulated. */
async function estimatedMinutes(
  { context, signal }: StartCall,
  { repo }: Project,
  words: readonly string[],
  workers: number,
): Promise<number | null> {
  const args = ['plan', 'simulate', '--json', ...flagsOf({ maxConcurrency: workers }), ...words]
  const simulated = await context.commands.json<Pick<Simulation, 'rows'>>(args, { cwd: repo, signal: signal() })
  const ms = simulated.ok ? simulated.value.rows[0]?.eager.makespanMs : undefined
  return ms === undefined ? null : ms / 60_000
}

/** A session is named `project.run`. Its tasks name their test plan instead of their epic. */
async function findSession(
  context: ServerContext,
  session: string,
): Promise<Reply<{ view: RunView; project: Project }>> {
  const [id = '', run = ''] = session.split('.')
  const project = await findProject(context, id)
  if (!project.ok) return project
  const { workspace } = project.value
  const view = await readRun(workspace, { run })
  if (!view.ok) return view
  if (!view.value) return refusal('not-found', `there is no session ${session}`)
  const plan = await readPlanOf(workspace, { run })
  const epics = (plan.ok && plan.value?.epics) || []
  const fileOf = new Map(epics.filter(({ id }, index) => id === testId(index)).map(({ id, title }) => [id, title]))
  if (fileOf.size === 0) return refusal('not-found', `run ${run} is no session of tests`)
  const tasks = view.value.tasks.map((task) => ({ ...task, epic: fileOf.get(task.epic ?? '') ?? task.epic }))
  return ok({ view: { ...view.value, tasks }, project: project.value })
}

type Test = { file: string; tasks: TaskView[] }

function testsOf({ tasks }: RunView): Test[] {
  return [...Map.groupBy(tasks, ({ epic }) => epic ?? '')].map(([file, mine]) => ({ file, tasks: mine }))
}

function stateOf(tasks: readonly TaskView[]): 'PENDING' | 'RUNNING' | 'COMPLETE' | 'FAILED' {
  if (tasks.every(({ startedAt, finishedAt }) => startedAt === null && finishedAt === null)) return 'PENDING'
  if (tasks.some(({ finishedAt }) => finishedAt === null)) return 'RUNNING'
  return tasks.every((task) => endOf(task) === 'completed') ? 'COMPLETE' : 'FAILED'
}

function sessionStatus({ status, engine, resumable }: RunView): Status {
  if (engine || (status === 'running' && resumable)) return 'RUNNING'
  return status === 'completed' || status === 'failed' ? 'COMPLETE' : 'FAILED'
}

function workerAt(slot: number, busy: readonly TaskView[], tests: readonly Test[]) {
  const task = busy.find(({ history }) => history.at(-1)?.slot === slot)
  const test = task && tests.find(({ tasks }) => tasks.includes(task))
  return {
    worker_id: `worker-${slot}`,
    status: task ? ('BUSY' as const) : ('FREE' as const),
    current_test: test?.file.split('/').at(-1) ?? null,
    worktree_id: task ? `wt-${slot}` : null,
  }
}

function resultOf(file: string, tasks: readonly TaskView[], { run }: RunView, project: Project) {
  const state = stateOf(tasks)
  const failed = tasks.filter((task) => task.finishedAt !== null && endOf(task) !== 'completed').length
  const starts = tasks.flatMap(({ startedAt }) => startedAt ?? [])
  const ends = tasks.flatMap(({ finishedAt }) => finishedAt ?? [])
  const [from, to] = [starts.reduce((a, b) => Math.min(a, b), Infinity), ends.reduce((a, b) => Math.max(a, b), 0)]
  return {
    plan_file: file.split('/').at(-1) ?? file,
    status: state === 'PENDING' ? ('RUNNING' as const) : state,
    tasks_passed: tasks.filter((task) => task.finishedAt !== null && endOf(task) === 'completed').length,
    tasks_failed: failed,
    duration_seconds: Math.max(0, to - from) / 1000 || 0,
    ...(failed > 0 ? { report_path: `/api/projects/${project.id}/runs/${run}/report` } : {}),
  }
}
