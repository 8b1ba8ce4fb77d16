// A run as the spans of a trace: run → task → attempt → session, with the checks of an attempt, the verifications of the landing
// queue and the landings. Derived from the journal: the same run has the same ids, whichever engine tells of it, so an engine that
// goes on with a run goes on with its trace. Pure.
import { createHash } from 'node:crypto'
import type { Event, EventOf } from '../../event.ts'
import { type PastVerification, RunHistory } from '../../facts/run-history.ts'
import { SettledTasks } from '../../scheduler/settled-tasks.ts'
import type { RunState } from '../../scheduler/state.ts'
import type { Plan } from '../../task.ts'
import type { TaskView } from '../../view.ts'

type Attributes = Record<string, string | number | boolean>

/** Attributes that may have no value: these are left out. */
type Loose = Record<string, Attributes[string] | null | undefined>

function known(attributes: Loose): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value != null)) as Attributes
}

export type SpanRecord = {
  id: string
  /** Null: the run itself. */
  parent: string | null
  name: string
  /** In ms since the epoch. */
  from: number
  to: number
  attributes: Attributes
  /** Why it did not succeed. */
  error: string | null
  /** Spans it has to do with besides. */
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

  /** 32 hexadecimal digits. Known with the first event. */
  get trace(): string {
    return this.#trace
  }

  /** In the order of the journal, from its first event on. The spans that end with it. */
  take(event: Event): SpanRecord[] {
    if (event.type === 'run.started') this.#trace = digits(`${this.#run}\n${event.base}\n${event.at}`, 32)
    const after = this.#tasks.take(event)
    if (!after) return []
    const { attempt, verification, landing, refusal } = this.#history.take(event)
    return [
      ...(attempt ? this.#attemptSpans(attempt) : []),
      ...(verification ? [this.#verificationSpan(verification)] : []),
      ...(landing
        ? landing.tasks.map((task) => this.#landingSpan(task, landing.at, { commit: landing.commit }, null))
        : []),
      ...(refusal
        ? refusal.tasks.map((task) =>
            this.#landingSpan(task, refusal.at, { reason: refusal.failure.reason }, refusal.failure.message),
          )
        : []),
      ...after.settled.flatMap((task) => this.#taskSpan(task)),
      ...(event.type === 'run.finished' ? [this.#runSpan(event, after.state)] : []),
    ]
  }

  #runSpan(
    { at, status }: EventOf<'run.finished'>,
    { startedAt, branch, base, head, counts, usage }: RunState,
  ): SpanRecord {
    const end = { branch, base, head, status, tasks: counts.total, landed: counts.landed, cost_usd: usage.costUsd }
    return {
      ...this.#span('run', null, `run ${this.#plan.name}`, startedAt, at),
      attributes: this.#attributes(end),
      error: status === 'completed' ? null : status,
    }
  }

  /** One that is tried again later has another span. */
  #taskSpan(task: TaskView): SpanRecord[] {
    if (task.startedAt === null || task.finishedAt === null) return []
    const { id, title, epic, status, attempts, failure } = task
    return [
      {
        ...this.#span(`task ${id}`, 'run', `task ${id}`, task.startedAt, task.finishedAt),
        attributes: this.#attributes({ task: id, title, status, attempts, epic }),
        error: failure?.message ?? null,
      },
    ]
  }

  #attemptSpans({ task, attempt, at, ...end }: EventOf<'attempt.finished'>): SpanRecord[] {
    const started = this.#tasks.find(task)?.view.history.find((one) => one.attempt === attempt)
    if (!started) return []
    const { outcome, failure, session, usage, checks = [] } = end
    const own = { task, attempt }
    const key = `attempt ${task} ${attempt}`
    const { startedAt, slot, worker, agent, base } = started
    const checkedMs = checks.reduce((sum, { durationMs }) => sum + durationMs, 0)
    const checkedFrom = Math.max(startedAt, at - checkedMs)
    const spans: SpanRecord[] = [
      {
        ...this.#span(key, `task ${task}`, `attempt ${attempt} of ${task}`, startedAt, at),
        attributes: this.#attributes({
          ...{ ...own, outcome, slot, worker, base, agent },
          ...{ commit: end.commit, reason: failure?.reason, cost_usd: usage?.costUsd },
        }),
        error: failure?.message ?? null,
      },
    ]
    if (session)
      spans.push({
        ...this.#span(`session ${task} ${attempt}`, key, `session of ${session.agent}`, startedAt, checkedFrom),
        attributes: {
          ...this.#attributes({
            ...own,
            turns: session.turns,
            tool_calls: session.toolCalls,
            cost_usd: usage?.costUsd,
          }),
          ...known({
            'gen_ai.agent.name': session.agent,
            'gen_ai.conversation.id': session.id,
            'gen_ai.response.model': session.model,
            'gen_ai.usage.input_tokens': usage?.inputTokens,
            'gen_ai.usage.output_tokens': usage?.outputTokens,
          }),
        },
      })
    let from = checkedFrom
    for (const [n, { command, durationMs, passed }] of checks.entries()) {
      const to = Math.min(at, from + durationMs)
      spans.push({
        ...this.#span(`check ${task} ${attempt} ${n}`, key, 'check', from, to),
        attributes: this.#attributes({ ...own, command, passed }),
        error: passed ? null : 'it did not pass',
      })
      from = to
    }
    return spans
  }

  #verificationSpan(one: PastVerification): SpanRecord {
    const { verification, commit, slot, passed, cached, startedAt, finishedAt, failure, tasks } = one
    const name = `verification ${verification}`
    const end = passed === null ? { halted: true } : { passed, cached }
    return {
      ...this.#span(name, 'run', name, startedAt, finishedAt ?? startedAt),
      attributes: this.#attributes({ verification, commit, slot, ...end }),
      error: failure?.message ?? null,
      links: tasks.slice(0, MOST_LINKS).map((task) => this.#id(`task ${task}`)),
    }
  }

  /** From the moment its work was done. */
  #landingSpan(task: string, at: number, end: { commit?: string; reason?: string }, error: string | null): SpanRecord {
    const done = this.#tasks.find(task)?.view.history.findLast(({ commit }) => commit !== null)
    const from = done?.finishedAt ?? at
    return {
      ...this.#span(`landing ${task} ${from}`, `task ${task}`, `landing of ${task}`, from, at),
      attributes: this.#attributes({ task, ...end }),
      error,
    }
  }

  #span(key: string, parent: string | null, name: string, from: number, to: number): SpanRecord {
    const of = { id: this.#id(key), parent: parent === null ? null : this.#id(parent) }
    return { ...of, name, from, to: Math.max(from, to), attributes: {}, error: null, links: [] }
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
