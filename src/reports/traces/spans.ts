// A run as the spans of a trace: run → task → attempt → session, with the checks of an attempt, the verifications of the landing
// queue and the landings. Derived from the journal: ids depend on the run alone, so an engine that resumes a run continues its trace.
// Pure.
import { createHash } from 'node:crypto'
import type { Event, EventOf } from '../../event.ts'
import { type PastVerification, RunHistory } from '../../facts/landing-queue-history.ts'
import { SettledTasks } from '../../scheduler/settled-task-tracker.ts'
import type { RunState } from '../../scheduler/state.ts'
import type { Plan } from '../../task.ts'
import type { TaskView } from '../../view.ts'

type Attributes = Record<string, string | number | boolean>

/** Attributes before those without a value are dropped. */
type Loose = Record<string, Attributes[string] | null | undefined>

function known(attributes: Loose): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value != null)) as Attributes
}

export type SpanRecord = {
  id: string
  /** Null for the span of the run. */
  parent: string | null
  name: string
  /** Milliseconds since the epoch. */
  from: number
  to: number
  attributes: Attributes
  /** Reason of the failure; null: success. */
  error: string | null
  /** Related spans other than the parent. */
  links: string[]
}

export class RunSpans {
  readonly #run: string
  readonly #plan: Plan
  readonly #tasks: SettledTasks
  readonly #history = new RunHistory()
  #trace = ''

  constructor(run: string, plan: Plan) {
    this.#run = run
    this.#plan = plan
    this.#tasks = new SettledTasks(plan)
  }

  /** 32 hexadecimal digits; set by the first event. */
  get trace(): string {
    return this.#trace
  }

  /** Returns the spans that end with this event. Call it with all events of the journal in order. */
  take(event: Event): SpanRecord[] {
    if (event.type === 'run.started') this.#trace = digits(`${this.#run}\n${event.base}\n${event.at}`, 32)
    const after = this.#tasks.take(event)
    if (!after) return []
    this.#history.take(event)
    return [...this.#endedWith(event, after.state), ...after.settled.flatMap((task) => this.#taskSpan(task))]
  }

  #endedWith(event: Event, state: RunState): SpanRecord[] {
    switch (event.type) {
      case 'attempt.finished':
        return this.#attemptSpans(event)
      case 'landing.verified': {
        const verification = this.#history.verifications.get(event.verification)
        return verification ? [this.#verificationSpan(verification)] : []
      }
      case 'landing.landed': {
        const { commit, at } = event
        return event.tasks.map((task) => this.#landingSpan(task, at, { commit }, null))
      }
      case 'landing.refused': {
        const { failure, at } = event
        return event.tasks.map((task) => this.#landingSpan(task, at, { reason: failure.reason }, failure.message))
      }
      case 'run.finished':
        return [this.#runSpan(event, state)]
      default:
        return []
    }
  }

  #runSpan({ at, status }: EventOf<'run.finished'>, state: RunState): SpanRecord {
    const { startedAt, branch, base, head, counts, usage } = state
    const end = { branch, base, head, status, tasks: counts.total, landed: counts.landed, cost_usd: usage.costUsd }
    const error = status === 'completed' ? null : status
    return this.#span('run', null, `run ${this.#plan.name}`, [startedAt, at], end, error)
  }

  /** Span of a task until it is settled; a later retry has another span. */
  #taskSpan({ id, title, epic, status, attempts, failure, startedAt, finishedAt }: TaskView): SpanRecord[] {
    if (startedAt === null || finishedAt === null) return []
    const own = { task: id, title, status, attempts, epic }
    const error = failure?.message ?? null
    return [this.#span(`task ${id}`, 'run', `task ${id}`, [startedAt, finishedAt], own, error)]
  }

  /** By the view: `apply` may know more of its end than the event. */
  #attemptSpans({ task, attempt, at }: EventOf<'attempt.finished'>): SpanRecord[] {
    const view = this.#tasks.find(task)?.view.history.find((one) => one.attempt === attempt)
    if (!view) return []
    const { startedAt, slot, worker, agent, base, outcome, failure, session, usage, checks = [], commit } = view
    const own = { task, attempt }
    const key = `attempt ${task} ${attempt}`
    const checkedMs = checks.reduce((sum, { durationMs }) => sum + durationMs, 0)
    const checkedFrom = Math.max(startedAt, at - checkedMs)
    const facts = {
      ...{ ...own, outcome, slot, worker, base, agent },
      ...{ commit, reason: failure?.reason, cost_usd: usage?.costUsd },
    }
    const error = failure?.message ?? null
    const spans = [this.#span(key, `task ${task}`, `attempt ${attempt} of ${task}`, [startedAt, at], facts, error)]
    if (session) {
      const said = { ...own, turns: session.turns, tool_calls: session.toolCalls, cost_usd: usage?.costUsd }
      const name = `session of ${session.agent}`
      const span = this.#span(`session ${task} ${attempt}`, key, name, [startedAt, checkedFrom], said)
      const common = known({
        'gen_ai.agent.name': session.agent,
        'gen_ai.conversation.id': session.id,
        'gen_ai.response.model': session.model,
        'gen_ai.usage.input_tokens': usage?.inputTokens,
        'gen_ai.usage.output_tokens': usage?.outputTokens,
      })
      spans.push({ ...span, attributes: { ...span.attributes, ...common } })
    }
    let from = checkedFrom
    for (const [n, { command, durationMs, passed }] of checks.entries()) {
      const to = Math.min(at, from + durationMs)
      const failed = passed ? null : 'it did not pass'
      spans.push(
        this.#span(`check ${task} ${attempt} ${n}`, key, 'check', [from, to], { ...own, command, passed }, failed),
      )
      from = to
    }
    return spans
  }

  #verificationSpan(one: PastVerification): SpanRecord {
    const { verification, commit, slot, passed, cached, startedAt, finishedAt, failure, tasks } = one
    const name = `verification ${verification}`
    const own = { verification, commit, slot, ...(passed === null ? { halted: true } : { passed, cached }) }
    const span = this.#span(name, 'run', name, [startedAt, finishedAt ?? startedAt], own, failure?.message ?? null)
    return { ...span, links: tasks.slice(0, MOST_LINKS).map((task) => this.#id(`task ${task}`)) }
  }

  /** Span from the end of the successful attempt to the landing. */
  #landingSpan(task: string, at: number, end: { commit?: string; reason?: string }, error: string | null): SpanRecord {
    const done = this.#tasks.find(task)?.view.history.findLast(({ commit }) => commit !== null)
    const from = done?.finishedAt ?? at
    const name = `landing of ${task}`
    return this.#span(`landing ${task} ${from}`, `task ${task}`, name, [from, at], { task, ...end }, error)
  }

  #span(
    key: string,
    parent: string | null,
    name: string,
    [from, to]: [number, number],
    own: Loose,
    error: string | null = null,
  ): SpanRecord {
    const of = { id: this.#id(key), parent: parent === null ? null : this.#id(parent), name }
    return { ...of, from, to: Math.max(from, to), attributes: this.#attributes(own), error, links: [] }
  }

  #attributes(own: Loose): Attributes {
    const named = Object.entries({ run: this.#run, ...own }).map(([name, value]) => [`espalier.${name}`, value])
    return known(Object.fromEntries(named))
  }

  #id(key: string): string {
    return digits(`${this.#trace}\n${key}`, 16)
  }
}

const MOST_LINKS = 100

function digits(text: string, count: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, count)
}
