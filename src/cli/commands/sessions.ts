import { readSessionNotes, readSessions } from '../../engine/query/sessions.ts'
import { renderNote } from '../../reports/sections/notes.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { knownTask } from '../inputs/known-run.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import { lookOf, type Surroundings } from '../surroundings.ts'
import { sessionLines } from '../tables/sessions.ts'
import { printJson, printLines } from '../terminal/print.ts'

type Flags = { run?: string; task?: string; notes?: boolean; json?: boolean }

export async function sessions(flags: Flags, here: InWorkspace): Promise<Done> {
  const { workspace } = here
  const known = await knownTask(workspace, flags.run, flags.task)
  if (!known.ok) return known
  const { view, task } = known.value
  const which = { run: view.run, task }
  if (flags.notes) {
    const notes = await readSessionNotes(workspace, which)
    if (!notes.ok) return notes
    if (flags.json) return printJson({ notes: notes.value }, here)
    here.out.write(notes.value.map(renderNote).join('\n'))
    return notes.value.length > 0 ? EXIT.done : noSessions(which, here)
  }
  const read = await readSessions(workspace, which)
  if (!read.ok) return read
  if (flags.json) return printJson({ sessions: read.value }, here)
  if (read.value.length === 0) return noSessions(which, here)
  return printLines(sessionLines(read.value, lookOf(here)), here)
}

function noSessions({ run, task }: { run: string; task: string | undefined }, { err }: Surroundings): ExitStatus {
  err.write(`no sessions in ${task ? `${task} of ` : ''}run ${run}\n`)
  return EXIT.done
}
