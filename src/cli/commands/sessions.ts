import { readSessions } from '../../index.ts'
import { readSessionNotes, renderNote, type SessionNote } from '../../internal.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { knownTask } from '../inputs/known-run.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { refuseWith } from '../refusal.ts'
import { lookOf, type Surroundings } from '../surroundings.ts'
import { sessionLines } from '../tables/sessions.ts'
import { printJson } from '../terminal/print.ts'

type Flags = RepositoryFlags & { run?: string; task?: string; notes?: boolean; json?: boolean }

export async function sessions(flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const found = await findWorkspace(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const { workspace } = found.value
  const known = await knownTask(workspace, flags.run, flags.task)
  if (!known.ok) return refuseWith(known.problems, surroundings)
  const { view, task } = known.value
  const which = { run: view.run, task }
  const read = await (flags.notes ? readSessionNotes : readSessions)(workspace, which)
  if (!read.ok) return refuseWith(read.problems, surroundings)
  if (flags.json) return printJson({ [flags.notes ? 'notes' : 'sessions']: read.value }, surroundings)
  if (read.value.length > 0)
    surroundings.out.write(
      flags.notes
        ? (read.value as SessionNote[]).map(renderNote).join('\n')
        : `${sessionLines(read.value, lookOf(surroundings)).join('\n')}\n`,
    )
  else surroundings.err.write(`no sessions in ${task ? `${task} of ` : ''}run ${view.run}\n`)
  return EXIT.done
}
