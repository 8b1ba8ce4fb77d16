// Runs. Reads come from views, changes are requests in the store, and starting a run starts an engine.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { readLandedOn } from '../../engine/deliver/is-run-in-checkout.ts'
import { findRemote, type LandedRun, landRun, type PushedBranch, pushBranch } from '../../engine/deliver/land-run.ts'
import { readDoneSince } from '../../engine/history/landed-tasks.ts'
import { type Trace, trace } from '../../engine/query/origin-of-work.ts'
import { requestCancel, requestSlots } from '../../engine/requests/change-run.ts'
import { eventSchema } from '../../event.ts'
import { nextSteps } from '../../facts/next-steps.ts'
import { mapped, ok } from '../../problem.ts'
import { readSummaryOf, report } from '../../reports/report.ts'
import type { Summary } from '../../reports/summary.ts'
import { RUN_KINDS, RUN_STATUSES } from '../../status.ts'
import type { Plan } from '../../task.ts'
import { runInList, runNow, taskView } from '../../view.ts'
import { listRuns, readChanges, readEvents, readKnownRun, readPlanOf } from '../../workspace/read-runs.ts'
import type { FlagValues } from '../engines/espalier-process.ts'
import { planArgument, planWords } from '../engines/plan-argument.ts'
import { startEngine } from '../engines/start.ts'
import { refusal } from './refusal.ts'
import { page, pageInput, pageOf, projectRoute, type RunCall, runRoute, shape } from './route.ts'
import {
  cancelled,
  commit,
  delivered,
  planInput,
  planSource,
  runSettings,
  slots,
  started,
  whole,
} from './shared-inputs.ts'

/** A branch or remote of the user, never an option of git. */
const gitName = z
  .string()
  .max(250)
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_./+@-]*$/)

const replan = z.union([z.literal(true), planInput.unwrap()]).optional()

export const runRoutes = {
  'runs.list': projectRoute({
    scope: 'read',
    summary: 'Runs, the newest first',
    input: { ...pageInput(500), status: z.enum(RUN_STATUSES).optional(), kind: z.enum(RUN_KINDS).optional() },
    answer: page(runInList),
    handle: async ({ workspace, input }) => {
      const { status = null, kind = null } = input
      return mapped(await listRuns(workspace), (runs) => {
        const wanted = runs.filter(
          (run) => (status ?? run.status) === run.status && (kind ?? run.kind ?? 'plan') === (run.kind ?? 'plan'),
        )
        return pageOf(wanted, ({ run }) => run, input)
      })
    },
  }),

  'runs.start': projectRoute({
    scope: 'run',
    summary: 'Start a run of a plan (`espalier run`); answers when the run is in the journal',
    input: {
      ...planSource,
      ...runSettings,
      base: commit.optional().describe('the commit to start from'),
      dirty: z.literal(true).optional().describe('start from the checkout as it is, uncommitted changes included'),
      schedule: z.enum(['eager', 'waves']).optional(),
      new: z.literal(true).optional().describe('although the last run of this plan was interrupted'),
    },
    answer: started,
    status: 201,
    large: true,
    handle: async (call) => {
      const { project: _, plan, ...settings } = call.input
      return startEngine(call, ['run'], settings, await planWords(plan, call))
    },
  }),

  'runs.get': runRoute({
    scope: 'read',
    summary: 'How a run stands, without its tasks: cheap, also on a large run',
    answer: runNow,
    handle: async ({ run }) => ok(run),
  }),

  'runs.next': runRoute({
    scope: 'read',
    summary: 'What a person would do next, the most urgent first, and which of their branches has all that landed',
    answer: z.object({
      landedOn: z.string().nullable(),
      nextSteps: z.array(z.object({ kind: z.string(), command: z.string(), what: z.string() })),
    }),
    handle: async ({ workspace, input: { run } }) => {
      const found = await readKnownRun(workspace, { run })
      if (!found.ok) return found
      const view = found.value
      const landedOn = view.engine ? null : await readLandedOn(workspace, view)
      const landedSince = view.engine ? new Map<string, string>() : await readDoneSince(workspace, view)
      return ok({ landedOn, nextSteps: nextSteps(view, { landedOn, landedSince }) })
    },
  }),

  'runs.change': runRoute({
    scope: 'run',
    summary: 'Change how many tasks run at the same time, while it runs',
    input: { maxConcurrency: slots },
    answer: z.object({ run: z.string(), maxConcurrency: z.number(), delivered }),
    handle: ({ workspace, input: { run, maxConcurrency } }) => requestSlots(workspace, { run, slots: maxConcurrency }),
  }),

  'runs.resume': runRoute({
    scope: 'run',
    summary: 'Continue a run (`espalier resume`)',
    input: { ...runSettings, replan },
    answer: started,
    status: 202,
    large: true,
    handle: (call) => {
      const { project: _, run, replan, ...settings } = call.input
      return continueRun(call, ['resume'], settings, replan, [run])
    },
  }),

  'runs.retry': runRoute({
    scope: 'run',
    summary: 'Try again what did not succeed (`espalier retry`)',
    input: {
      ...runSettings,
      tasks: z.array(z.string().min(1).max(200).regex(/^[^-]/)).max(1_000).optional().describe('default: all of it'),
      replan,
    },
    answer: started,
    status: 202,
    large: true,
    handle: (call) => {
      const { project: _, replan, tasks = [], ...settings } = call.input
      return continueRun(call, ['retry'], settings, replan, tasks)
    },
  }),

  'runs.cancel': runRoute({
    scope: 'run',
    summary: 'Cancel a run: its agents are stopped, their work is kept',
    answer: cancelled,
    status: 202,
    handle: ({ workspace, input: { run } }) => requestCancel(workspace, { run }),
  }),

  'runs.changes': runRoute({
    scope: 'read',
    summary: 'The run and the tasks that have changed in it: for whoever shows all of it and follows its events',
    input: {
      after: whole(0).optional().describe('`cursor` of the last answer; without: all tasks, in plan order'),
    },
    answer: z.object({ cursor: z.number(), run: runNow, tasks: z.array(taskView) }),
    handle: async ({ workspace, run, input: { after = null } }) =>
      mapped(await readChanges(workspace, { run: run.run, after }), (changes) => ({ ...changes, run })),
  }),

  'runs.plan': runRoute({
    scope: 'read',
    summary: 'The plan of a run as it is now: tasks with needs, claims, prompts, estimates',
    answer: shape<Plan>('name, objective, epics and tasks'),
    handle: async ({ workspace, input: { run } }) => {
      const plan = await readPlanOf(workspace, { run })
      if (!plan.ok) return plan
      return plan.value ? ok(plan.value) : refusal('not-found', `the plan of run ${run} is gone`)
    },
  }),

  'runs.events': runRoute({
    scope: 'read',
    summary: 'The journal of a run, a page of it; `/api/events` has it live',
    input: {
      after: whole(0).default(0).describe('the sequence number of the last event you have'),
      limit: whole(1, 5_000).default(500),
    },
    answer: z.object({
      items: z.array(z.intersection(eventSchema, z.object({ seq: z.number(), at: z.number() }))),
      next: z.number().nullable(),
    }),
    handle: async ({ workspace, input: { run, after, limit } }) =>
      mapped(await readEvents(workspace, { run, after, atMost: limit + 1 }), (events) => {
        const items = events.slice(0, limit)
        return { items, next: events.length > limit ? (items.at(-1)?.seq ?? null) : null }
      }),
  }),

  'runs.summary': runRoute({
    scope: 'read',
    summary: 'The report of a run as data: verdict, figures, what went wrong, and its tables',
    answer: shape<Summary>('title, figures, failures, sections, …'),
    handle: ({ workspace, input: { run } }) => readSummaryOf(workspace, { run }),
  }),

  'runs.report': runRoute({
    scope: 'read',
    summary: 'The report of a run',
    input: { format: z.enum(['md', 'json', 'html']).default('md') },
    answer: ['text/markdown', 'application/json', 'text/html'],
    handle: async ({ workspace, context, input: { run, format } }) => {
      if (format === 'html') {
        const app = context.app()
        if (app === null) return refusal('refused', 'the web app is not built yet: `espalier ui` builds it once')
        const template = await readFile(join(app, 'report.html'), 'utf8')
        return mapped(await context.htmlReport(workspace, { run, template }), ({ text }) => ({
          type: 'text/html',
          body: text,
        }))
      }
      const type = { md: 'text/markdown', json: 'application/json' }[format]
      return mapped(await report(workspace, { run, format }), ({ text }) => ({ type, body: text }))
    },
  }),

  'runs.trace': runRoute({
    scope: 'read',
    summary: 'From an objective to what landed, for a task or a commit',
    input: { of: z.string().min(1).max(200).regex(/^[^-]/) },
    answer: shape<Trace>('commit and tasks, as `espalier trace --json`'),
    handle: ({ workspace, input: { run, of } }) => trace(workspace, { run, of }),
  }),

  'runs.land': runRoute({
    scope: 'admin',
    summary: 'Land the result on a branch of the repository (`espalier land`), and push it where a remote is named',
    input: { into: gitName.optional(), push: gitName.optional() },
    answer: shape<LandedRun & { pushed: PushedBranch | null }>('{run, into, commit, how, uncommitted, pushed}'),
    handle: async ({ workspace, input: { run, into, push } }) => {
      const remote = push === undefined ? ok(null) : await findRemote(workspace, { remote: push })
      if (!remote.ok) return remote
      const landed = await landRun(workspace, { run, into })
      if (!landed.ok || push === undefined) return mapped(landed, (value) => ({ ...value, pushed: null }))
      const pushed = await pushBranch(workspace, { remote: push, branch: landed.value.into })
      return mapped(pushed, (branch) => ({ ...landed.value, pushed: branch }))
    },
  }),
}

async function continueRun(
  call: RunCall,
  command: string[],
  settings: FlagValues,
  plan: z.output<typeof replan>,
  words: readonly string[],
) {
  const file = await planArgument(plan === true ? undefined : plan, call)
  if (!file.ok) return file
  return startEngine(call, command, { ...settings, replan: plan && (file.value ?? true) }, ok(['--', ...words]))
}
