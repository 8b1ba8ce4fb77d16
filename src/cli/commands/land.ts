import { landRun } from '../../index.ts'
import { short } from '../event-line.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { knownRun } from '../known-run.ts'
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
  const { run, into, commit, how } = landed.value
  const said = {
    'fast-forward': `${into} now stands at ${short(commit)}, with all of run ${run}`,
    merge: `merged run ${run} into ${into} as ${short(commit)}`,
    'up-to-date': `${into} already has all of run ${run}`,
  }
  around.out.write(`${said[how]}\n`)
  return EXIT.done
}
