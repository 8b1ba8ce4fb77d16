// What people look at while a run goes on: made of its history, which is kept up to date, and of the views of its tasks.
import { waitsOf, waitText } from '../../facts/waits.ts'
import { queueFacts } from '../../reports/facts/queue.ts'
import { waitsForHolds } from '../../scheduler/claims/holds.ts'
import { claimsView } from '../../scheduler/claims/view.ts'
import type { RunState } from '../../scheduler/state.ts'
import { runSummary, taskView } from '../../scheduler/view.ts'
import type { RunNow, TaskView } from '../../view.ts'
import { readRun } from '../../workspace/read-runs.ts'
import type { FollowedRun } from '../history/followed-run.ts'
import { forecast } from '../history/forecast.ts'
import { type GraphView, graphView } from '../history/graph-view.ts'
import type { Project } from '../projects/projects.ts'
import type { Answer } from '../protocol/routes.ts'
import { type Handlers, withRun } from './call.ts'
import { give, type Reply, refusal, refusedBy } from './reply.ts'

type Names = `runs.${'graph' | 'timeline' | 'forecast' | 'queue' | 'landings' | 'waits'}`

export const historyHandlers: Handlers<Names> = {
  'runs.graph': (call) =>
    withHistory(call, async ({ history, state }) => {
      const known = graphs.get(history)
      if (known?.version === history.graphVersion) return give(known.view)
      const view = graphView(state)
      graphs.set(history, { version: history.graphVersion, view })
      return give(view)
    }),

  'runs.timeline': (call) =>
    withHistory(call, async ({ history, state }, { startedAt, finishedAt }) => {
      const { since } = call.input
      const isLate = (end: number | null) => end === null || end > since
      return give({
        at: Date.now(),
        startedAt,
        finishedAt,
        slots: history.slots,
        attempts: state.graph.tasks.flatMap((_, index) => attemptsOf(taskView(state, index), isLate)),
        verifications: [...history.verifications.values()].filter(({ finishedAt: end }) => isLate(end)),
        landings: history.landings.filter(({ at }) => at > since),
        pauses: history.pauses.filter(({ endedAt }) => isLate(endedAt)),
        gaps: history.gaps.filter(({ to }) => to > since),
      } satisfies Answer<'runs.timeline'>)
    }),

  'runs.forecast': (call) => withHistory(call, async ({ state }) => give(forecast(state, Date.now()))),

  'runs.queue': (call) =>
    withHistory(call, async ({ history, state }) => {
      const { batches } = call.input
      const facts = queueFacts(history)
      return give({
        now: runSummary(state, NOBODY).queue ?? null,
        waiting: tasksWith(state, 'landing'),
        facts: facts && { ...facts, batches: facts.batches.slice(-batches), culprits: facts.culprits.slice(-batches) },
        conflicts: conflictsOf(state),
        refusals: history.refusals.slice(-batches),
      } satisfies Answer<'runs.queue'>)
    }),

  'runs.landings': (call) =>
    withHistory(call, async ({ history }) => {
      const { after, limit } = call.input
      // Counted from the first: the newest come and go nowhere.
      const end = after === undefined ? history.landings.length : Number.parseInt(after, 10) || 0
      const from = Math.max(0, end - limit)
      return give({ items: history.landings.slice(from, end).reverse(), next: from > 0 ? String(from) : null })
    }),

  'runs.waits': (call) =>
    withHistory(call, async ({ state }, { run, holds = [] }, { workspace }) => {
      const found = await readRun(workspace, { run })
      if (!found.ok) return refusedBy(found.problems)
      if (!found.value) return refusal('not-found', `there is no run ${run}`)
      const now = Date.now()
      const plan = { name: '', base: null, epics: [], tasks: state.graph.tasks }
      const { waiting } = claimsView(state, run, now)
      const claims = new Map(waiting.map((wait) => [wait.task, wait]))
      const waits = waitsOf(found.value, { now, plan, claims, holds: waitsForHolds(plan, holds) })
      return give({ items: [...waits].map(([task, wait]) => ({ task, ...wait, text: waitText(wait, now) })) })
    }),
}

/** Made of the graph alone, which changes seldom. */
const graphs = new WeakMap<FollowedRun, { version: number; view: GraphView }>()

const NOBODY = { run: '', name: '', repo: '', enginePid: 0 }

type WithState = { history: FollowedRun; state: RunState }

export function withHistory(
  call: Parameters<typeof withRun>[0],
  use: (of: WithState, run: RunNow, project: Project) => Promise<Reply>,
): Promise<Reply> {
  return withRun(call, async (project, run) => {
    const history = call.context.histories.of(project, run)
    const state = await history.state()
    if (!state.ok) return refusedBy(state.problems)
    if (!state.value) return refusal('not-found', `run ${run.run} has not begun`)
    return use({ history, state: state.value }, run, project)
  })
}

function attemptsOf({ id, status, history }: TaskView, isLate: (end: number | null) => boolean) {
  const last = history.at(-1)
  return history
    .filter(({ finishedAt }) => isLate(finishedAt))
    .map((one) => ({
      task: id,
      attempt: one.attempt,
      slot: one.slot,
      worker: one.worker,
      agent: one.session?.agent ?? one.agent ?? null,
      startedAt: one.startedAt,
      finishedAt: one.finishedAt,
      outcome: one.outcome,
      landed: one === last && status === 'landed',
    }))
}

function tasksWith({ graph, tasks }: RunState, status: TaskView['status']): string[] {
  return graph.tasks.flatMap(({ id }, index) => (tasks[index]?.state.status === status ? [id] : []))
}

function conflictsOf(state: RunState): Answer<'runs.queue'>['conflicts'] {
  return state.graph.tasks.flatMap(({ id }, index) => {
    const now = state.tasks[index]?.state
    const { conflict } = taskView(state, index)
    if (now?.status !== 'conflict' || !conflict) return []
    return [{ task: id, ...conflict, since: now.since, paths: now.failure.paths ?? [] }]
  })
}
