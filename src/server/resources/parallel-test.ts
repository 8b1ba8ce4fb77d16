// `parallel-test/` of document 004: a session of parallel tests is a run, a test plan one of its epics, a worker one of its
// slots.
import { basename } from 'node:path'
import * as z from 'zod'
import { LIMITS } from '../../config.ts'
import { batchResult } from '../../engine/run/batch-progress-events.ts'
import { ok } from '../../problem.ts'
import type { RunView, TaskView } from '../../view.ts'
import type { Simulation } from '../../workloads/analysis/simulate.ts'
import { readPlanOf, readRun } from '../../workspace/read-runs.ts'
import { flagsOf } from '../engines/espalier-process.ts'
import { fileInside, planWords } from '../engines/plan-argument.ts'
import { startEngine } from '../engines/start.ts'
import type { Project } from '../projects/projects.ts'
import { standing } from './parallel-execution.ts'
import { type Reply, refusal, refusalOf } from './refusal.ts'
import { type Call, findProject, onlyProject, route, routesOf } from './route.ts'
import { projectId, slots, whole } from './shared-inputs.ts'

const sessionRoute = routesOf(
  { session: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}\.[a-z0-9][a-z0-9-]{0,62}$/) },
  findSession,
)
const status = z.enum(['RUNNING', 'COMPLETE', 'FAILED'])
type Status = z.infer<typeof status>

const testPlan = z.object({ plan_file: z.string().min(1).max(1_000), batch_range: z.string().max(200).default('all') })
const seconds = z
  .number()
  .positive()
  .max(LIMITS.durationMs / 1_000)
const config = z.object({
  task_timeout: seconds.optional().describe('seconds'),
  max_retries: whole(0, LIMITS.retries).optional(),
})

const startInput = {
  test_plans: z.array(testPlan).min(1).max(100),
  num_workers: slots.default(3),
  config: config.default({}),
  project: projectId.optional().describe('default: the only project'),
}

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

  'parallelTest.status': sessionRoute({
    scope: 'read',
    summary: 'Progress of a session, and what its workers do',
    answer: z.object({
      session_id: z.string(),
      status,
      progress: z.record(z.enum(['total', 'completed', 'running', 'pending', 'failed']), z.number()),
      workers: z.array(
        z.object({
          worker_id: z.string(),
          status: z.enum(['BUSY', 'FREE']),
          current_test: z.string().nullable(),
          worktree_id: z.string().nullable(),
        }),
      ),
    }),
    handle: async ({ input, view, tests }) => {
      const progress = { total: tests.length, completed: 0, running: 0, pending: 0, failed: 0 }
      for (const { status } of tests) progress[status]++
      return ok({
        session_id: input.session,
        status: sessionStatus(view),
        progress,
        workers: Array.from({ length: view.slots }, (_, index) => workerAt(index + 1, tests)),
      })
    },
  }),

  'parallelTest.results': sessionRoute({
    scope: 'read',
    summary: 'Results of a session, by test plan',
    answer: z.object({
      session_id: z.string(),
      status,
      duration_minutes: z.number(),
      summary: z.object({ total_tests: z.number(), tests_passed: z.number(), tests_failed: z.number() }),
      results: z.array(
        z.object({
          plan_file: z.string(),
          status,
          tasks_passed: z.number(),
          tasks_failed: z.number(),
          duration_seconds: z.number(),
          report_path: z.string().optional(),
        }),
      ),
    }),
    handle: async ({ input, view, tests, project }) => {
      const results = tests.map((test) => resultOf(test, `/api/projects/${project.id}/runs/${view.run}/report`))
      const count = (status: Status) => results.filter((result) => result.status === status).length
      return ok({
        session_id: input.session,
        status: sessionStatus(view),
        duration_minutes: view.durationMs / 60_000,
        summary: { total_tests: results.length, tests_passed: count('COMPLETE'), tests_failed: count('FAILED') },
        results,
      })
    },
  }),
}

type StartCall = Call<z.output<z.ZodObject<typeof startInput>>>

async function start(call: StartCall, project: Project) {
  const { test_plans, num_workers, config } = call.input
  const plan = { name: 'parallel-test', epics: [] as object[], tasks: [] as object[] }
  for (const [index, { plan_file, batch_range }] of test_plans.entries()) {
    const read = await planIn(call, project, plan_file, batch_range)
    if (!read.ok) return read
    const id = testId(index)
    plan.epics.push({ id, title: plan_file, isolation: 'epic' })
    plan.tasks.push(...inEpic(id, read.value))
  }
  const text = { text: JSON.stringify(plan, null, 2), name: 'parallel-test.json' }
  const words = await planWords(text, { project, context: call.context })
  if (!words.ok) return words
  const settings = {
    maxConcurrency: num_workers,
    retries: config.max_retries,
    timeoutMs: config.task_timeout === undefined ? undefined : Math.max(1_000, config.task_timeout * 1000),
  }
  const started = await startEngine({ project, context: call.context }, ['run'], settings, words)
  if (!started.ok) return started
  return ok({
    session_id: `${project.id}.${started.value.run}`,
    status: 'RUNNING' as const,
    num_workers,
    tests_queued: test_plans.length,
    estimated_duration_minutes: await estimatedMinutes(call, project, words.value, num_workers),
  })
}

async function planIn(
  { context, signal }: StartCall,
  { repo }: Project,
  file: string,
  range: string,
): Promise<Reply<z.output<typeof converted>>> {
  const inside = await fileInside(file, repo)
  if (!inside.ok) return inside
  const part = range === 'all' ? [] : flagsOf({ part: range })
  const args = ['plan', 'convert', '--json', ...part, '--', inside.value]
  const plan = await context.commands.json(args, { cwd: repo, signal: signal() })
  if (!plan.ok) return refusal('refused', `${file} could not be read: ${refusalOf(plan).detail}`)
  const read = converted.safeParse(plan.value)
  return read.success ? ok(read.data) : refusal('refused', `${file} cannot be made part of a session`)
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

/** `file`: its test plan. */
type Test = ReturnType<typeof standing> & { file: string; tasks: TaskView[] }

async function findSession({
  context,
  input: { session },
}: Call<{ session: string }>): Promise<Reply<{ view: RunView; tests: Test[]; project: Project }>> {
  const [id = '', run = ''] = session.split('.')
  const project = await findProject(context, id)
  if (!project.ok) return project
  const { workspace } = project.value
  const view = await readRun(workspace, { run })
  if (!view.ok) return view
  if (!view.value) return refusal('not-found', `there is no session ${session}`)
  const plan = await readPlanOf(workspace, { run })
  const epics = (plan.ok && plan.value?.epics) || []
  const tasksOf = Map.groupBy(view.value.tasks, ({ epic }) => epic)
  const tests = epics
    .filter(({ id }, index) => id === testId(index))
    .map(({ id, title }) => ({ file: title, tasks: tasksOf.get(id) ?? [], ...standing(tasksOf.get(id) ?? []) }))
  if (tests.length === 0) return refusal('not-found', `run ${run} is no session of tests`)
  return ok({ view: view.value, tests, project: project.value })
}

function sessionStatus({ status, engine, resumable }: RunView): Status {
  if (engine || (status === 'running' && resumable)) return 'RUNNING'
  return status === 'completed' || status === 'failed' ? 'COMPLETE' : 'FAILED'
}

function workerAt(slot: number, tests: readonly Test[]) {
  const isHere = ({ status, history }: TaskView) => status === 'running' && history.at(-1)?.slot === slot
  const test = tests.find(({ tasks }) => tasks.some(isHere))
  return {
    worker_id: `worker-${slot}`,
    status: test ? ('BUSY' as const) : ('FREE' as const),
    current_test: test ? basename(test.file) : null,
    worktree_id: test ? `wt-${slot}` : null,
  }
}

function resultOf({ file, tasks, status, seconds }: Test, report: string) {
  const { completed, failed } = batchResult(0, tasks, seconds)
  return {
    plan_file: basename(file),
    status: STATUS_OF_TEST[status],
    tasks_passed: completed,
    tasks_failed: failed.length,
    duration_seconds: seconds,
    ...(failed.length > 0 ? { report_path: report } : {}),
  }
}

const STATUS_OF_TEST = { pending: 'RUNNING', running: 'RUNNING', completed: 'COMPLETE', failed: 'FAILED' } as const

const ids = z.union([z.string().transform((id) => [id]), z.array(z.string())]).default([])
/** A plan as `plan convert --json` prints it. */
const converted = z.object({
  epics: z.array(z.object({ id: z.string(), needs: ids })).default([]),
  tasks: z.array(z.looseObject({ id: z.string(), epic: z.string().optional(), needs: ids, after: ids })),
})

/** The tasks of a plan as those of one epic: they share a worktree, and none of their work lands. */
function inEpic(epic: string, { epics, tasks }: z.output<typeof converted>): object[] {
  const tasksOf = (one: string) => tasks.filter((task) => task.epic === one).map(({ id }) => id)
  const neededBy = new Map(epics.map(({ id, needs }) => [id, needs.flatMap(tasksOf)]))
  // Ids have at most 63 characters.
  const renamed = (id: string) => `${epic}-${id}`.slice(0, 63)
  return tasks.map(({ id, epic: own = '', needs, after, ...rest }) => {
    const all = new Set([...needs, ...(neededBy.get(own) ?? [])])
    const order = { needs: [...all].map(renamed), after: after.map(renamed) }
    return { ...rest, id: renamed(id), epic, ...order, land: false }
  })
}

/** The id of the epic of a test plan. */
function testId(index: number): string {
  return `test-${index + 1}`
}
