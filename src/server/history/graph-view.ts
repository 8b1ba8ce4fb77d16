// The graph of a run as it is now: what waits for what, in which order it is started, and how long it will probably take.

import { wavesOf } from '../../scheduler/dispatch/waves.ts'
import { dispatchOrder } from '../../scheduler/graph.ts'
import type { RunState } from '../../scheduler/state.ts'
import { likelyMs, likelyUsd, type Task } from '../../task.ts'
import { levelsOf, taskGraph } from '../../workloads/analysis/task-graph.ts'
import { timesWithoutClaims } from '../../workloads/analysis/times.ts'
import type { Answer } from '../protocol/routes.ts'

export type GraphView = Answer<'runs.graph'>

export function graphView({ graph, tasks: records, waves }: RunState): GraphView {
  const placed = waves ?? wavesOf(graph)
  const ranks = new Map(graph.units.toSorted(dispatchOrder).map(({ index }, rank) => [index, rank]))
  const shape = taskGraph(graph.tasks)
  const levels = levelsOf(shape)
  const { criticalPath, totalMs } = timesWithoutClaims(graph.tasks, shape)
  const critical = new Set(criticalPath.tasks)
  return {
    tasks: graph.tasks.map((task, index) => {
      const unit = graph.unitOf[index] as number
      const { id, title, epic, needs, after, claims, isolation, tags } = task
      return {
        ...{ id, title, epic, needs, after, claims, isolation, tags },
        priority: records[index]?.priority ?? task.priority,
        ...workOf(task),
        estimateMs: likelyMs(task),
        estimateUsd: likelyUsd(task),
        estimateFrom: task.estimateMs !== null ? 'plan' : task.expected?.ms === undefined ? null : 'history',
        depth: levels[index] ?? 0,
        wave: placed.of[unit] ?? 0,
        rank: ranks.get(unit) ?? 0,
        remainingMs: graph.units[unit]?.remainingMs ?? 0,
        isCritical: critical.has(id),
      }
    }),
    epics: [...graph.epics.values()].map(({ id, title, needs, budgetUsd }) => ({
      ...{ id, title, needs, budgetUsd: budgetUsd ?? null },
    })),
    criticalPath,
    totalMs,
  }
}

function workOf({ work }: Task): Pick<GraphView['tasks'][number], 'kind' | 'agent' | 'model'> {
  return work.kind === 'prompt'
    ? { kind: 'prompt', agent: work.agent, model: work.model }
    : { kind: 'command', agent: null, model: null }
}
