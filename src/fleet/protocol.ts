// The protocol of workers and servers: JSON under /api/worker, and packs of git objects. Everything that a worker sends is checked
// by these schemas.
import * as z from 'zod'
import type { AttemptBudget } from '../attempt/attempt-order.ts'
import { askSchema } from '../engine/requests/agent-tool-calls.ts'
import { commit, type Failure, ofType } from '../event.ts'
import { ID_PATTERN, LABEL_PATTERN } from '../task.ts'
import { FLEET } from './limits.ts'
import type { WorkOrder } from './orders.ts'

export const WORKER_PATH = '/api/worker'

const name = z.string().regex(ID_PATTERN)
const project = z.string().min(1).max(100)
/** The id of an assignment. */
const job = z.uuid()

export const joinSchema = z.strictObject({
  name: name.refine((one) => one !== 'local', { error: '`local` is the name of the engine itself' }),
  /** Default: the only project of the server. */
  project: project.optional(),
  slots: z.int().min(0).max(FLEET.slots),
  labels: z.array(z.string().regex(LABEL_PATTERN)).max(20),
  resources: z.record(z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/), z.int().min(1).max(10_000)),
  machine: z.strictObject({
    version: z.string().max(40),
    host: z.string().max(255),
    platform: z.string().max(40),
    /** Installed agents. */
    agents: z.array(z.string().max(40)).max(50),
    /** Time by the worker's clock. */
    now: z.number(),
  }),
})
export type Join = z.infer<typeof joinSchema>

/** `repository`: the settings of the user's repository, so that workers make the same commits as the engine. */
export type Joined = {
  project: string
  heartbeatMs: number
  leaseMs: number
  now: number
  version: string
  repository: {
    objectFormat: 'sha1' | 'sha256'
    identity: { name: string; email: string }
    signsOff: boolean
    checkout: Record<string, string>
    excludes: string
  }
}

const asWorker = { name, project }
export const beatSchema = z.strictObject({
  ...asWorker,
  load: z.number().min(0).max(100_000),
  /** Time by the worker's clock. */
  now: z.number(),
  jobs: z.array(job).max(200),
  /** Names of its assignments: `run/task` or `run verification 3`. */
  doing: z
    .array(z.string().regex(/^[a-z0-9-]{1,63}(?:\/[a-z0-9-]{1,63}| verification \d{1,9})$/))
    .max(200)
    .default([]),
})
/** `over`: assignments that the worker has to end, because they were taken away. */
export type Beat = { over: string[] }

export const nextSchema = z.strictObject({
  ...asWorker,
  jobs: z.array(job).max(200),
  /** The number of the newest message it has received. */
  heard: z.int().min(0),
  /** The worker has just begun or missed an answer: it gets all its assignments, at once. */
  isFirst: z.boolean().default(false),
})
export type Next = { orders: { job: string; order: WorkOrder }[]; messages: Message[] }
export type Message = { id: number; job: string } & Control
/** Changes of a running attempt. A verification can only be stopped. */
export type Control =
  | { type: 'stop'; why: Failure; decidedAt: number }
  | { type: 'allow'; globs: string[] }
  | { type: 'budget'; budget: AttemptBudget }

export const fetchSchema = z.strictObject({
  ...asWorker,
  job,
  want: z.array(commit).min(1).max(10),
  have: z.array(commit).max(FLEET.haveCommits),
})
/** In the query of a request whose body is a pack. */
export const packSchema = z.strictObject({ ...asWorker, job, commit })

const OUTPUT = /^(?:prompt(?:-\d{1,3})?\.md|[a-z]{1,20}(?:-\d{1,4}(?:\.\d{1,4})?)?\/(?:output|errors)\.[a-z]{3})$/
/** Any path of a worktree, below these folders. */
const COLLECTED = /^(?:artifacts|junit)(?:\/(?!\.{1,2}(?:\/|$))[^/\0]{1,255}){1,40}$/

/** A piece of a file below the folder of an attempt: output of a command, the prompt, and files collected from its worktree. */
export const outputSchema = z.strictObject({
  ...asWorker,
  job,
  file: z
    .string()
    .max(4_000)
    .refine((path) => OUTPUT.test(path) || COLLECTED.test(path), { error: 'no such file is kept' }),
  offset: z.int().min(0),
  /** Base64. */
  data: z.string().max(2 * FLEET.outputBytes),
})
export const reportedSchema = z.strictObject({
  ...asWorker,
  job,
  facts: z
    .array(
      z.discriminatedUnion('type', [ofType('attempt.spent'), ofType('attempt.stalled'), ofType('attempt.stirred')]),
    )
    .max(50),
  progress: z.array(z.strictObject({ at: z.number(), message: z.string().max(2_000) })).max(50),
})
export const resultSchema = z.strictObject({
  ...asWorker,
  job,
  fact: z.discriminatedUnion('type', [ofType('attempt.finished'), ofType('landing.verified')]),
})
/** A question of an agent to the task manager. */
export const askingSchema = z.strictObject({ ...asWorker, job, ask: askSchema })
export const leaveSchema = z.strictObject(asWorker)
