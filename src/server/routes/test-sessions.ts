// Sessions of parallel tests: a session is a run, a test plan one of its epics, a worker one of its slots.
import type { RunView, TaskView } from '../../view.ts'
import type { Simulation } from '../../workloads/analysis/simulate.ts'
import { readPlanOf, readRun } from '../../workspace/read-runs.ts'
import type { ServerContext } from '../context.ts'
import { fileInside, planArgument } from '../engines/plan-argument.ts'
import { settingFlags } from '../engines/run-arguments.ts'
import { startEngine } from '../engines/start.ts'
import { sessionPlan, type TestPlan, testId } from '../engines/test-session.ts'
import { endOf } from '../events/batch-events.ts'
import type { Project } from '../projects/projects.ts'
import type { RouteName } from '../protocol/paths.ts'
import { type Call, type Found, findProject, type Handlers } from './call.ts'
import { give, type Refusal, type Reply, refusal, refusedBy } from './reply.ts'

type Names = Extract<RouteName, `parallelTest.${string}`>

export const parallelTestHandlers: Handlers<Names> = {
  'parallelTest.start': async (call) => {
    const project = await onlyProject(call.context, call.input.project)
    if (!project.found) return project.refusal
    return start(call, project.value)
  },

  'parallelTest.status': (call) =>
    withSession(call, async (session, view) => {
      const tests = testsOf(view)
      const states = tests.map(({ tasks }) => stateOf(tasks))
      const busy = view.tasks.filter(({ status }) => status === 'running')
      return give({
        session_id: session,
        status: sessionStatus(view),
        progress: {
          total: tests.length,
          completed: states.filter((state) => state === 'COMPLETE').length,
          running: states.filter((state) => state === 'RUNNING').length,
          pending: states.filter((state) => state === 'PENDING').length,
          failed: states.filter((state) => state === 'FAILED').length,
        },
        workers: Array.from({ length: view.slots }, (_, index) => workerAt(index + 1, busy, tests)),
      })
    }),

  'parallelTest.results': (call) =>
    withSession(call, async (session, view, project) => {
      const results = testsOf(view).map(({ file, tasks }) => resultOf(file, tasks, view, project))
      const passed = results.filter(({ status }) => status === 'COMPLETE').length
      const failed = results.filter(({ status }) => status === 'FAILED').length
      return give({
        session_id: session,
        status: sessionStatus(view),
        duration_minutes: view.durationMs / 60_000,
        summary: { total_tests: results.length, tests_passed: passed, tests_failed: failed },
        results,
      })
    }),
}

async function start(call: Call<'parallelTest.start'>, project: Project): Promise<Reply> {
  const { test_plans, num_workers, config } = call.input
  const plans: TestPlan[] = []
  for (const { plan_file, batch_range } of test_plans) {
    const read = await converted(call, project, plan_file, batch_range)
    if (!read.found) return read.refusal
    plans.push({ file: plan_file, document: read.value })
  }
  const plan = sessionPlan('parallel-test', plans)
  if (plan === null) return refusal('refused', 'one of the plans cannot be made part of a session')
  const text = { text: JSON.stringify(plan, null, 2), name: 'parallel-test.json' }
  const file = await planArgument(text, project.repo, call.context.plansFolder)
  if (!file.ok || file.value === null) return refusal('refused', 'the plan could not be kept')
  const settings = {
    maxConcurrency: num_workers,
    retries: config.max_retries,
    timeoutMs: config.task_timeout === undefined ? undefined : Math.max(1_000, config.task_timeout * 1000),
  }
  const args = ['run', ...settingFlags(settings), '--', file.value]
  const started = await startEngine(project.workspace, args, call.context.environment)
  if (!started.ok) return refusedBy(started.problems)
  const { run } = started.value
  return give({
    session_id: `${project.id}.${run}`,
    status: 'RUNNING',
    num_workers,
    tests_queued: test_plans.length,
    estimated_duration_minutes: await estimatedMinutes(call, project, file.value, num_workers),
  })
}

async function converted(
  { context, signal }: Call<'parallelTest.start'>,
  { workspace, repo }: Project,
  file: string,
  range: string,
): Promise<Found<unknown>> {
  const inside = await fileInside(file, repo)
  if (!inside.ok) return { found: false, refusal: refusedBy(inside.problems) }
  const part = range === 'all' ? [] : [`--part=${range}`]
  const args = ['plan', 'convert', '--json', ...part, '--', inside.value]
  const end = await context.commands.run(args, { cwd: workspace.repo, signal })
  if (end.kind !== 'ended' || end.status !== 0) {
    const said = end.kind === 'ended' ? end.err.trim() : 'it took too long'
    return { found: false, refusal: refusal('refused', `${file} could not be read: ${said}`) }
  }
  return { found: true, value: JSON.parse(end.out) as unknown }
}

/** Null where it cannot be simulated. */
async function estimatedMinutes(
  { context, signal }: Call<'parallelTest.start'>,
  { workspace }: Project,
  file: string,
  workers: number,
): Promise<number | null> {
  const args = ['plan', 'simulate', '--json', `--max-concurrency=${workers}`, '--', file]
  const end = await context.commands.run(args, { cwd: workspace.repo, signal })
  if (end.kind !== 'ended' || end.status !== 0) return null
  const { rows } = JSON.parse(end.out) as Pick<Simulation, 'rows'>
  const ms = rows[0]?.eager.makespanMs
  return ms === undefined ? null : ms / 60_000
}

async function onlyProject(context: ServerContext, id: string | undefined): Promise<Found<Project>> {
  if (id !== undefined) return findProject(context, id)
  const listed = context.projects.list()
  if (!listed.ok) return { found: false, refusal: refusedBy(listed.problems) }
  const [only, ...others] = listed.value
  if (only && others.length === 0) return findProject(context, only.id)
  const said: Refusal = refusal('invalid-request', 'project: there are several projects, or none: name one')
  return { found: false, refusal: said }
}

/** A session is named `project.run`. */
async function withSession(
  { input: { session }, context }: { input: { session: string }; context: ServerContext },
  use: (session: string, view: RunView, project: Project, files: string[]) => Promise<Reply>,
): Promise<Reply> {
  const [id = '', run = ''] = session.split('.')
  const found = await findProject(context, id)
  if (!found.found) return found.refusal
  const view = await readRun(found.value.workspace, { run })
  if (!view.ok) return refusedBy(view.problems)
  if (!view.value) return refusal('not-found', `there is no session ${session}`)
  const plan = await readPlanOf(found.value.workspace, { run })
  const epics = plan.ok ? (plan.value?.epics ?? []) : []
  const files = epics.filter(({ id }, index) => id === testId(index)).map(({ title }) => title)
  if (files.length === 0) return refusal('not-found', `run ${run} is no session of tests`)
  return use(session, withFiles(view.value, files), found.value, files)
}

type Test = { file: string; tasks: TaskView[] }

/** Tasks name their test plan from here on. */
function withFiles(view: RunView, files: readonly string[]): RunView {
  const fileOf = new Map(files.map((file, index) => [testId(index), file]))
  return { ...view, tasks: view.tasks.map((task) => ({ ...task, epic: fileOf.get(task.epic ?? '') ?? task.epic })) }
}

function testsOf({ tasks }: RunView): Test[] {
  return [...Map.groupBy(tasks, ({ epic }) => epic ?? '')].map(([file, mine]) => ({ file, tasks: mine }))
}

function stateOf(tasks: readonly TaskView[]): 'PENDING' | 'RUNNING' | 'COMPLETE' | 'FAILED' {
  if (tasks.every(({ startedAt, finishedAt }) => startedAt === null && finishedAt === null)) return 'PENDING'
  if (tasks.some(({ finishedAt }) => finishedAt === null)) return 'RUNNING'
  return tasks.every((task) => endOf(task) === 'completed') ? 'COMPLETE' : 'FAILED'
}

function sessionStatus({ status, engine, resumable }: RunView): 'RUNNING' | 'COMPLETE' | 'FAILED' {
  if (engine || (status === 'running' && resumable)) return 'RUNNING'
  return status === 'completed' || status === 'failed' ? 'COMPLETE' : 'FAILED'
}

function workerAt(slot: number, busy: readonly TaskView[], tests: readonly Test[]) {
  const task = busy.find(({ history }) => history.at(-1)?.slot === slot)
  const test = task && tests.find(({ tasks }) => tasks.includes(task))
  return {
    worker_id: `worker-${slot}`,
    status: task ? 'BUSY' : 'FREE',
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
