// The facts of a run, in the order they became true. The journal holds nothing else, and everything else is
// derived from it. Events are checked when they are written and when they are read.
import * as z from 'zod'
import { BUDGET_SCOPES, BUDGET_SHARES, ON_BUDGET } from './budget.ts'
import { FAILURE_REASONS } from './failure.ts'
import { modelChoice } from './learning-records.ts'
import { NOTE_KINDS, OUTCOMES, RUN_KINDS } from './status.ts'
import { type Epic, ID_PATTERN, type Plan, type Task } from './task.ts'

const task = z.string()
const attempt = z.number().int().positive()
export const commit = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/)
export const failure = z.object({
  reason: z.enum(FAILURE_REASONS),
  /** Says what happened, to which task or file, and what to do next. */
  message: z.string(),
  /** The task that caused it, where that is another one. */
  cause: z.string().optional(),
  /** Conflicting, refused or undeclared paths. */
  paths: z.array(z.string()).optional(),
})
export type Failure = z.infer<typeof failure>
const slot = z.number().int().positive()
const worker = z.string().regex(ID_PATTERN)
const item = z.object({ tasks: z.array(task), commit })
const hold = z.number().int().positive()
const verification = z.number().int().positive()
const verdict = z.object({
  passed: z.boolean(),
  /** The same tree has passed the same commands before. */
  cached: z.boolean(),
  durationMs: z.number(),
  /** Why it did not pass. */
  failure: failure.nullable(),
})
export type Verdict = z.infer<typeof verdict>
/** `commit`: both sides merged as far as git could, its parents `onto` and the work. */
const conflict = z.object({ commit, onto: commit, by: z.enum(['agent', 'person']) })
export const diff = z.object({ files: z.number(), insertions: z.number(), deletions: z.number() })
export type DiffStat = z.infer<typeof diff>
/** The agent that a task would rather have, while it is paused. */
const insteadOf = z.object({ agent: z.string(), until: z.number() })
export type InsteadOf = z.infer<typeof insteadOf>
/** `paths` covers all of them: where there are too many to list, a folder (`src/`) stands for those in it. */
const paths = z.object({ paths: z.array(z.string()), count: z.number().int().nonnegative() })
export type PathList = z.infer<typeof paths>
/** Numbers in use of each resource. */
const resources = z.record(z.string(), z.array(z.number().int().nonnegative()))
export type TakenResources = z.infer<typeof resources>
/** A command that checked the work of an attempt. */
const check = z.object({ command: z.string(), durationMs: z.number().nonnegative(), passed: z.boolean() })
export type Check = z.infer<typeof check>

const count = z.number().nonnegative()
export const usage = z.object({
  /** Read anew: neither from the provider's cache nor into it. */
  inputTokens: count,
  /** Output tokens, thinking included. */
  outputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  /** The part of the output that the model only thought. */
  reasoningTokens: count,
  costUsd: count,
  /** Part of it has an unknown cost, which is not in `costUsd`. */
  costUnknown: z.literal(true).optional(),
})

/** The conversation of an agent, as the agent tells of it. */
const session = z.object({
  agent: z.string(),
  /** Conversation id with which the agent can be asked to go on. */
  id: z.string(),
  model: z.string().nullable(),
  turns: z.number(),
  messages: z.number(),
  toolCalls: z.number(),
})
export type Session = z.infer<typeof session>

/** Results of an attempt besides its work, for workloads that compare attempts or add them up. */
const result = z.object({
  counts: z.record(z.string(), z.number()).optional(),
  /** A ref that holds them, or their paths. */
  artifacts: z.union([z.string(), z.array(z.string())]).optional(),
  scores: z.record(z.string(), z.number()).optional(),
  /** Single measurements behind the median scores. */
  samples: z.record(z.string(), z.array(z.number())).optional(),
  /** Commit that was measured. */
  tree: z.string().optional(),
  /** Ideas that were proposed. */
  ideas: z.array(z.object({ path: z.string(), text: z.string() })).optional(),
  /** The process that the attempt ran under. */
  pid: z.number().int().optional(),
})
export type AttemptResult = z.infer<typeof result>

/** Limits, which may change from one `resume` to the next. */
const limits = z.object({
  /** Slots of the engine's own machine; 0 where only workers execute. */
  slots: z.number().int().nonnegative(),
  /** Labels of that machine. */
  labels: z.array(z.string()).optional(),
  maxPerEpic: z.number().int().positive().nullable(),
  schedule: z.enum(['eager', 'waves']),
  strict: z.boolean(),
  backoff: z.object({ initialMs: z.number(), maxMs: z.number() }),
  /** Default for tasks without their own. */
  timeoutMs: z.number().positive(),
  retries: z.number().int().nonnegative(),
  /** Action on a stalled attempt. */
  onStall: z.enum(['report', 'retry']),
  /** Treatment of work outside a task's claims. */
  claims: z.enum(['enforce', 'warn', 'extend']),
  /** Verification before landing; see scheduler/landing/batch.ts. */
  landing: z.object({
    verify: z.boolean(),
    window: z.number().int().positive(),
    batch: z.number().int().positive().optional(),
    allgreen: z.boolean(),
    reruns: z.number().int().nonnegative(),
  }),
  /** Budget of the whole run in US dollars; null: no limit. */
  budget: z.object({ usd: count.nullable(), onReached: z.enum(ON_BUDGET) }),
})
export type Limits = z.infer<typeof limits>

const stopReason = z.enum(['timeout', 'stalled', 'cancelled', 'interrupted', 'strict-stop', 'budget'])
export type StopReason = z.infer<typeof stopReason>

/** The number of the request (see store/) that this event answers. */
const request = z.number().nullable()

function isPlan(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'tasks' in value && Array.isArray(value.tasks)
}

/** Checked as far as the scheduler depends on it. */
const addedTask = z.looseObject({
  id: z.string().regex(ID_PATTERN),
  epic: z.string().nullable(),
  needs: z.array(task),
  after: z.array(task),
  claims: z.object({ write: z.array(z.string()), read: z.array(z.string()) }),
  work: z.looseObject({ kind: z.enum(['prompt', 'command']) }),
  verify: z.array(z.string()),
  priority: z.number(),
  estimateMs: z.number().nullable(),
  timeoutMs: z.number().optional(),
  retries: z.number().optional(),
  land: z.boolean(),
  isolation: z.enum(['task', 'epic']),
  from: task.optional(),
})
const addedEpic = z.looseObject({ id: z.string().regex(ID_PATTERN), budgetUsd: count.optional() })

const fact = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({ type: z.literal(type), ...shape })

const kinds = [
  fact('run.started', {
    /** Default: a plan, whose work lands. */
    kind: z.enum(RUN_KINDS).optional(),
    base: commit,
    branch: z.string(),
    seed: z.number().int(),
    limits,
  }),
  fact('run.resumed', { limits }),
  /** The plan as it is from now on: what was started with the words it was started with, the rest as written now. */
  fact('run.replanned', {
    plan: z.custom<Plan>(isPlan, 'not a plan'),
    /** Failed tasks that are tried again. */
    again: z.array(task).optional(),
    /** Commits went with a removed engine.git: the branch is back at this one, and the tasks of `again` are those that lost theirs. */
    head: commit.optional(),
  }),
  /** The plan has grown: these are new, and wait for each other and for tasks that were there, never the other way round. */
  fact('tasks.added', {
    tasks: z.array(z.custom<Task>((value) => addedTask.safeParse(value).success, 'not a task')),
    epics: z.array(z.custom<Epic>((value) => addedEpic.safeParse(value).success, 'not an epic')),
  }),
  /** Number of attempts at the same time from now on. A person asked for it, or the machine or the queue did; then `why` says so. */
  fact('slots.changed', { slots: z.number().int().positive(), why: z.string().optional(), request }),
  /** From now on it goes before those with a lower one. What has started goes on. */
  fact('priority.changed', { task, priority: z.number(), request }),
  fact('run.interrupted', { request }),
  fact('run.cancelled', { request }),
  /** `dropped`: why it is not to be done any more, where nobody cancelled it. */
  fact('task.cancelled', { task, request, dropped: z.string().optional() }),
  /** A person has resolved `conflict`: `commit` is what is to land. Null: they gave it up. */
  fact('task.resolved', { task, conflict: commit, commit: commit.nullable(), diff: diff.nullable(), request }),
  fact('attempt.started', {
    task,
    attempt,
    slot,
    base: commit,
    deadline: z.number(),
    /** Worker that executes it; `local`: the engine's own process. */
    worker: z.string(),
    /** The numbers of the resources it has, where it uses some. */
    resources: resources.optional(),
    /** One of the task's agents; missing for a shell command. */
    agent: z.string().optional(),
    /** The task would rather have this agent, which is paused until then. */
    insteadOf: insteadOf.optional(),
    /** Choice made by `model: auto`, with its reasons. */
    choice: modelChoice.optional(),
    /** Interrupted attempt whose work it continues, from the same base. */
    continues: attempt.optional(),
  }),
  /** The agent has printed nothing since then. */
  fact('attempt.stalled', { task, attempt, since: z.number() }),
  /** The agent has printed again, or has ended by itself before a stop for silence or money reached it. */
  fact('attempt.stirred', {
    task,
    attempt,
    /** Set alone: the attempt is the probe after a pause of its agent, and its model has answered. */
    answered: z.literal(true).optional(),
  }),
  fact('attempt.stopping', { task, attempt, reason: stopReason }),
  /** Found only in journals of versions that compared running worktrees. */
  fact('attempt.overlapped', {
    attempts: z.tuple([z.object({ task, attempt }), z.object({ task, attempt })]),
    ...paths.shape,
  }),
  fact('attempt.noted', {
    task,
    attempt,
    kind: z.enum(NOTE_KINDS),
    text: z.string(),
    details: z.string().optional(),
    request,
  }),
  /** The agent asked to write these globs too. `holder`: the task or person with a conflicting claim; null: granted. */
  fact('attempt.asked', { task, attempt, paths: z.array(z.string()), holder: task.nullable(), request }),
  /** Cost reported so far by the agent; only where a budget counts it, and not for every small amount. */
  fact('attempt.spent', {
    task,
    attempt,
    costUsd: count,
    /** The agent has ended, so the cost is final unless it is asked to go on. */
    ended: z.literal(true).optional(),
  }),
  /** Percentage of a budget that is used. `name`: of the epic or task. */
  fact('budget.reached', {
    scope: z.enum(BUDGET_SCOPES),
    name: z.string(),
    share: z.literal(BUDGET_SHARES),
    spentUsd: count,
    budgetUsd: count,
    /** Part of the spending has an unknown cost. */
    unknown: z.literal(true).optional(),
  }),
  fact('attempt.finished', {
    task,
    attempt,
    outcome: z.enum(OUTCOMES),
    /** The commit that holds the work, whether it will land or not. */
    commit: commit.nullable(),
    failure: failure.nullable(),
    diff: diff.nullable(),
    usage: usage.nullable(),
    summary: z.string().nullable(),
    /** Journals from before agents had conversations do not say. */
    session: session.nullish(),
    /** Number of agent processes, if more than one. */
    iterations: z.number().int().positive().optional(),
    /** End of the limit, as the provider says. */
    limitedUntil: z.number().nullish(),
    /** The commands that checked its work, in the order they ran. */
    checks: z.array(check).optional(),
    /** Checks that failed and that its agent has put right since, and what it changed for that. */
    fixes: z.array(z.object({ message: z.string(), paths: z.array(z.string()) })).optional(),
    /** The lessons its prompt had. */
    lessons: z.array(z.string()).optional(),
    /** Changed paths, and those its claims do not cover; left out where empty. */
    touched: paths.optional(),
    undeclared: paths.optional(),
    /** Changed files that other programs run or obey, such as hooks and CI files. */
    flagged: paths.optional(),
    result: result.optional(),
  }),
  /** Usage of an attempt that was given up with its worker. The rest of its report came too late. */
  fact('attempt.late', { task, attempt, usage, request }),
  /** A worker joins, or changes: slots, labels, resources. No slots: it finishes its attempts and takes no more. */
  fact('worker.joined', {
    worker,
    slots: z.number().int().nonnegative(),
    labels: z.array(z.string()),
    resources: z.record(z.string(), z.number().int().positive()),
  }),
  fact('worker.lost', { worker, why: z.string() }),
  /** These are to land, in this order, each on top of the one before. `onto` may itself not have landed yet. */
  fact('landing.started', { items: z.array(item), onto: commit, verify: z.boolean() }),
  /** Merged items: `commit` would land. Missing ones were refused, or conflict with one of these and wait. None: the batch is over. */
  fact('landing.built', { items: z.array(item), onto: commit }),
  /** `tasks`: all that would land with it. `worker`: where it is not the engine itself that does it. */
  fact('landing.verifying', { verification, tasks: z.array(task), commit, worker: worker.optional(), slot }),
  /** Its result is no longer needed: its commands are being ended. */
  fact('landing.halting', { verification }),
  /** No verdict: it was halted. */
  fact('landing.verified', { verification, commit, verdict: verdict.nullable() }),
  fact('landing.moving', { commit, onto: commit }),
  fact('landing.landed', { tasks: z.array(task), commit, onto: commit }),
  /** `retry`: the work is done again on the new base, within the task's retries. */
  fact('landing.refused', {
    tasks: z.array(task),
    onto: commit,
    failure,
    retry: z.boolean(),
    /** A conflict to resolve: by an agent within the task's retries, or by a person, for whom the task waits. */
    conflict: conflict.optional(),
  }),
  /** A person holds this glob until then: nothing that claims some of it starts. `hold`: its number in the store. */
  fact('claims.held', { hold, name: z.string(), glob: z.string(), since: z.number(), until: z.number() }),
  fact('claims.released', { hold, name: z.string(), glob: z.string() }),
  fact('run.finished', { status: z.enum(['completed', 'failed', 'cancelled', 'waiting']) }),
] as const

/** The schema of the facts of one kind. */
export const ofType = <T extends (typeof kinds)[number]['shape']['type']['value']>(type: T) =>
  kinds.find((kind) => kind.shape.type.value === type) as Extract<
    (typeof kinds)[number],
    { shape: { type: z.ZodLiteral<T> } }
  >

/**
 * The facts that other processes may ask an engine for. Its answer is the fact with the number of the request. `isNew`:
 * the server saw the commit of a delivered result arrive, whole, where it was not before.
 */
export const requestSchema = z.discriminatedUnion('type', [
  ofType('run.cancelled'),
  ofType('task.cancelled'),
  ofType('slots.changed'),
  ofType('priority.changed'),
  ofType('task.resolved'),
  ofType('attempt.noted'),
  ofType('attempt.asked'),
  ofType('attempt.spent'),
  ofType('attempt.stalled'),
  ofType('attempt.stirred'),
  ofType('attempt.finished').extend({ isNew: z.boolean().optional() }),
  ofType('landing.verified'),
])
export type RequestedFact = z.infer<typeof requestSchema>

export const eventSchema = z.discriminatedUnion('type', kinds)

/** A fact without its time. */
export type Fact = z.infer<typeof eventSchema>
export type EventType = Fact['type']

export type AddedTasks = Pick<Extract<Fact, { type: 'tasks.added' }>, 'tasks' | 'epics'>

/** `at` is in ms since the epoch, `seq` counts from 1 within a run. */
export type Event = Fact & { seq: number; at: number }

export type EventOf<T extends EventType> = Extract<Event, { type: T }>

/** The first event of a journal; null where its run never started. */
export function startOf([first]: readonly Event[]): EventOf<'run.started'> | null {
  return first?.type === 'run.started' ? first : null
}

/** Current activity of an agent. Not in the journal: it has a number in the store's feed only. */
export type Progress = { type: 'attempt.progress'; task: string; attempt: number; at: number; message: string }
