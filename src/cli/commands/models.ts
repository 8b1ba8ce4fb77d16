import { resolveSettings } from '../../config.ts'
import { readModels } from '../../index.ts'
import { jsonText } from '../../text/json.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { warnOfDamage } from '../hints/damaged.ts'
import { findRepository, type RepositoryFlags } from '../inputs/repository.ts'
import { refuseWith } from '../refusal.ts'
import { type Surroundings, width } from '../surroundings.ts'
import { modelLines } from '../tables/models.ts'

export async function models(flags: RepositoryFlags & { json?: boolean }, around: Surroundings): Promise<ExitStatus> {
  const found = await findRepository(around, flags)
  if (!found.ok) return refuseWith(found.problems, around)
  const { where, layers } = found.value
  const { settings } = resolveSettings([...layers.belowPlan, ...layers.abovePlan])
  const warned = await warnOfDamage(where, around)
  if (!warned.ok) return refuseWith(warned.problems, around)
  const read = await readModels({ ...where, settings })
  if (!read.ok) return refuseWith(read.problems, around)
  const look = { width: width(around.out), palette: around.outPalette }
  const lines = flags.json ? [jsonText(read.value)] : modelLines(read.value, look)
  around.out.write(`${lines.join('\n')}\n`)
  return EXIT.done
}
