// What people look at while a run goes on, and afterwards: what is to come, its landing queue, its landings.
import * as z from 'zod'
import { failure } from '../../event.ts'
import type { QueueFacts } from '../../reports/facts/queue.ts'
import { queueView } from '../../view.ts'
import { ofRun } from './inputs.ts'
import { page, pageInput, type RouteShape } from './route.ts'
import { shape } from './shape.ts'

const time = z.number().describe('ms since the epoch')
const ids = z.array(z.string())

const landing = z.object({ at: time, commit: z.string(), onto: z.string(), tasks: ids })

export const historyRoutes = {
  'runs.forecast': {
    scope: 'read',
    summary:
      'What is to come by the estimates: when each open task will probably start and end, and what the rest will cost',
    input: z.object(ofRun),
    answer: z.object({
      at: time,
      schedule: z.array(z.object({ task: z.string(), worker: z.number(), from: time, to: time })),
      endsAt: time.nullable().describe('null: too many are open to say'),
      costUsd: z.number().nullable(),
      costKnown: z.number().describe('of how many open tasks a cost is known'),
      left: z.number(),
    }),
  },
  'runs.queue': {
    scope: 'read',
    summary:
      'The landing queue: what is merged and verified now, batches with their verdicts, who made one fail, conflicts',
    input: z.object({
      ...ofRun,
      batches: z.number().int().min(1).max(1_000).default(50).describe('so many, the newest'),
    }),
    answer: z.object({
      now: queueView.nullable().describe('null: nothing is verified in this run'),
      waiting: ids.describe('tasks whose work waits to land'),
      facts: shape<QueueFacts | null>('batches, culprits, verifications, cached, halted, flakes, verifyMs'),
      conflicts: z.array(z.object({ task: z.string(), commit: z.string(), onto: z.string(), since: time, paths: ids })),
      refusals: z.array(z.object({ at: time, tasks: ids, failure, retry: z.boolean(), waitsForPerson: z.boolean() })),
    }),
  },
  'runs.landings': {
    scope: 'read',
    summary: 'Every move of the branch, the newest first',
    input: z.object({ ...ofRun, ...pageInput(1_000) }),
    answer: page(landing),
  },
} as const satisfies Record<string, RouteShape>
