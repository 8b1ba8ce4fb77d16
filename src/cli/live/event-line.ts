// One line per event: the log of a run in a pipe, and the lines that scroll above the live view.

import type { RunEvent } from '../../engine/run/event-feed.ts'
import type { EventOf } from '../../event.ts'
import { pathsText } from '../../facts/changes-to-look-at.ts'
import { workedMs } from '../../facts/durations.ts'
import { choiceText } from '../../facts/model-choices.ts'
import { LOCAL, type RunKind, type RunStatus, type TaskStatus } from '../../status.ts'
import { agentsOf, type Task } from '../../task.ts'
import { formatDuration, silentFor } from '../../text/duration.ts'
import { count, diffText, shortCommit } from '../../text/figures.ts'
import { nameList } from '../../text/name-list.ts'
import { safeLine } from '../../text/safe.ts'
import { because, whyFailed } from '../../text/telling-lines.ts'
import type { AttemptView, Note, TaskView } from '../../view.ts'
import { spentText } from '../status/money-lines.ts'
import { holdText, standInText } from '../status/waiting-lines.ts'

export type EventLine = {
  status: TaskStatus | null
  text: string
  /** The live view keeps major lines; it shows the others only while they are true. */
  major: boolean
}

type RunFacts = {
  run: string
  kind?: RunKind | undefined
  /** Number of tasks of the original plan. */
  tasks: number
  /** Retries of tasks without a number of their own. */
  retries: number
  /** Current state of a task: after the event in question, or later. */
  find: (id: string) => { task: Task; view: TaskView } | null
}

export class EventLines {
  readonly #facts: RunFacts
  /** Commits that have failed a verification. */
  readonly #red = new Set<string>()
  readonly #cancelled = new Set<string>()
  readonly #stopping = new Set<string>()
  #stopped: 'interrupted' | 'cancelled' | null = null

  constructor(facts: RunFacts) {
    this.#facts = facts
  }

  /** Whether the run was interrupted or cancelled: no new task starts, and running ones are being stopped. */
  get isStopping(): boolean {
    return this.#stopped !== null
  }

  /** Null for events that need no line. */
  take(event: RunEvent): EventLine | null {
    const { run, kind, tasks: total } = this.#facts
    switch (event.type) {
      case 'run.started': {
        const of = kind === 'suite' ? '' : ` on branch ${event.branch}` // a suite lands nothing
        const text = `run ${run}${of} from ${shortCommit(event.base)}: ${count(total, 'task')}`
        return minor(null, `${text}, ${slotsText(event.limits.slots)}`)
      }
      case 'run.resumed':
        this.#stopped = null
        return minor(null, `run ${run} continues, ${slotsText(event.limits.slots)}`)
      case 'run.replanned':
        for (const task of event.again ?? []) this.#cancelled.delete(task)
        if (event.head !== undefined) {
          const gone = `commits of the run went with a removed engine.git: it continues at ${shortCommit(event.head)}`
          return major(null, event.again?.length ? `${gone} and does again ${nameList(event.again)}` : gone)
        }
        if (event.again?.length)
          return minor(null, `retrying ${count(event.again.length, 'task')}: ${nameList(event.again)}`)
        return major(null, `plan changes applied: ${count(event.plan.tasks.length, 'task')}`)
      case 'tasks.added':
        return minor(
          null,
          `${count(event.tasks.length, 'task')} added to the plan: ${nameList(event.tasks.map(({ id }) => id))}`,
        )
      case 'slots.changed':
        return major(null, `${event.slots} at a time from now on${event.why ? `: ${event.why}` : ''}`)
      case 'priority.changed':
        return minor(null, `${event.task} has priority ${event.priority} from now on`)
      case 'run.interrupted':
        this.#stopped = 'interrupted'
        return minor(null, 'interrupted: no new task starts')
      case 'run.cancelled':
        this.#stopped = 'cancelled'
        return major('cancelled', 'the run was cancelled')
      case 'task.cancelled': {
        const { task, dropped } = event
        // A running task gets its line when it has ended. A repeated request gets none.
        const isNews = !this.#cancelled.has(task) && !this.#attempts(task).some((one) => wasOpen(one, event.at))
        this.#cancelled.add(task)
        if (!isNews) return null
        const { status } = this.#facts.find(task)?.view ?? {}
        if (status === 'landed') return major('landed', `${task} cannot be cancelled: it has landed`)
        if (dropped !== undefined) return major('cancelled', safeLine(`${task} was dropped: ${dropped}`))
        return major('cancelled', `${task} was cancelled`)
      }
      case 'task.resolved':
        return event.commit === null
          ? major('failed', `${event.task}: conflict given up`)
          : major('landing', `${event.task}: conflict resolved, waits to land`)
      case 'attempt.started':
        return minor('running', `${event.task} started${this.#again(event)}${startedBy(event)}`)
      case 'attempt.progress':
        return minor('running', `${event.task}: ${safeLine(event.message)}`)
      case 'attempt.stalled':
        return major('running', `${event.task} has stalled: ${silentFor(event.since, event.at)}`)
      case 'attempt.stirred':
        if (!event.answered) this.#stopping.delete(event.task)
        return minor('running', `${event.task}${event.answered ? ': its provider answers again' : ' is active again'}`)
      case 'attempt.stopping':
        this.#stopping.add(event.task)
        return (this.isStopping ? minor : major)('running', `${event.task} is being stopped (${event.reason})`)
      case 'attempt.noted':
        return noteLine(event)
      case 'attempt.asked': {
        const what = safeLine(event.paths.join(', '))
        if (event.holder === null) return minor('running', `${event.task} asked for more claims and may write ${what}`)
        return major('running', `${event.task} asked for ${what} and was refused: claimed by ${event.holder}`)
      }
      case 'budget.reached':
        if (event.share < 100) return major('pending', spentText(event))
        return major('failed', `${spentText(event)}: ${AT_100[event.scope]}`)
      case 'attempt.finished':
        return this.#ended(event)
      case 'attempt.overlapped':
      case 'attempt.spent':
      case 'landing.started':
      case 'landing.built':
      case 'landing.halting':
      case 'landing.moving':
        return null
      case 'landing.verifying':
        return minor('landing', `verifying ${nameList(event.tasks)} at ${shortCommit(event.commit)}`)
      case 'landing.verified': {
        if (!event.verdict) return null
        const { passed, cached, durationMs, failure } = event.verdict
        const took = cached ? ' (the same tree has passed before)' : ` after ${formatDuration(durationMs)}`
        const what = `verification of ${shortCommit(event.commit)}`
        if (passed && this.#red.has(event.commit)) return major('landing', `${what} passed this time: it was a flake`)
        if (passed) return minor('landing', `${what} passed${took}`)
        this.#red.add(event.commit)
        return major('landing', `${what} failed${took}: ${failure ? whyFailed(failure) : 'no reason given'}`)
      }
      case 'landing.landed': {
        const late = event.tasks.some((task) => this.#cancelled.has(task)) ? ', before it could be cancelled' : ''
        const landed = `${event.tasks.join(', ')} landed as ${shortCommit(event.commit)}`
        return major('landed', `${landed}${late}${this.#cost(event.tasks)}`)
      }
      case 'landing.refused': {
        const what = `${event.tasks.join(', ')} did not land`
        const why = whyFailed(event.failure)
        if (event.conflict?.by === 'person')
          return major('conflict', `${what}: ${why}. Resolve it: \`espalier resolve ${event.tasks[0]} --run ${run}\``)
        const isOver = event.tasks.some((task) => this.#facts.find(task)?.view.status === 'failed')
        if (isOver || !event.retry) return major('failed', `${what}: ${why}`)
        return major('pending', `${what} and ${event.tasks.length === 1 ? 'is' : 'are'} retried: ${why}`)
      }
      case 'attempt.late': {
        const what = `what attempt ${event.attempt} had done came too late, its worker was given up`
        return minor('running', `${event.task}: ${what}`)
      }
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
        return minor(null, `run ${run} ${this.#endOf(event.status)}`)
      default:
        return event satisfies never
    }
  }

  #ended(event: EventOf<'attempt.finished'>): EventLine | null {
    const { task: id, attempt, at, summary, flagged, undeclared } = event
    const { task, view } = this.#facts.find(id) ?? {}
    const own = view?.history.find((one) => one.attempt === attempt)
    // An interruption that never continues is a cancel, which only the view says.
    const { outcome, failure } = own ?? event
    const time = own ? formatDuration(Math.max(0, at - own.startedAt)) : ''
    const took = time === '' ? '' : ` after ${time}`
    // Tasks of a search are named by their title: their ids say nothing.
    const name = task?.search ? safeLine(task.title.replace(/: measure$/, '')) : id
    const late = this.#stopping.delete(id) && !failure ? ', before it could be stopped' : ''
    if (failure) {
      const status = outcome === 'cancelled' ? 'cancelled' : 'failed'
      if (failure.reason === 'cancelled') return major(status, `${name} was cancelled${took}`)
      const isOver = view?.status === 'failed'
      if (own?.countsAsTry === false && outcome !== 'cancelled' && !isOver)
        return major(
          'pending',
          `${name} stopped${took} (not counted as a try)${waitsFor(event, task, own)}: ${because(failure)}`,
        )
      const ended = status === 'cancelled' ? 'was stopped' : 'failed'
      return major(status, `${name} ${ended}${took}${this.#again(event)}: ${whyFailed(failure)}`)
    }
    const role = task?.search?.role
    if (role === 'judge')
      return major('passed', `${name}: ${safeLine(summary ?? 'no score')}${time === '' ? '' : ` (${time})`}`)
    if (role === 'step') return minor('passed', `${name} passed${took}`)
    // The best node of a search lands although this task itself changes nothing.
    if (role === 'result') return null
    const lands = task?.land !== false
    if (outcome === 'no-change') return major('passed', `${id} passed${took}${late}${lands ? ', no changes' : ''}`)
    const other = flagged ? `; other programs run what it changed: ${safeLine(pathsText(flagged))}` : ''
    const outside = undeclared ? `; changed outside its claims: ${safeLine(pathsText(undeclared))}` : ''
    if (!lands) return major('passed', `${id} passed${took}${late}${other}${outside}`)
    const text = `${id} done${took}${late}, waits to land${other}${outside}`
    return { status: 'landing', text, major: `${late}${other}${outside}` !== '' }
  }

  #attempts(task: string): readonly AttemptView[] {
    return this.#facts.find(task)?.view.history ?? []
  }

  /** `(attempt 2 of 3)`; a wasted attempt raises the total by one. */
  #again({ task, attempt }: { task: string; attempt: number }): string {
    const own = this.#attempts(task).find((one) => one.attempt === attempt)
    const tries = (this.#facts.find(task)?.task.retries ?? this.#facts.retries) + 1
    const most = tries + attempt - (own?.try ?? attempt)
    return most === 1 ? '' : ` (attempt ${attempt} of ${most})`
  }

  /** ` (2m 10s, 3 files +10 -2)` */
  #cost(tasks: readonly string[]): string {
    const attempts = tasks.flatMap((task) => this.#attempts(task).at(-1) ?? [])
    const [only] = attempts
    if (!only) return ''
    const diff = attempts.length === 1 && only.diff ? `, ${diffText(only.diff)}` : ''
    return ` (${formatDuration(workedMs(attempts, 0))}${diff})`
  }

  #endOf(status: RunStatus): string {
    if (status === 'cancelled' && this.#stopped === 'interrupted') return 'interrupted'
    if (status === 'failed') return 'ended: not every task succeeded'
    return status === 'waiting' ? 'waits for you' : status
  }
}

function wasOpen({ startedAt, finishedAt }: AttemptView, at: number): boolean {
  return startedAt <= at && (finishedAt === null || finishedAt > at)
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

/** Names the agent only for a fallback, and the model only if it was chosen automatically. */
function startedBy({ agent, insteadOf, choice, at, worker }: Extract<RunEvent, { type: 'attempt.started' }>): string {
  const where = worker === LOCAL ? '' : ` on ${worker}`
  const by = agent !== undefined && insteadOf ? ` by ${standInText(agent, insteadOf, at)}` : ''
  return `${where}${by}${choice ? ` with ${choiceText(choice)}` : ''}`
}

function slotsText(slots: number): string {
  return slots === 0 ? 'on workers only' : `${slots} at a time`
}

/** Effect of a rate limit on the task: it waits, or another agent does it meanwhile. */
function waitsFor(
  { limitedUntil, at }: EventOf<'attempt.finished'>,
  task: Task | undefined,
  { agent }: AttemptView,
): string {
  const left = (limitedUntil ?? 0) - at
  if (left <= 0) return ''
  if (!task || agentsOf(task.work).length < 2) return `, continues in ${formatDuration(left)}`
  return `, ${agent ?? 'its agent'} is paused for ${formatDuration(left)}`
}

function major(status: TaskStatus | null, text: string): EventLine {
  return { status, text, major: true }
}

function minor(status: TaskStatus | null, text: string): EventLine {
  return { status, text, major: false }
}
