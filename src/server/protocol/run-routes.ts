// Runs, from their start to what landed.
import * as z from 'zod'
import type { LandedRun } from '../../engine/deliver/land-run.ts'
import type { PushedBranch } from '../../engine/deliver/push-or-pull-request.ts'
import type { Trace } from '../../engine/query/trace.ts'
import { eventSchema } from '../../event.ts'
import type { Summary } from '../../reports/summary.ts'
import { RUN_KINDS, RUN_STATUSES } from '../../status.ts'
import type { Plan } from '../../task.ts'
import { spending } from '../../usage-schema.ts'
import { budgetsView, runInList, runNow, taskView } from '../../view.ts'
import { ofProject, ofRun, planInput, planSource, runSettings, slots, started } from './inputs.ts'
import { page, pageInput, type RouteShape } from './route.ts'
import { shape } from './shape.ts'

const delivered = z
  .enum(['to-engine', 'carried-out', 'recorded'])
  .describe(
    'to-engine: it does it now. carried-out: no engine was there, so it was done here. recorded: the next resume does it',
  )

/** Names of the user's own branches and remotes: no option of git, and no more than git allows. */
const gitName = z
  .string()
  .max(250)
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_./+@-]*$/)

const nextStep = z.object({ kind: z.string(), command: z.string(), what: z.string() })

export const runRoutes = {
  'runs.list': {
    scope: 'read',
    summary: 'Runs, the newest first',
    input: z.object({
      ...ofProject,
      ...pageInput(500),
      status: z.enum(RUN_STATUSES).optional(),
      kind: z.enum(RUN_KINDS).optional(),
    }),
    answer: page(runInList),
  },
  'runs.start': {
    scope: 'run',
    summary: 'Start a run of a plan (`espalier run`); answers when the run is in the journal',
    input: z.object({
      ...ofProject,
      ...planSource,
      ...runSettings,
      base: z.string().min(1).max(250).regex(/^[^-]/).optional().describe('the commit to start from'),
      dirty: z.literal(true).optional().describe('start from the checkout as it is, uncommitted changes included'),
      schedule: z.enum(['eager', 'waves']).optional(),
      new: z.literal(true).optional().describe('although the last run of this plan was interrupted'),
    }),
    answer: started,
    status: 201,
    large: true,
  },
  'runs.get': {
    scope: 'read',
    summary: 'How a run stands, without its tasks: cheap, also on a large run',
    input: z.object(ofRun),
    answer: runNow,
  },
  'runs.next': {
    scope: 'read',
    summary: 'What a person would do next, the most urgent first, and which of their branches has all that landed',
    input: z.object(ofRun),
    answer: z.object({ landedOn: z.string().nullable(), nextSteps: z.array(nextStep) }),
  },
  'runs.change': {
    scope: 'run',
    summary: 'Change how many tasks run at the same time, while it runs',
    input: z.object({ ...ofRun, maxConcurrency: slots }),
    answer: z.object({ run: z.string(), maxConcurrency: z.number(), delivered }),
  },
  'runs.resume': {
    scope: 'run',
    summary: 'Continue a run (`espalier resume`)',
    input: z.object({
      ...ofRun,
      ...runSettings,
      replan: z.union([z.literal(true), planInput.unwrap()]).optional(),
    }),
    answer: started,
    status: 202,
    large: true,
  },
  'runs.retry': {
    scope: 'run',
    summary: 'Try again what did not succeed (`espalier retry`)',
    input: z.object({
      ...ofRun,
      ...runSettings,
      tasks: z.array(z.string().min(1).max(200).regex(/^[^-]/)).max(1_000).optional().describe('default: all of it'),
      replan: z.union([z.literal(true), planInput.unwrap()]).optional(),
    }),
    answer: started,
    status: 202,
    large: true,
  },
  'runs.cancel': {
    scope: 'run',
    summary: 'Cancel a run: its agents are stopped, their work is kept',
    input: z.object(ofRun),
    answer: z.object({ run: z.string(), task: z.string().nullable(), delivered, again: z.boolean() }),
    status: 202,
  },
  'runs.changes': {
    scope: 'read',
    summary: 'The run and the tasks that have changed in it: for whoever shows all of it and follows its events',
    input: z.object({
      ...ofRun,
      after: z
        .number()
        .int()
        .min(0)
        .optional()
        .describe('`cursor` of the last answer; without: all tasks, in plan order'),
    }),
    answer: z.object({ cursor: z.number(), run: runNow, tasks: z.array(taskView) }),
  },
  'runs.plan': {
    scope: 'read',
    summary: 'The plan of a run as it is now: tasks with needs, claims, prompts, estimates',
    input: z.object(ofRun),
    answer: shape<Plan>('name, objective, epics and tasks'),
  },
  'runs.events': {
    scope: 'read',
    summary: 'The journal of a run, a page of it; `/api/events` has it live',
    input: z.object({
      ...ofRun,
      after: z.number().int().min(0).default(0).describe('the sequence number of the last event you have'),
      limit: z.number().int().min(1).max(5_000).default(500),
    }),
    answer: z.object({
      items: z.array(z.intersection(eventSchema, z.object({ seq: z.number(), at: z.number() }))),
      next: z.number().nullable(),
    }),
  },
  'runs.spending': {
    scope: 'read',
    summary: 'Tokens and money by task, epic, agent and model, and over time; what did not land apart; the budget',
    input: z.object(ofRun),
    answer: spending.extend({
      budgets: budgetsView.nullable().describe('null: nobody set one'),
      overTime: z
        .array(z.object({ at: z.number(), costUsd: z.number() }))
        .describe('what had been spent in all by then, in US dollars'),
    }),
  },
  'runs.summary': {
    scope: 'read',
    summary: 'The report of a run as data: verdict, figures, what went wrong, and its tables',
    input: z.object(ofRun),
    answer: shape<Summary>('title, figures, failures, sections, …'),
  },
  'runs.report': {
    scope: 'read',
    summary: 'The report of a run',
    input: z.object({ ...ofRun, format: z.enum(['md', 'json', 'html']).default('md') }),
    answer: ['text/markdown', 'application/json', 'text/html'],
  },
  'runs.trace': {
    scope: 'read',
    summary: 'From an objective to what landed, for a task or a commit',
    input: z.object({ ...ofRun, of: z.string().min(1).max(200).regex(/^[^-]/) }),
    answer: shape<Trace>('commit and tasks, as `espalier trace --json`'),
  },
  'runs.land': {
    scope: 'admin',
    summary: 'Land the result on a branch of the repository (`espalier land`), and push it where a remote is named',
    input: z.object({ ...ofRun, into: gitName.optional(), push: gitName.optional() }),
    answer: shape<LandedRun & { pushed: PushedBranch | null }>('{run, into, commit, how, uncommitted, pushed}'),
  },
} as const satisfies Record<string, RouteShape>
