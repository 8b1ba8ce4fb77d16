import { trace as traceOf } from '../../index.ts'
import { problem } from '../../problem.ts'
import type { ExitStatus } from '../exit-status.ts'
import { inOtherRun, knownRun, runWith, taskIn, tellRun } from '../inputs/known-run.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { refuseWith } from '../refusal.ts'
import { lookOf, type Surroundings } from '../surroundings.ts'
import { traceLines } from '../tables/trace.ts'
import { printJson, printLines } from '../terminal/print.ts'

type Flags = RepositoryFlags & { run?: string; json?: boolean }

export async function trace(of: string, flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const found = await findWorkspace(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const { workspace } = found.value
  const known = await knownRun(workspace, flags.run)
  if (!known.ok) return refuseWith(known.problems, surroundings)
  const task = await taskIn(workspace, known.value, of)
  const traced = await traceOf(workspace, { run: known.value.run, of: task.ok ? task.value : of })
  if (!traced.ok) {
    const other = task.ok ? null : await runWith(workspace, of, known.value.run)
    const said = other === null ? traced.problems : [problem(inOtherRun(of, known.value.run, other))]
    return refuseWith(said, surroundings)
  }
  if (task.ok) tellRun(known.value, flags.run, surroundings)
  if (flags.json) return printJson(traced.value, surroundings)
  return printLines(traceLines(traced.value, lookOf(surroundings)), surroundings)
}
