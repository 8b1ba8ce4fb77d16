// Lessons and experiences from an event of the journal. Pure.
import type { Settings } from '../config.ts'
import type { Event } from '../event.ts'
import type { FailureReason } from '../failure.ts'
import type { Evidence, Experience } from '../learning-records.ts'
import type { Task } from '../task.ts'
import { knownCost } from '../usage.ts'
import type { AttemptView, TaskView } from '../view.ts'
import { tierNamed } from './models-of-agent.ts'
import { type Observation, type ObservedAttempt, observe } from './observe.ts'
import { looksOf } from './task-features.ts'

/** Teaching of one task. */
export type Taught = {
  domain: string
  experience: Experience | null
  observations: Observation[]
  /** The lessons that its prompt had. */
  lessons: readonly string[]
  succeeded: boolean
}

/** State of the run right after the event was applied, before anything follows from it. */
export type LearningContext = {
  run: string
  settings: Pick<Settings, 'agents'>
  secrets: readonly string[]
  task(id: string): Task
  view(id: string): TaskView
}

export function taught(event: Event, context: LearningContext): Taught[] {
  switch (event.type) {
    case 'attempt.finished': {
      const { status, history } = context.view(event.task)
      const attempt = history.find((one) => one.attempt === event.attempt)
      if (!attempt) return []
      const { failure } = attempt
      const isOver = failure ? TEACHES.has(failure.reason) : status === 'passed'
      return isOver ? [taughtBy(event, event.task, attempt, failure === null, context)] : []
    }
    case 'landing.landed':
      return event.tasks.flatMap((id) => taughtByLast(event, id, true, context))
    case 'landing.refused': {
      const { reason, paths = [] } = event.failure
      if (reason === 'conflict') return event.tasks.flatMap((id) => taughtByConflict(id, paths, context))
      return TEACHES.has(reason) ? event.tasks.flatMap((id) => taughtByLast(event, id, false, context)) : []
    }
    default:
      return []
  }
}

function taughtByLast(event: Event, id: string, succeeded: boolean, context: LearningContext): Taught[] {
  const attempt = context.view(id).history.at(-1)
  return attempt ? [taughtBy(event, id, attempt, succeeded, context)] : []
}

function taughtBy(
  event: Event,
  id: string,
  attempt: AttemptView,
  succeeded: boolean,
  context: LearningContext,
): Taught {
  const task = context.task(id)
  const { run, settings } = context
  const looks = looksOf(task)
  const { session, usage, startedAt, finishedAt, lessons = [] } = attempt
  const prompted = task.work.kind === 'prompt' ? task.work : null
  const agent = attempt.agent ?? prompted?.agent ?? 'run'
  const model = session?.model ?? prompted?.model ?? null
  const experience: Experience = {
    ...{ run, task: id, attempt: attempt.attempt, at: event.at, ...looks, succeeded, agent },
    model: attempt.choice?.model ?? (model && tierNamed(agent, model, settings)),
    costUsd: knownCost(usage),
    durationMs: Math.max(0, (finishedAt ?? event.at) - startedAt),
  }
  const observations = observe(sessionOf(id, attempt, succeeded, looks.domain, context), context.secrets)
  // A failed command says nothing about its usual duration.
  return {
    domain: looks.domain,
    experience: prompted || succeeded ? experience : null,
    observations,
    lessons,
    succeeded,
  }
}

function taughtByConflict(id: string, conflicts: readonly string[], context: LearningContext): Taught[] {
  const attempt = context.view(id).history.at(-1)
  if (!attempt || conflicts.length === 0) return []
  const { domain } = looksOf(context.task(id))
  const evidence = evidenceOf(id, attempt, context)
  const observations = observe({ domain, evidence, succeeded: false, conflicts }, context.secrets)
  return [{ domain, experience: null, observations, lessons: [], succeeded: false }]
}

function sessionOf(
  id: string,
  attempt: AttemptView,
  succeeded: boolean,
  domain: string,
  context: LearningContext,
): ObservedAttempt {
  const { undeclared, touched, fixes = [], notes = [], failure } = attempt
  const { history } = context.view(id)
  const before = history.filter((one) => one.attempt < attempt.attempt && one.failure && CHECKS.has(one.failure.reason))
  const files = touched?.paths ?? []
  const mended = before.slice(-1).map((one) => ({ message: one.failure?.message ?? '', paths: newIn(files, one) }))
  return {
    ...{ domain, evidence: evidenceOf(id, attempt, context), succeeded },
    ...{ undeclared: undeclared?.paths, fixed: [...fixes, ...mended] },
    denied: failure?.reason === 'claims-violated' || failure?.reason === 'protected-path' ? failure.paths : [],
    advice: notes.flatMap(({ kind, text }) => (kind === 'lesson' ? [text] : [])),
  }
}

function evidenceOf(task: string, { attempt, session, commit }: AttemptView, { run }: LearningContext): Evidence {
  return { run, task, attempt, session: session?.id ?? null, commit }
}

/** Paths the passing attempt changed and the failed one had not; if none, all its paths. */
function newIn(files: readonly string[], { touched }: AttemptView): readonly string[] {
  const old = new Set(touched?.paths ?? [])
  const fresh = files.filter((path) => !old.has(path))
  return fresh.length > 0 ? fresh : files
}

/** Failed checks: the changes before the next success were the fix. */
const CHECKS: ReadonlySet<FailureReason> = new Set(['verify-failed', 'landing-failed'])

/** Failures that teach: another agent, another model or a lesson might have avoided them. */
export const TEACHES: ReadonlySet<FailureReason> = new Set([
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
