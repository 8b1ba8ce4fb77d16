// What people look at while a run goes on: made of its history, which is kept up to date, and of the views of its tasks.
import { queueFacts } from '../../reports/facts/queue.ts'
import type { RunState } from '../../scheduler/state.ts'
import { runSummary, taskView } from '../../scheduler/view.ts'
import type { RunNow, TaskView } from '../../view.ts'
import type { FollowedRun } from '../history/followed-run.ts'
import { forecast } from '../history/forecast.ts'
import type { Project } from '../projects/projects.ts'
import type { Answer } from '../protocol/routes.ts'
import { type Handlers, withRun } from './call.ts'
import { give, type Reply, refusal, refusedBy } from './reply.ts'

type Names = `runs.${'forecast' | 'queue' | 'landings'}`

export const historyHandlers: Handlers<Names> = {
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
}

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
