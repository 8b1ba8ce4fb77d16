// One event as one line: the log of a run in a pipe, and what scrolls above the live view.

import { pathsText } from '../../facts/changes.ts'
import { type Failure, messageParts } from '../../failure.ts'
import type { RunEvent } from '../../index.ts'
import {
  type AttemptView,
  type DiffStat,
  LOCAL,
  type Note,
  type RunKind,
  type RunStatus,
  type TaskStatus,
  type TaskView,
} from '../../status.ts'
import { agentsOf, type Task } from '../../task.ts'
import { formatDuration } from '../../text/duration.ts'
import { nameList } from '../../text/name-list.ts'
import { safeLine } from '../../text/safe.ts'
import { tellingLine } from '../../text/telling-lines.ts'
import { choiceText } from '../status/chosen-model.ts'
import { spentText } from '../status/money-lines.ts'
import { holdText, standInText } from '../status/waiting-lines.ts'
import type { RunProgress } from './run-progress.ts'

export type EventLine = {
  status: TaskStatus | null
  text: string
  /** The live view keeps the major ones; it shows the others while they are true. */
  major: boolean
}

export type RunFacts = {
  run: string
  kind?: RunKind | undefined
  /** Of tasks that do not say how often. */
  retries: number
  /** In the order of the plan. */
  tasks: Map<string, TaskFacts>
  /** As the task stands now. */
  view: (task: string) => TaskView | undefined
}

/** `hasFallback`: another agent does it while its own is paused. `title`: of a task of a search, which its id does not tell. */
type TaskFacts = {
  tries: number
  land: boolean
  hasFallback?: boolean
  title?: string
  role?: NonNullable<Task['search']>['role']
}

/** The plan may grow during the run. */
export function addTasks(facts: RunFacts, tasks: readonly Task[]): void {
  for (const { id, title, retries = facts.retries, land, work, search } of tasks) {
    const named = search ? { title: title.replace(/: measure$/, ''), role: search.role } : {}
    facts.tasks.set(id, { tries: retries + 1, land, hasFallback: agentsOf(work).length > 1, ...named })
  }
}

/** Null for events that need no line. Call it before the event is added to the progress. */
export function eventLine(event: RunEvent, progress: RunProgress, facts: RunFacts): EventLine | null {
  switch (event.type) {
    case 'run.started': {
      // Of a suite nothing lands.
      const of = facts.kind === 'suite' ? '' : ` on branch ${event.branch}`
      const tasks = count(facts.tasks.size, 'task')
      return minor(null, `run ${facts.run}${of} from ${short(event.base)}: ${tasks}, ${slotsText(event.limits.slots)}`)
    }
    case 'run.resumed':
      return minor(null, `run ${facts.run} continues, ${slotsText(event.limits.slots)}`)
    case 'run.replanned':
      if (event.again?.length)
        return minor(null, `retrying ${count(event.again.length, 'task')}: ${nameList(event.again, 60)}`)
      return major(null, `plan changes applied: ${count(event.plan.tasks.length, 'task')}`)
    case 'tasks.added': {
      const added = event.tasks.map(({ id }) => id)
      return minor(null, `${count(added.length, 'task')} added to the plan: ${nameList(added, 60)}`)
    }
    case 'slots.changed':
      return major(null, `${event.slots} at a time from now on${event.why ? `: ${event.why}` : ''}`)
    case 'priority.changed':
      return minor(null, `${event.task} has priority ${event.priority} from now on`)
    case 'run.interrupted':
      return minor(null, 'interrupted: no new task starts')
    case 'run.cancelled':
      return major('cancelled', 'the run was cancelled')
    case 'task.cancelled':
      // A running task gets its line when it has ended. People ask twice.
      if (progress.running.has(event.task) || progress.cancelled.has(event.task)) return null
      if (progress.landed.has(event.task)) return major('landed', `${event.task} cannot be cancelled: it has landed`)
      if (event.dropped !== undefined)
        return major('cancelled', safeLine(`${event.task} was dropped: ${event.dropped}`))
      return major('cancelled', `${event.task} was cancelled`)
    case 'task.resolved':
      return event.commit === null
        ? major('failed', `${event.task}: conflict given up`)
        : major('landing', `${event.task}: conflict resolved, waits to land`)
    case 'attempt.started':
      return minor('running', `${event.task} started${again(event, facts)}${startedBy(event)}`)
    case 'attempt.progress':
      return minor('running', `${event.task}: ${safeLine(event.message)}`)
    case 'attempt.stalled':
      return major('running', `${event.task} has stalled: ${silentFor(event.since, event.at)}`)
    case 'attempt.stirred':
      if (event.answered) return minor('running', `${event.task}: its provider answers again`)
      return minor('running', `${event.task} is active again`)
    case 'attempt.stopping':
      return minor('running', `${event.task} is being stopped (${event.reason})`)
    case 'attempt.noted':
      return noteLine(event)
    case 'attempt.asked': {
      const what = safeLine(event.paths.join(', '))
      if (event.holder === null) return minor('running', `${event.task} asked for more claims and may write ${what}`)
      return major('running', `${event.task} asked for ${what} and was refused: claimed by ${event.holder}`)
    }
    case 'attempt.overlapped':
    case 'attempt.spent':
      return null
    case 'budget.reached': {
      if (event.share < 100) return major('pending', spentText(event))
      return major('failed', `${spentText(event)}: ${AT_100[event.scope]}`)
    }
    case 'attempt.finished': {
      const started = progress.running.get(event.task)?.startedAt
      const time = started === undefined ? '' : formatDuration(Math.max(0, event.at - started))
      const took = time === '' ? '' : ` after ${time}`
      const { title, role } = facts.tasks.get(event.task) ?? {}
      const name = title === undefined ? event.task : safeLine(title)
      if (event.failure) {
        const status = event.outcome === 'cancelled' ? 'cancelled' : 'failed'
        if (event.failure.reason === 'cancelled') return major(status, `${name} was cancelled${took}`)
        if (status === 'failed' && attemptOf(event, facts)?.counts === false) {
          const until = waitsFor(event, progress, facts)
          return major(
            'pending',
            `${name} stopped${took} (not counted as an attempt)${until}: ${because(event.failure)}`,
          )
        }
        const ended = status === 'cancelled' ? 'was stopped' : 'failed'
        return major(status, `${name} ${ended}${took}${again(event, facts)}: ${whyFailed(event.failure)}`)
      }
      if (role === 'judge')
        return major('passed', `${name}: ${safeLine(event.summary ?? 'no score')}${time === '' ? '' : ` (${time})`}`)
      if (role === 'step') return minor('passed', `${name} passed${took}`)
      // The best node of a search lands although this task itself changes nothing.
      if (role === 'result') return null
      const late = progress.running.get(event.task)?.stopping ? ', before it could be stopped' : ''
      const lands = facts.tasks.get(event.task)?.land !== false
      if (event.outcome === 'no-change')
        return major('passed', `${event.task} passed${took}${late}${lands ? ', no changes' : ''}`)
      const told = event.flagged ? `; other programs run what it changed: ${safeLine(pathsText(event.flagged))}` : ''
      const outside = `${told}${event.undeclared ? `; changed outside its claims: ${safeLine(pathsText(event.undeclared))}` : ''}`
      if (!lands) return major('passed', `${event.task} passed${took}${late}${outside}`)
      const text = `${event.task} done${took}${late}, waits to land${outside}`
      return { status: 'landing', text, major: late !== '' || outside !== '' }
    }
    case 'landing.started':
    case 'landing.built':
    case 'landing.halting':
    case 'landing.moving':
      return null
    case 'landing.verifying':
      return minor('landing', `verifying ${nameList(event.tasks, 60)} at ${short(event.commit)}`)
    case 'landing.verified': {
      if (!event.verdict) return null
      const { passed, cached, durationMs, failure } = event.verdict
      const took = cached ? ' (the same tree has passed before)' : ` after ${formatDuration(durationMs)}`
      const what = `verification of ${short(event.commit)}`
      if (passed && progress.red.has(event.commit)) return major('landing', `${what} passed this time: it was a flake`)
      if (passed) return minor('landing', `${what} passed${took}`)
      return major('landing', `${what} failed${took}: ${failure ? whyFailed(failure) : 'no reason given'}`)
    }
    case 'landing.landed': {
      const late = event.tasks.some((task) => progress.cancelled.has(task)) ? ', before it could be cancelled' : ''
      const landed = `${event.tasks.join(', ')} landed as ${short(event.commit)}`
      return major('landed', `${landed}${late}${cost(event.tasks, progress)}`)
    }
    case 'landing.refused': {
      const what = `${event.tasks.join(', ')} did not land`
      const why = whyFailed(event.failure)
      if (event.conflict?.by === 'person')
        return major(
          'conflict',
          `${what}: ${why}. Resolve it: \`espalier resolve ${event.tasks[0]} --run ${facts.run}\``,
        )
      if (!isDoneAgain(event, facts)) return major('failed', `${what}: ${why}`)
      return major('pending', `${what} and ${event.tasks.length === 1 ? 'is' : 'are'} retried: ${why}`)
    }
    case 'attempt.late':
      return minor(
        'running',
        `${event.task}: what attempt ${event.attempt} had done came too late, its worker was given up`,
      )
    case 'worker.joined':
      return major(null, joinedText(event))
    case 'worker.lost':
      return major(null, safeLine(`worker ${event.worker} is gone: ${event.why}`))
    case 'claims.held':
      return major('pending', `${holdText(event)} for ${formatDuration(Math.max(0, event.until - event.at))}`)
    case 'claims.released':
      return major('pending', safeLine(`${event.name} released ${event.glob}`))
    case 'plan-file.unwritten':
      return major(null, safeLine(event.message))
    case 'run.finished':
      return minor(null, `run ${facts.run} ${endOf(event.status, progress)}`)
    default:
      return event satisfies never
  }
}

function endOf(status: RunStatus, { isInterrupted }: RunProgress): string {
  if (status === 'cancelled' && isInterrupted) return 'interrupted'
  if (status === 'failed') return 'ended: not every task succeeded'
  return status === 'waiting' ? 'waits for you' : status
}

function joinedText({ worker, slots, labels }: Extract<RunEvent, { type: 'worker.joined' }>): string {
  if (slots === 0) return `worker ${worker} takes no more tasks`
  const called = labels.length > 0 ? ` (${labels.join(', ')})` : ''
  return `worker ${worker} joined${called}: ${slots} at a time there`
}

/** Notes that people should act on stay in the live view. */
function noteLine({ task, kind, text }: Extract<RunEvent, { type: 'attempt.noted' }>): EventLine {
  return { status: 'running', text: `${task}${NOTE_WORDS[kind]}: ${safeLine(text)}`, major: TO_ACT_ON.has(kind) }
}

const NOTE_WORDS: Record<Note['kind'], string> = {
  progress: '',
  done: ' reports that it is done',
  blocked: ' reports that it is blocked',
  issue: ' reports an issue',
  'follow-up': ' suggests a follow-up',
  lesson: ' adds a lesson',
}

const TO_ACT_ON: ReadonlySet<Note['kind']> = new Set(['blocked', 'issue', 'follow-up'])

const AT_100 = {
  run: 'no new task starts',
  epic: 'no new task of this epic starts',
  task: 'the task is stopped',
}

/** Whether a retry is allowed, and the tasks had tries and money left for one. */
function isDoneAgain({ retry, tasks }: Extract<RunEvent, { type: 'landing.refused' }>, facts: RunFacts): boolean {
  return retry && tasks.every((task) => facts.view(task)?.status !== 'failed')
}

/** `verify-failed: npm test exited with 1`, without what the command printed. */
export function because({ reason, message }: Failure): string {
  const said = safeLine(messageParts(message).said)
  if (!said) return reason
  return said.startsWith(reason) ? said : `${reason}: ${said}`
}

/** The same with the line that says what went wrong. */
export function whyFailed(failure: Failure): string {
  const told = tellingLine(messageParts(failure.message).output)
  return told === null ? because(failure) : `${because(failure)}: ${told}`
}

export function silentFor(since: number, now: number): string {
  return `silent for ${formatDuration(Math.max(0, now - since))}`
}

/** `3 files +10 -2` */
export function formatDiff({ files, insertions, deletions }: DiffStat): string {
  return `${count(files, 'file')} +${insertions} -${deletions}`
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

export function short(commit: string): string {
  return commit.slice(0, 8)
}

/** ` (attempt 2 of 3)`; nothing where there can be only one. */
function again(of: { task: string; attempt: number }, facts: RunFacts): string {
  const most = mostAttempts(of, facts)
  return most === 1 ? '' : ` (attempt ${of.attempt} of ${most})`
}

/** One that does not count as a try, such as one that was interrupted, makes room for one more. */
export function mostAttempts(of: { task: string; attempt: number }, facts: RunFacts): number {
  const number = attemptOf(of, facts)?.try ?? of.attempt
  return (facts.tasks.get(of.task)?.tries ?? 1) + of.attempt - number
}

function attemptOf({ task, attempt }: { task: string; attempt: number }, { view }: RunFacts): AttemptView | undefined {
  return view(task)?.history.find((one) => one.attempt === attempt)
}

/** Only where a fallback agent does it, or its model was chosen automatically. */
function startedBy({ agent, insteadOf, choice, at, worker }: Extract<RunEvent, { type: 'attempt.started' }>): string {
  const where = worker === LOCAL ? '' : ` on ${worker}`
  const by = agent !== undefined && insteadOf ? ` by ${standInText(agent, insteadOf, at)}` : ''
  return `${where}${by}${choice ? ` with ${choiceText(choice)}` : ''}`
}

function slotsText(slots: number): string {
  return slots === 0 ? 'on workers only' : `${slots} at a time`
}

/** What a rate limit means for the task: it waits, or another agent does it meanwhile. */
function waitsFor(
  { task, limitedUntil, at }: Extract<RunEvent, { type: 'attempt.finished' }>,
  progress: RunProgress,
  facts: RunFacts,
): string {
  const left = (limitedUntil ?? 0) - at
  if (left <= 0) return ''
  if (!facts.tasks.get(task)?.hasFallback) return `, continues in ${formatDuration(left)}`
  return `, ${progress.running.get(task)?.agent ?? 'its agent'} is paused for ${formatDuration(left)}`
}

function cost(tasks: string[], progress: RunProgress): string {
  const attempts = tasks.flatMap((task) => progress.finished.get(task) ?? [])
  if (attempts.length === 0) return ''
  const parts = [formatDuration(attempts.reduce((sum, { durationMs }) => sum + durationMs, 0))]
  const [only] = attempts
  if (attempts.length === 1 && only?.diff) parts.push(formatDiff(only.diff))
  return ` (${parts.join(', ')})`
}

function major(status: TaskStatus | null, text: string): EventLine {
  return { status, text, major: true }
}

function minor(status: TaskStatus | null, text: string): EventLine {
  return { status, text, major: false }
}
