import { readSessions } from '../../index.ts'
import { readSessionNotes, renderNote } from '../../internal.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { knownTask } from '../inputs/known-run.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { refuseWith } from '../refusal.ts'
import { lookOf, type Surroundings } from '../surroundings.ts'
import { sessionLines } from '../tables/sessions.ts'
import { printJson, printLines } from '../terminal/print.ts'

type Flags = RepositoryFlags & { run?: string; task?: string; notes?: boolean; json?: boolean }

export async function sessions(flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const found = await findWorkspace(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const { workspace } = found.value
  const known = await knownTask(workspace, flags.run, flags.task)
  if (!known.ok) return refuseWith(known.problems, surroundings)
  const { view, task } = known.value
  const which = { run: view.run, task }
  if (flags.notes) {
    const notes = await readSessionNotes(workspace, which)
    if (!notes.ok) return refuseWith(notes.problems, surroundings)
    if (flags.json) return printJson({ notes: notes.value }, surroundings)
    surroundings.out.write(notes.value.map(renderNote).join('\n'))
    return notes.value.length > 0 ? EXIT.done : noSessions(which, surroundings)
  }
  const read = await readSessions(workspace, which)
  if (!read.ok) return refuseWith(read.problems, surroundings)
  if (flags.json) return printJson({ sessions: read.value }, surroundings)
  if (read.value.length === 0) return noSessions(which, surroundings)
  return printLines(sessionLines(read.value, lookOf(surroundings)), surroundings)
}

function noSessions({ run, task }: { run: string; task: string | undefined }, { err }: Surroundings): ExitStatus {
  err.write(`no sessions in ${task ? `${task} of ` : ''}run ${run}\n`)
  return EXIT.done
}
