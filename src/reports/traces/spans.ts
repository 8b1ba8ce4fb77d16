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
    const said = { 'espalier.branch': branch, 'espalier.base': base, 'espalier.head': head, 'espalier.status': status }
    const numbers = {
      'espalier.tasks': counts.total,
      'espalier.landed': counts.landed,
      'espalier.cost_usd': usage.costUsd,
    }
    return {
      ...this.#span('run', null, `run ${this.#plan.name}`, startedAt, at),
      attributes: { ...this.#own(), ...said, ...numbers },
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
        attributes: {
          ...this.#own(id),
          ...{ 'espalier.title': title, 'espalier.status': status, 'espalier.attempts': attempts },
          ...(epic === null ? {} : { 'espalier.epic': epic }),
        },
        error: failure?.message ?? null,
      },
    ]
  }

  #attemptSpans({ task, attempt, at, ...end }: EventOf<'attempt.finished'>): SpanRecord[] {
    const started = this.#tasks.find(task)?.view.history.find((one) => one.attempt === attempt)
    if (!started) return []
    const { outcome, failure, session, usage, checks = [] } = end
    const own = { ...this.#own(task), 'espalier.attempt': attempt }
    const key = `attempt ${task} ${attempt}`
    const { startedAt, slot, worker, agent, base } = started
    const checkedMs = checks.reduce((sum, { durationMs }) => sum + durationMs, 0)
    const checkedFrom = Math.max(startedAt, at - checkedMs)
    const spans: SpanRecord[] = [
      {
        ...this.#span(key, `task ${task}`, `attempt ${attempt} of ${task}`, startedAt, at),
        attributes: {
          ...own,
          ...{ 'espalier.outcome': outcome, 'espalier.slot': slot, 'espalier.worker': worker, 'espalier.base': base },
          ...(agent === undefined ? {} : { 'espalier.agent': agent }),
          ...(end.commit === null ? {} : { 'espalier.commit': end.commit }),
          ...(failure === null ? {} : { 'espalier.reason': failure.reason }),
          ...(usage === null ? {} : { 'espalier.cost_usd': usage.costUsd }),
        },
        error: failure?.message ?? null,
      },
    ]
    if (session)
      spans.push({
        ...this.#span(`session ${task} ${attempt}`, key, `session of ${session.agent}`, startedAt, checkedFrom),
        attributes: {
          ...own,
          'gen_ai.agent.name': session.agent,
          'gen_ai.conversation.id': session.id,
          ...(session.model === null ? {} : { 'gen_ai.response.model': session.model }),
          ...(usage === null
            ? {}
            : {
                'gen_ai.usage.input_tokens': usage.inputTokens,
                'gen_ai.usage.output_tokens': usage.outputTokens,
                'espalier.cost_usd': usage.costUsd,
              }),
          ...{ 'espalier.turns': session.turns, 'espalier.tool_calls': session.toolCalls },
        },
      })
    let from = checkedFrom
    for (const [n, { command, durationMs, passed }] of checks.entries()) {
      const to = Math.min(at, from + durationMs)
      spans.push({
        ...this.#span(`check ${task} ${attempt} ${n}`, key, 'check', from, to),
        attributes: { ...own, 'espalier.command': command, 'espalier.passed': passed },
        error: passed ? null : 'it did not pass',
      })
      from = to
    }
    return spans
  }

  #verificationSpan(one: PastVerification): SpanRecord {
    const { verification, commit, slot, passed, cached, startedAt, finishedAt, failure, tasks } = one
    return {
      ...this.#span(
        `verification ${verification}`,
        'run',
        `verification ${verification}`,
        startedAt,
        finishedAt ?? startedAt,
      ),
      attributes: {
        ...this.#own(),
        ...{ 'espalier.verification': verification, 'espalier.commit': commit, 'espalier.slot': slot },
        ...(passed === null ? { 'espalier.halted': true } : { 'espalier.passed': passed, 'espalier.cached': cached }),
      },
      error: failure?.message ?? null,
      links: tasks.slice(0, MOST_LINKS).map((task) => this.#id(`task ${task}`)),
    }
  }

  /** From the moment its work was done. */
  #landingSpan(task: string, at: number, end: { commit?: string; reason?: string }, error: string | null): SpanRecord {
    const done = this.#tasks.find(task)?.view.history.findLast(({ commit }) => commit !== null)
    const from = done?.finishedAt ?? at
    const attributes = Object.fromEntries(Object.entries(end).map(([name, value]) => [`espalier.${name}`, value]))
    return {
      ...this.#span(`landing ${task} ${from}`, `task ${task}`, `landing of ${task}`, from, at),
      attributes: { ...this.#own(task), ...attributes },
      error,
    }
  }

  #span(key: string, parent: string | null, name: string, from: number, to: number): SpanRecord {
    const of = { id: this.#id(key), parent: parent === null ? null : this.#id(parent) }
    return { ...of, name, from, to: Math.max(from, to), attributes: {}, error: null, links: [] }
  }

  #own(task?: string): Attributes {
    return { 'espalier.run': this.#run, ...(task === undefined ? {} : { 'espalier.task': task }) }
  }

  #id(key: string): string {
    return digits(`${this.#trace}\n${key}`, 16)
  }
}

const MOST_LINKS = 100

function digits(text: string, count: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, count)
}
