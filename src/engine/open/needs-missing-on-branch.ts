// A changed plan applied to an older run: tasks that need others which the plan file calls done and this run has not done.
// Somebody did them elsewhere, so their work is not on its branch (I4).

import { type Problem, problem } from '../../problem.ts'
import type { RunState } from '../../scheduler/state.ts'
import { isDone, type TaskStatus } from '../../status.ts'
import type { Plan } from '../../task.ts'
import { shown } from '../../workloads/document/field.ts'
import type { PlanFileTasks } from '../../workloads/formats/status/plan-file-tasks.ts'

type TakenOver = {
  run: string
  origin: PlanFileTasks
  doneNeeds: ReadonlyMap<string, readonly string[]>
  since: ReadonlyMap<string, string>
  /** Tasks that are tried again; null: the run is only continued. */
  again: readonly string[] | null
  plans: readonly Plan[]
  /** Contents of the file when the run began. */
  kept: PlanFileTasks | null
}

export function lackingNeeds(state: RunState, taken: TakenOver): Problem[] {
  const { run, origin, again } = taken
  const done = new Map(origin.done?.map(({ task, source }) => [task, source]))
  const open = new Map(origin.open.map(({ task, source }) => [task, source]))
  const opened = new Set(again)
  const pairs = [...taken.doneNeeds]
    .filter(([task]) => isOpen(state, task) || opened.has(task))
    .flatMap(([task, needs]) => needs.map((need) => ({ task, need })))
  const isThere = thereIn(state, taken)
  const lacking = Map.groupBy(
    pairs.filter(({ need }) => done.has(need) && !isThere(need)),
    ({ need }) => need,
  )
  return [...lacking].map(([need, [first, ...others]]) => {
    const [it, needing] = [shown(done.get(need) ?? need), shown(open.get(first?.task ?? '') ?? first?.task ?? '')]
    const more = others.length === 0 ? ' needs it' : ` and ${others.length} more need it`
    const other = taken.since.get(need)
    const whose = other === undefined ? `not by run ${run}` : `by run ${other} and not by ${run}`
    const what = `${it} is done by the plan file, but ${whose}: its work is not on ${state.branch}, and ${needing}${more}`
    return problem([what, anew(state, run), ...(other === undefined ? [asItIs(run, again)] : [])].join('\n  '))
  })
}

function thereIn(state: RunState, { plans, kept }: TakenOver): (task: string) => boolean {
  const before = kept?.done && new Set(kept.done.map(({ task }) => task))
  // The run's own tasks were not done when it began.
  const itsOwn = new Set(plans.flatMap(({ tasks }) => tasks.map(({ id }) => id)))
  return (task) => {
    const status = statusOf(state, task)
    return (status !== null && isDone(status)) || (before ? before.has(task) : !itsOwn.has(task))
  }
}

function isOpen(state: RunState, task: string): boolean {
  const status = statusOf(state, task)
  return status === null || status === 'pending' || status === 'ready'
}

function statusOf({ graph, tasks }: RunState, task: string): TaskStatus | null {
  return tasks[graph.taskIndex.get(task) ?? -1]?.state.status ?? null
}

function anew({ head, base }: RunState, run: string): string {
  const landing = head === base ? '' : `\`espalier land ${run}\`, then `
  return `${landing}a new run of the plan file starts with all that is on your branch`
}

function asItIs(run: string, again: TakenOver['again']): string {
  const command = again ? `espalier retry --run ${run}` : `espalier resume ${run}`
  return `\`${command}\` without --replan continues with the plan of the run, and does it there as well`
}
