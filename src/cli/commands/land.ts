import { landRun } from '../../index.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { knownRun } from '../known-run.ts'
import { landedText } from '../landed-text.ts'
import { refuseWith } from '../problem-lines.ts'
import { findRepository, type RepositoryFlags } from '../repository.ts'
import type { Surroundings } from '../surroundings.ts'

type Flags = RepositoryFlags & { into?: string }

export async function land(id: string | undefined, flags: Flags, around: Surroundings): Promise<ExitStatus> {
  const found = await findRepository(around, flags)
  if (!found.ok) return refuseWith(found.problems, around)
  const { where } = found.value
  const known = await knownRun(where, id)
  if (!known.ok) return refuseWith(known.problems, around)
  const landed = await landRun({ ...where, run: known.value.run, into: flags.into })
  if (!landed.ok) return refuseWith(landed.problems, around, EXIT.failed)
  around.out.write(`${landedText(landed.value, known.value)}\n`)
  return EXIT.done
}
