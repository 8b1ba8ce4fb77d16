import { once } from 'node:events'
import { readLog, readTranscript } from '../../index.ts'
import { readPlanOf, readSettingsOf } from '../../internal.ts'
import { safeLine } from '../../text/safe.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { knownTask, tellRun } from '../inputs/known-run.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'

type Flags = RepositoryFlags & { run?: string; attempt?: number; follow?: boolean; transcript?: boolean }

export async function logs(name: string, flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const found = await findWorkspace(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const { workspace } = found.value
  const known = await knownTask(workspace, flags.run, name)
  if (!known.ok) return refuseWith(known.problems, surroundings)
  const { task } = known.value
  const { run } = known.value.view
  const read = flags.transcript ? readTranscript : readLog
  const log = await read(workspace, { run, task, follow: flags.follow, attempt: flags.attempt })
  if (!log.ok) return refuseWith(log.problems, surroundings)
  tellRun(known.value.view, flags.run, surroundings)
  const withCommand = headings(workspace, { run }, task)
  let empty = true
  for await (const chunk of log.value) {
    if (chunk.length > 0) empty = false
    if (!surroundings.out.write(await withCommand(chunk))) await once(surroundings.out, 'drain')
  }
  if (empty) surroundings.err.write(`${task} has printed nothing\n`)
  return EXIT.done
}

/** `── verify-1 ──` says which command that was, where the run knows. A heading comes as a chunk of its own. */
function headings(
  workspace: Workspace,
  options: { run: string },
  task: string,
): (chunk: Uint8Array) => Promise<Uint8Array | string> {
  let commands: readonly string[] | null = null
  return async (chunk) => {
    if (chunk.length > HEADING_BYTES) return chunk
    const text = Buffer.from(chunk).toString()
    if (/^── verification \d+ of [0-9a-f]+ ──\n$/.test(text)) commands = await landingVerify(workspace, options)
    const [, name, number] = /^── (verify-(\d+)) ──\n$/.exec(text) ?? []
    if (name === undefined) return chunk
    commands ??= await verifyOf(workspace, options, task)
    const command = commands[Number(number) - 1]
    return command === undefined ? chunk : `── ${name}: ${safeLine(command)} ──\n`
  }
}

async function verifyOf(workspace: Workspace, options: { run: string }, task: string): Promise<readonly string[]> {
  const plan = await readPlanOf(workspace, options)
  return (plan.ok && plan.value?.tasks.find(({ id }) => id === task)?.verify) || []
}

async function landingVerify(workspace: Workspace, options: { run: string }): Promise<readonly string[]> {
  const settings = await readSettingsOf(workspace, options)
  return (settings.ok && settings.value?.landing.verify) || []
}

const HEADING_BYTES = 64
