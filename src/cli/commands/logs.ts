import { once } from 'node:events'
import { readLog } from '../../index.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { knownTask } from '../known-run.ts'
import { refuseWith } from '../problem-lines.ts'
import { findRepository, type RepositoryFlags } from '../repository.ts'
import type { Surroundings } from '../surroundings.ts'

type Flags = RepositoryFlags & { run?: string; attempt?: number; follow?: boolean }

export async function logs(task: string, flags: Flags, around: Surroundings): Promise<ExitStatus> {
  const found = await findRepository(around, flags)
  if (!found.ok) return refuseWith(found.problems, around)
  const { where } = found.value
  const known = await knownTask(where, flags.run, task)
  if (!known.ok) return refuseWith(known.problems, around)
  const { run } = known.value
  const log = await readLog({ ...where, run, task, follow: flags.follow, attempt: flags.attempt })
  if (!log.ok) return refuseWith(log.problems, around)
  let empty = true
  for await (const chunk of log.value) {
    if (chunk.length > 0) empty = false
    if (!around.out.write(chunk)) await once(around.out, 'drain')
  }
  if (empty) around.err.write(`${task} has printed nothing\n`)
  return EXIT.done
}
