// Views of tasks and runs, derived from the state.
import type { Hold, PauseView, QueueView, RunSummary, TaskView } from '../view.ts'
import { usageOfRun } from './budgets/accounts.ts'
import { budgetsView } from './budgets/affordable.ts'
import { unplacedUnits } from './decide.ts'
import { holdsBack } from './dispatch/pauses.ts'
import { taskAt, type Unit } from './graph.ts'
import { type RunState, record, unitState } from './state.ts'

export function taskView(state: RunState, index: number): TaskView {
  const { id, title, epic, needs } = taskAt(state.graph, index)
  const { state: current, history, queuedAt, priority } = record(state, index)
  const first = history[0]
  const last = history.at(-1)
  const startedAt = first?.startedAt ?? null
  const finishedAt = 'at' in current ? current.at : null
  const view: TaskView = {
    id,
    title,
    epic,
    needs,
    status: current.status,
    outcome: last?.outcome ?? null,
    attempts: history.length,
    startedAt,
    finishedAt,
    durationMs: startedAt !== null && finishedAt !== null ? finishedAt - startedAt : null,
    landedCommit: current.status === 'landed' ? current.commit : null,
    landedAt: current.status === 'landed' ? current.at : null,
    failure: 'failure' in current ? current.failure : null,
    conflict: current.status === 'conflict' ? unitState(state, state.graph.unitOf[index] as number).resolves : null,
    retryAt: current.status === 'pending' ? current.retryAt : null,
    stalledSince: current.status === 'running' ? current.stalledSince : null,
    history,
  }
  // Not spread into the literal: views are made for every task after every event of a simulation.
  if (queuedAt !== null) view.queuedAt = queuedAt
  if (priority !== null) view.priority = priority
  return view
}

/** All of a run but its tasks: costs the same for ten tasks and for 100,000. */
export function runSummary(
  state: RunState,
  facts: Pick<RunSummary, 'run' | 'name' | 'repo' | 'enginePid'>,
): RunSummary {
  return {
    ...facts,
    ...(state.kind === 'plan' ? {} : { kind: state.kind }),
    status: state.finished ?? 'running',
    resumable: isResumable(state),
    branch: state.branch,
    base: state.base,
    head: state.head,
    startedAt: state.startedAt,
    finishedAt: state.finishedAt,
    lastAt: state.lastAt,
    idleMs: state.idleMs,
    slots: state.workers.capacity,
    schedule: state.limits.schedule,
    counts: { ...state.counts },
    usage: usageOfRun(state),
    queue: queueView(state),
    paused: pausedAgents(state),
    holds: holdsNow(state),
    budgets: budgetsView(state),
    unplaced: unplacedTasks(state),
  }
}

function pausedAgents({ paused, finished }: RunState): PauseView[] | undefined {
  const shown = [...paused].filter(([, pause]) => holdsBack(pause))
  const views = shown.map(([agent, { until, why, needsLogin, probe }]): PauseView => {
    return { agent, until, why, ...(needsLogin ? { needsLogin } : {}), ...(probe === null ? {} : { probe }) }
  })
  const left = finished === null ? views : finished === 'waiting' ? views.filter((one) => one.needsLogin) : []
  return left.length > 0 ? left : undefined
}

/** Tasks without a suitable machine, grouped by their requirements. */
function unplacedTasks(state: RunState): RunSummary['unplaced'] {
  // Skipped while tasks run or land: the scan is slow and almost always finds nothing.
  if (state.running.size > 0 || (state.finished !== null && state.finished !== 'waiting')) return undefined
  const units = unplacedUnits(state)
  if (units.length === 0) return undefined
  return [...Map.groupBy(units, ({ requires }) => requires.key).values()].map((same) => {
    const { labels, uses } = (same[0] as Unit).requires
    return { labels: [...labels], uses: Object.fromEntries(uses), tasks: same.length }
  })
}

function holdsNow({ holds, finished }: RunState): Hold[] | undefined {
  return holds.size === 0 || finished !== null ? undefined : [...holds.values()]
}

function queueView({ batch, graph }: RunState): QueueView | undefined {
  const { items, verifications, lastVerification, flakes } = batch
  if (lastVerification === 0 && items.length === 0) return undefined
  const tasksOf = (unit: number) => (graph.units[unit]?.members ?? []).map((member) => taskAt(graph, member).id)
  const verifying = verifications
    .filter((one) => !one.halting)
    .map(({ number, commit, startedAt }) => {
      const part = items.slice(0, items.findIndex((item) => item.commit === commit) + 1)
      return {
        verification: number,
        commit,
        tasks: part.flatMap((item) => tasksOf(item.unit)).length,
        since: startedAt,
      }
    })
  return { batch: items.flatMap((item) => tasksOf(item.unit)), verifying, verifications: lastVerification, flakes }
}

export function isResumable(state: RunState): boolean {
  if (state.finished === null || state.finished === 'waiting') return true
  return state.finished === 'cancelled' && state.stop === 'interrupt'
}
