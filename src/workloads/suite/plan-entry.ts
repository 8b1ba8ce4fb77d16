// A plan file as an entry of a suite: its tasks, one after the other in one worktree, judged by their checks. Nothing of it
// lands, and nothing is written into the file.
import type { Settings } from '../../config.ts'
import { ok, type Problem, problem, type Result, refuse } from '../../problem.ts'
import type { Task } from '../../task.ts'
import { listOf } from '../document/field.ts'
import { readPlanFiles } from '../plan/read.ts'
import type { PlanFile } from '../plan/source.ts'
import type { EntryInput } from './schema.ts'

type PlanEntry = { tasks: Task[]; setup: string[]; warnings: Problem[] }

/** `agent` and `model`: of the entry or its variant; they go above what the plan says. */
export function readPlanEntry(
  entry: EntryInput,
  files: readonly PlanFile[],
  {
    settings,
    agents,
    agent,
    model,
  }: { settings: Settings; agents: readonly string[]; agent: string | undefined; model: string | undefined },
): Result<PlanEntry> {
  const { plan: name = '', format } = entry
  const part = partOf(entry.batch_range)
  const overrule = agent === undefined ? {} : { agent }
  // A range implies a batch plan: only these have batches.
  const how = part === undefined ? { format } : { format: format ?? 'batch-plan', part }
  const read = readPlanFiles(files, name, settings, { agents, overrule, redo: true, ...how })
  if (!read.ok) return read
  const { plan, settings: said, warnings } = read.value
  if (plan.tasks.length === 0) return refuse(problem('there is nothing in it to run', { file: name }))
  const tasks = plan.tasks.map((task) => {
    const { work } = task
    return model === undefined || work.kind === 'command' ? task : { ...task, work: { ...work, model } }
  })
  return ok({ tasks, setup: listOf(said.setup) ?? [], warnings })
}

function partOf(range: EntryInput['batch_range']): string | undefined {
  const text = String(range ?? 'all').trim()
  return text === 'all' ? undefined : text.replaceAll(/\s/g, '')
}
