import { readModels } from '../../engine/expertise/model-records.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import { lookOf } from '../surroundings.ts'
import { modelLines } from '../tables/models.ts'
import { printJson, printLines } from '../terminal/print.ts'
import { warnOfDamage } from './expertise.ts'

export async function models(flags: { json?: boolean }, here: InWorkspace): Promise<Done> {
  const { workspace, settings } = here
  const warned = await warnOfDamage(here)
  if (!warned.ok) return warned
  const read = await readModels(workspace, { settings })
  if (!read.ok) return read
  if (flags.json) return printJson(read.value, here)
  return printLines(modelLines(read.value, lookOf(here)), here)
}
