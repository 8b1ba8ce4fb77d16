import { trace as traceOf } from '../../engine/query/trace.ts'
import { refuse } from '../../problem.ts'
import { inOtherRun, knownRun, runWith, taskIn, tellRun } from '../inputs/known-run.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import { lookOf } from '../surroundings.ts'
import { traceLines } from '../tables/trace.ts'
import { printJson, printLines } from '../terminal/print.ts'

type Flags = { run?: string; json?: boolean }

export async function trace(of: string, flags: Flags, here: InWorkspace): Promise<Done> {
  const { workspace } = here
  const known = await knownRun(workspace, flags.run)
  if (!known.ok) return known
  const task = await taskIn(workspace, known.value, of)
  const traced = await traceOf(workspace, { run: known.value.run, of: task.ok ? task.value : of })
  if (!traced.ok) {
    const other = task.ok ? null : await runWith(workspace, of, known.value.run)
    return other === null ? traced : refuse(inOtherRun(of, known.value.run, other))
  }
  if (task.ok) tellRun(known.value, flags.run, here)
  if (flags.json) return printJson(traced.value, here)
  return printLines(traceLines(traced.value, lookOf(here)), here)
}
