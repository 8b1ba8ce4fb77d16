// What an event of the journal teaches. Pure.
import type { Settings } from '../config.ts'
import type { Event } from '../event.ts'
import type { Experience } from '../experience.ts'
import type { FailureReason } from '../failure.ts'
import type { AttemptView, TaskView } from '../status.ts'
import type { Task } from '../task.ts'
import { looksOf } from './looks.ts'
import type { Observation } from './observe.ts'
import { observe, type Session } from './observe.ts'
import { tierNamed } from './tiers.ts'

export type Taught = {
  domain: string
  experiences: Experience[]
  observations: Observation[]
  judged: { lessons: string[]; succeeded: boolean }[]
}

/** How the run stands right after the event has been applied, before anything follows from it. */
export type LearningContext = {
  run: string
  settings: Pick<Settings, 'agents'>
  secrets: readonly string[]
  task(id: string): Task
  view(id: string): TaskView
}

export function taught(event: Event, context: LearningContext): Taught | null {
  switch (event.type) {
    case 'attempt.finished': {
      const { status, history } = context.view(event.task)
      const attempt = history.find((one) => one.attempt === event.attempt)
      if (!attempt) return null
      if (attempt.failure)
        return OWN_DOING.has(attempt.failure.reason) ? over(event, event.task, attempt, false, context) : null
      return status === 'passed' ? over(event, event.task, attempt, true, context) : null
    }
    case 'landing.landed':
      return joined(event.tasks.map((id) => ended(event, id, true, context)))
    case 'landing.refused':
      if (event.failure.reason === 'conflict') return joined(event.tasks.map((id) => conflicted(event, id, context)))
      return OWN_DOING.has(event.failure.reason)
        ? joined(event.tasks.map((id) => ended(event, id, false, context)))
        : null
    default:
      return null
  }
}

function ended(event: Event, id: string, succeeded: boolean, context: LearningContext): Taught | null {
  const attempt = context.view(id).history.at(-1)
  return attempt ? over(event, id, attempt, succeeded, context) : null
}

function over(event: Event, id: string, attempt: AttemptView, succeeded: boolean, context: LearningContext): Taught {
  const task = context.task(id)
  const { run, settings } = context
  const looks = looksOf(task)
  const { session, usage, startedAt, finishedAt } = attempt
  const asked = task.work.kind === 'prompt' ? task.work : null
  const agent = attempt.agent ?? asked?.agent ?? 'run'
  const told = session?.model ?? asked?.model ?? null
  const experiences: Experience[] =
    task.work.kind === 'prompt' || succeeded
      ? [
          {
            ...{ run, task: id, attempt: attempt.attempt, at: event.at, ...looks, succeeded },
            agent,
            model: attempt.choice?.model ?? (told ? tierNamed(agent, told, settings) : null),
            costUsd: knownCost(usage),
            durationMs: Math.max(0, (finishedAt ?? event.at) - startedAt),
          },
        ]
      : []
  const observations = observe(sessionOf(id, attempt, succeeded, looks.domain, context), context.secrets)
  const lessons = attempt.lessons ?? []
  return { domain: looks.domain, experiences, observations, judged: [{ lessons, succeeded }] }
}

/** Tokens without a price cost something nobody knows. What told nothing at all cost nothing we know of. */
function knownCost(usage: AttemptView['usage']): number | null {
  if (!usage) return null
  const tokens = usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens
  return usage.costUsd === 0 && tokens > 0 ? null : usage.costUsd
}

function conflicted(
  event: Extract<Event, { type: 'landing.refused' }>,
  id: string,
  context: LearningContext,
): Taught | null {
  const attempt = context.view(id).history.at(-1)
  const conflicts = event.failure.paths ?? []
  if (!attempt || conflicts.length === 0) return null
  const { domain } = looksOf(context.task(id))
  const blank = sessionOf(id, { ...attempt, touched: undefined, undeclared: undefined }, false, domain, context)
  const session = { ...blank, checks: [], advice: [], denied: [], conflicts }
  return { domain, experiences: [], observations: observe(session, context.secrets), judged: [] }
}

function sessionOf(
  id: string,
  attempt: AttemptView,
  succeeded: boolean,
  domain: string,
  context: LearningContext,
): Session {
  const { run } = context
  const { session, commit, touched, undeclared, failure } = attempt
  const { history } = context.view(id)
  const before = history.filter((one) => one.attempt < attempt.attempt && one.failure && CHECKS.has(one.failure.reason))
  const files = touched?.paths ?? []
  return {
    domain,
    evidence: { run, task: id, attempt: attempt.attempt, session: session?.id ?? null, commit },
    succeeded,
    touched: files,
    undeclared: undeclared?.paths ?? [],
    checks: attempt.checks ?? [],
    fixed: [
      ...(attempt.fixes ?? []).map(({ message, paths }) => ({ failure: { message }, paths })),
      ...before.slice(-1).flatMap((one) => (one.failure ? [{ failure: one.failure, paths: newIn(files, one) }] : [])),
    ],
    conflicts: [],
    denied: failure?.reason === 'claims-violated' || failure?.reason === 'protected-path' ? (failure.paths ?? []) : [],
    advice: (attempt.notes ?? []).flatMap(({ kind, text }) => (kind === 'lesson' ? [text] : [])),
  }
}

/** What the attempt that passed changed and the one that failed had not; where that is nothing, all of it. */
function newIn(files: readonly string[], { touched }: AttemptView): readonly string[] {
  const old = new Set(touched?.paths ?? [])
  const fresh = files.filter((path) => !old.has(path))
  return fresh.length > 0 ? fresh : files
}

function joined(all: (Taught | null)[]): Taught | null {
  const parts = all.filter((one) => one !== null)
  if (parts.length === 0) return null
  return {
    domain: parts[0]?.domain ?? '',
    experiences: parts.flatMap((one) => one.experiences),
    observations: parts.flatMap((one) => one.observations),
    judged: parts.flatMap((one) => one.judged),
  }
}

/** Checks that failed: what passed afterwards has put them right. */
const CHECKS: ReadonlySet<FailureReason> = new Set(['verify-failed', 'landing-failed'])

/** Something that another agent, another model or a lesson might have done better. */
export const OWN_DOING: ReadonlySet<FailureReason> = new Set([
  'agent-failed',
  'command-failed',
  'agent-looping',
  'agent-blocked',
  'incomplete',
  'verify-failed',
  'refused',
  'timeout',
  'claims-violated',
  'protected-path',
  'landing-failed',
])
