import { readSessions } from '../../index.ts'
import { readSessionNotes, renderNote } from '../../internal.ts'
import { jsonOutput } from '../../text/json.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { knownTask } from '../inputs/known-run.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { refuseWith } from '../refusal.ts'
import { type Surroundings, width } from '../surroundings.ts'
import { sessionLines } from '../tables/sessions.ts'

type Flags = RepositoryFlags & { run?: string; task?: string; notes?: boolean; json?: boolean }

export async function sessions(flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const found = await findWorkspace(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const { workspace } = found.value
  const known = await knownTask(workspace, flags.run, flags.task)
  if (!known.ok) return refuseWith(known.problems, surroundings)
  const { view, task } = known.value
  const which = { run: view.run, task }
  if (flags.notes) return notes(workspace, which, flags, surroundings)
  const read = await readSessions(workspace, which)
  if (!read.ok) return refuseWith(read.problems, surroundings)
  if (flags.json) surroundings.out.write(`${jsonOutput({ sessions: read.value })}\n`)
  else if (read.value.length === 0) surroundings.err.write(noSessions(which))
  else {
    const look = { now: Date.now(), width: width(surroundings.out), palette: surroundings.outPalette }
    surroundings.out.write(`${sessionLines(read.value, look).join('\n')}\n`)
  }
  return EXIT.done
}

async function notes(
  workspace: Workspace,
  which: Which,
  { json }: Flags,
  surroundings: Surroundings,
): Promise<ExitStatus> {
  const read = await readSessionNotes(workspace, which)
  if (!read.ok) return refuseWith(read.problems, surroundings)
  if (json) surroundings.out.write(`${jsonOutput({ notes: read.value })}\n`)
  else if (read.value.length === 0) surroundings.err.write(noSessions(which))
  else surroundings.out.write(read.value.map(renderNote).join('\n'))
  return EXIT.done
}

type Which = { run: string; task: string | undefined }

function noSessions({ run, task }: Which): string {
  return `no sessions in ${task ? `${task} of ` : ''}run ${run}\n`
}
