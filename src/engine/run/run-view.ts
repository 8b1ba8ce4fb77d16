// How a run that is being executed stands now, for whoever asks its engine.
import { atWorkMs } from '../../facts/at-work.ts'
import { runSummary, taskView } from '../../scheduler/view.ts'
import type { RunSummary, RunView } from '../../status.ts'
import { unwrittenLines } from '../../unwritten-status.ts'
import type { RunContext } from './run-context.ts'

/** Without the tasks: costs nothing on a large plan. */
export function summaryOf({ state, id, plan, repo }: RunContext): RunSummary {
  return runSummary(state, { run: id, name: plan.name, repo, enginePid: process.pid })
}

export function viewOf(context: RunContext, now: number): RunView {
  const { state, planFile } = context
  const tasks = state.graph.tasks.map((_, index) => taskView(state, index))
  const unwritten = context.planFileStatus?.unwritten
  return {
    ...summaryOf(context),
    engine: { pid: process.pid },
    durationMs: atWorkMs(state, now),
    tasks,
    ...(planFile === null ? {} : { planFile }),
    ...(unwritten && unwrittenLines(unwritten).length > 0 ? { unwritten } : {}),
  }
}
