// What people look at while a run goes on, and afterwards: its graph, its timeline, its landing queue, what waits for what.
import * as z from 'zod'
import { failure } from '../../event.ts'
import type { Wait } from '../../facts/waits.ts'
import type { QueueFacts } from '../../reports/facts/queue.ts'
import { OUTCOMES } from '../../status.ts'
import { queueView } from '../../view.ts'
import { ofRun } from './inputs.ts'
import { page, pageInput, type RouteShape } from './route.ts'
import { shape } from './shape.ts'

const time = z.number().describe('ms since the epoch')
const ids = z.array(z.string())

const graphTask = z.object({
  id: z.string(),
  title: z.string(),
  epic: z.string().nullable(),
  needs: ids.describe('have to land first'),
  after: ids.describe('have to come to rest first'),
  claims: z.object({ write: ids, read: ids }),
  isolation: z.enum(['task', 'epic']),
  tags: ids,
  priority: z.number(),
  kind: z.enum(['prompt', 'command']),
  agent: z.string().nullable(),
  model: z.string().nullable(),
  estimateMs: z.number().nullable(),
  estimateUsd: z.number().nullable(),
  estimateFrom: z.enum(['plan', 'history']).nullable().describe('where the estimate of its time comes from'),
  depth: z.number().describe('the longest chain of needs before it'),
  wave: z.number().describe('with `schedule: waves`, from 0'),
  rank: z.number().describe('its place in the order of dispatch, from 0'),
  remainingMs: z.number().describe('it and the longest chain of what waits for it, by the estimates'),
  isCritical: z.boolean().describe('it is on the critical path'),
})

const landing = z.object({ at: time, commit: z.string(), onto: z.string(), tasks: ids })

export const historyRoutes = {
  'runs.graph': {
    scope: 'read',
    summary:
      'The graph of a run: tasks with needs, ranks and estimates, epics, the critical path. Statuses are those of its tasks',
    input: z.object(ofRun),
    answer: z.object({
      tasks: z.array(graphTask),
      epics: z.array(z.object({ id: z.string(), title: z.string(), needs: ids, budgetUsd: z.number().nullable() })),
      criticalPath: z.object({ tasks: ids, ms: z.number() }),
      totalMs: z.number(),
    }),
  },
  'runs.timeline': {
    scope: 'read',
    summary: 'What happened when: attempts by slot, verifications, landings, pauses of agents, times without an engine',
    input: z.object({ ...ofRun, since: z.number().min(0).default(0).describe('only what was not over by then') }),
    answer: z.object({
      at: time.describe('of this answer'),
      startedAt: time,
      finishedAt: time.nullable(),
      slots: z
        .array(z.object({ at: time, slots: z.number() }))
        .describe('how many could run at the same time, from then on'),
      attempts: z.array(
        z.object({
          task: z.string(),
          attempt: z.number(),
          slot: z.number(),
          worker: z.string(),
          agent: z.string().nullable(),
          startedAt: time,
          finishedAt: time.nullable(),
          outcome: z.enum(OUTCOMES).nullable(),
          landed: z.boolean(),
        }),
      ),
      verifications: z.array(
        z.object({
          verification: z.number(),
          slot: z.number(),
          commit: z.string(),
          tasks: ids,
          startedAt: time,
          finishedAt: time.nullable(),
          passed: z.boolean().nullable().describe('null: it runs, or was halted'),
          cached: z.boolean(),
          flake: z.boolean().describe('it failed, and then the same commit passed'),
          durationMs: z.number().nullable(),
          failure: failure.nullable(),
        }),
      ),
      landings: z.array(landing),
      pauses: z.array(
        z.object({
          agent: z.string(),
          why: z.enum(['limited', 'unreachable', 'login', 'broken']),
          from: time,
          until: time,
          endedAt: time.nullable(),
        }),
      ),
      gaps: z.array(z.object({ from: time, to: time })).describe('no engine worked on it'),
    }),
  },
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
  'runs.waits': {
    scope: 'read',
    summary: 'What each task that is not over waits for',
    input: z.object(ofRun),
    answer: z.object({
      items: z.array(shape<Wait & { task: string; text: string }>('{task, kind, text, …}: what it waits for')),
    }),
  },
} as const satisfies Record<string, RouteShape>
