import { readSessionNotes, readSessions, renderNote, type Where } from '../../index.ts'
import { jsonText } from '../../text/json.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { knownTask } from '../inputs/known-run.ts'
import { findRepository, type RepositoryFlags } from '../inputs/repository.ts'
import { refuseWith } from '../refusal.ts'
import { type Surroundings, width } from '../surroundings.ts'
import { sessionLines } from '../tables/sessions.ts'

type Flags = RepositoryFlags & { run?: string; task?: string; notes?: boolean; json?: boolean }

export async function sessions(flags: Flags, around: Surroundings): Promise<ExitStatus> {
  const found = await findRepository(around, flags)
  if (!found.ok) return refuseWith(found.problems, around)
  const { where } = found.value
  const known = await knownTask(where, flags.run, flags.task)
  if (!known.ok) return refuseWith(known.problems, around)
  const { view, task } = known.value
  const of = { ...where, run: view.run, task }
  if (flags.notes) return notes(of, flags, around)
  const read = await readSessions(of)
  if (!read.ok) return refuseWith(read.problems, around)
  if (flags.json) around.out.write(`${jsonText(read.value)}\n`)
  else if (read.value.length === 0) around.err.write(nobody(of))
  else {
    const look = { now: Date.now(), width: width(around.out), palette: around.outPalette }
    around.out.write(`${sessionLines(read.value, look).join('\n')}\n`)
  }
  return EXIT.done
}

async function notes(of: Of, { json }: Flags, around: Surroundings): Promise<ExitStatus> {
  const read = await readSessionNotes(of)
  if (!read.ok) return refuseWith(read.problems, around)
  if (json) around.out.write(`${jsonText(read.value)}\n`)
  else if (read.value.length === 0) around.err.write(nobody(of))
  else around.out.write(read.value.map(renderNote).join('\n'))
  return EXIT.done
}

type Of = Where & { run: string; task: string | undefined }

function nobody({ run, task }: Of): string {
  return `no agent has worked in ${task ? `${task} of ` : ''}run ${run}\n`
}
