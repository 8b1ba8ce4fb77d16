import { openWork } from '../../internal.ts'
import { jsonOutput } from '../../text/json.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { knownRun, taskIn } from '../inputs/known-run.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'

type Flags = RepositoryFlags & { run?: string; json?: boolean }

export async function open(name: string, flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const found = await findWorkspace(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const { workspace } = found.value
  const known = await knownRun(workspace, flags.run)
  if (!known.ok) return refuseWith(known.problems, surroundings)
  const { run } = known.value
  const opened = await openWork(workspace, { run, name })
  if (!opened.ok) {
    // A name that the run does not have is told with those it has.
    const task = await taskIn(workspace, known.value, name)
    const again = task.ok && task.value !== name ? await openWork(workspace, { run, name: task.value }) : null
    if (!again?.ok) return refuseWith(task.ok ? opened.problems : task.problems, surroundings)
    return tell(again.value, flags, surroundings)
  }
  return tell(opened.value, flags, surroundings)
}

type Opened = Extract<Awaited<ReturnType<typeof openWork>>, { ok: true }>['value']

/** The folder alone on stdout, for `cd "$(espalier open …)"`. */
function tell(opened: Opened, { json }: Flags, { out, err }: Surroundings): ExitStatus {
  if (json) out.write(`${jsonOutput(opened)}\n`)
  else {
    out.write(`${opened.path}\n`)
    if (opened.command !== null && opened.kind === 'kept') err.write(`ran: ${opened.command}\n`)
    if (opened.kind === 'base') err.write(`what ${opened.task} left is not kept: this is the commit it started from\n`)
  }
  return EXIT.done
}
