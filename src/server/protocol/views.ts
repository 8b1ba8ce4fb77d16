// Runs and tasks as the server shows them: the views of the store, unchanged. Their types are in status.ts; here they are as
// schemas, for OpenAPI and for the tests, which read every answer with them.
import * as z from 'zod'
import { BUDGET_SCOPES, BUDGET_SHARES, ON_BUDGET } from '../../budget.ts'
import { diff, failure } from '../../event.ts'
import { modelChoice } from '../../model-choice.ts'
import { session } from '../../session.ts'
import { NOTE_KINDS, OUTCOMES, RUN_KINDS, RUN_STATUSES, TASK_STATUSES } from '../../status.ts'
import { usage } from '../../usage-schema.ts'

const time = z.number().describe('ms since the epoch')
const commit = z.string()
const paths = z.object({ paths: z.array(z.string()), count: z.number() })
const check = z.object({ command: z.string(), durationMs: z.number(), passed: z.boolean() })
const note = z.object({ kind: z.enum(NOTE_KINDS), text: z.string(), details: z.string().optional(), at: time })
const asked = z.object({
  request: z.number().nullable(),
  paths: z.array(z.string()),
  holder: z.string().nullable(),
  at: time,
})

export const attemptView = z.object({
  attempt: z.number(),
  try: z.number().optional(),
  agent: z.string().optional(),
  insteadOf: z.object({ agent: z.string(), until: time }).optional(),
  choice: modelChoice.optional(),
  continues: z.number().optional().describe('the attempt whose work it goes on with'),
  resources: z.record(z.string(), z.array(z.number())).optional(),
  worker: z.string(),
  slot: z.number(),
  base: commit,
  startedAt: time,
  finishedAt: time.nullable(),
  outcome: z.enum(OUTCOMES).nullable(),
  failure: failure.nullable(),
  commit: commit.nullable(),
  diff: diff.nullable(),
  usage: usage.nullable(),
  late: z.boolean().optional(),
  counts: z.boolean().optional(),
  summary: z.string().nullable(),
  session: session.nullish(),
  iterations: z.number().optional(),
  touched: paths.optional(),
  undeclared: paths.optional(),
  flagged: paths.optional(),
  result: z
    .object({
      counts: z.record(z.string(), z.number()).optional(),
      artifacts: z.union([z.string(), z.array(z.string())]).optional(),
      scores: z.record(z.string(), z.number()).optional(),
    })
    .loose()
    .optional(),
  checks: z.array(check).optional(),
  fixes: z.array(z.object({ message: z.string(), paths: z.array(z.string()) })).optional(),
  lessons: z.array(z.string()).optional(),
  notes: z.array(note).optional(),
  asked: z.array(asked).optional(),
})

export const taskView = z.object({
  id: z.string(),
  title: z.string(),
  epic: z.string().nullable(),
  needs: z.array(z.string()),
  status: z.enum(TASK_STATUSES),
  outcome: z.enum(OUTCOMES).nullable(),
  attempts: z.number(),
  queuedAt: time.optional().describe('when it joined the run, where that was later'),
  priority: z.number().optional().describe('where somebody changed it while it ran'),
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
  durationMs: z.number().nullable(),
  landedCommit: commit.nullable(),
  landedAt: time.nullable(),
  failure: failure.nullable(),
  conflict: z.object({ commit, onto: commit }).nullable(),
  retryAt: time.nullable(),
  stalledSince: time.nullable(),
  history: z.array(attemptView),
})

export const runStatus = z.enum(RUN_STATUSES)
export const taskStatus = z.enum(TASK_STATUSES)

const counts = z.object({
  ...(Object.fromEntries(TASK_STATUSES.map((status) => [status, z.number()])) as Record<
    (typeof TASK_STATUSES)[number],
    z.ZodNumber
  >),
  total: z.number(),
})
const budget = z.object({ scope: z.enum(BUDGET_SCOPES), name: z.string(), budgetUsd: z.number(), spentUsd: z.number() })
export const budgets = z.object({
  budgetUsd: z.number().nullable(),
  onReached: z.enum(ON_BUDGET),
  spentUsd: z.number(),
  reached: z.array(budget.extend({ share: z.literal(BUDGET_SHARES) })),
  holding: z.array(budget),
})
export const hold = z.object({ id: z.number(), name: z.string(), glob: z.string(), since: time, until: time })
const verification = z.object({ verification: z.number(), commit, tasks: z.number(), since: time })
export const queue = z.object({
  batch: z.array(z.string()),
  verifying: z.array(verification),
  verifications: z.number(),
  flakes: z.number(),
})
const paused = z.object({
  agent: z.string(),
  until: time,
  why: z.enum(['limited', 'unreachable', 'login', 'broken']),
  needsLogin: z.literal(true).optional(),
  probe: z.string().optional(),
})

export const runSummary = z.object({
  run: z.string(),
  kind: z.enum(RUN_KINDS).optional().describe('only where it is not a plan'),
  name: z.string(),
  status: runStatus,
  resumable: z.boolean(),
  repo: z.string(),
  enginePid: z.number(),
  branch: z.string(),
  base: commit,
  head: commit,
  startedAt: time,
  finishedAt: time.nullable(),
  lastAt: time.optional(),
  idleMs: z.number().optional(),
  slots: z.number(),
  schedule: z.enum(['eager', 'waves']),
  counts,
  usage,
  queue: queue.optional(),
  paused: z.array(paused).optional(),
  holds: z.array(hold).optional(),
  budgets: budgets.optional(),
  planFile: z.string().optional(),
  engine: z.object({ pid: z.number() }).nullable().describe('the engine that works on it now'),
})

export const runView = runSummary.extend({ durationMs: z.number() })

export const nextStep = z.object({ kind: z.string(), command: z.string(), what: z.string() })
