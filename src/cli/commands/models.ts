import { readModels } from '../../internal.ts'
import type { ExitStatus } from '../exit-status.ts'
import { warnOfDamage } from '../hints/damaged.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { refuseWith } from '../refusal.ts'
import { lookOf, type Surroundings } from '../surroundings.ts'
import { modelLines } from '../tables/models.ts'
import { printJson, printLines } from '../terminal/print.ts'

export async function models(
  flags: RepositoryFlags & { json?: boolean },
  surroundings: Surroundings,
): Promise<ExitStatus> {
  const found = await findWorkspace(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const { workspace, settings } = found.value
  const warned = await warnOfDamage(workspace, surroundings)
  if (!warned.ok) return refuseWith(warned.problems, surroundings)
  const read = await readModels(workspace, { settings })
  if (!read.ok) return refuseWith(read.problems, surroundings)
  if (flags.json) return printJson(read.value, surroundings)
  return printLines(modelLines(read.value, lookOf(surroundings)), surroundings)
}
