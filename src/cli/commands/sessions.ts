import { readSessions } from '../../index.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { knownTask } from '../known-run.ts'
import { refuseWith } from '../problem-lines.ts'
import { findRepository, type RepositoryFlags } from '../repository.ts'
import { sessionLines } from '../session-table.ts'
import { type Surroundings, width } from '../surroundings.ts'

type Flags = RepositoryFlags & { run?: string; task?: string; json?: boolean }

export async function sessions(flags: Flags, around: Surroundings): Promise<ExitStatus> {
  const found = await findRepository(around, flags)
  if (!found.ok) return refuseWith(found.problems, around)
  const { where } = found.value
  const known = await knownTask(where, flags.run, flags.task)
  if (!known.ok) return refuseWith(known.problems, around)
  const { run } = known.value
  const read = await readSessions({ ...where, run, task: flags.task })
  if (!read.ok) return refuseWith(read.problems, around)
  if (flags.json) around.out.write(`${JSON.stringify(read.value)}\n`)
  else if (read.value.length === 0)
    around.err.write(`no agent has worked in ${flags.task ? `${flags.task} of ` : ''}run ${run}\n`)
  else {
    const look = { now: Date.now(), width: width(around.out), palette: around.outPalette }
    around.out.write(`${sessionLines(read.value, look).join('\n')}\n`)
  }
  return EXIT.done
}
