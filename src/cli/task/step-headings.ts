// Headings between the commands of an attempt, with the commands.

import { safeLine } from '../../text/safe.ts'
import { readPlanOf, readSettingsOf } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** `── verify-1 ──` says which command that was, where the run knows. A heading comes as a chunk of its own. */
export function namedHeadings(
  workspace: Workspace,
  options: { run: string },
  task: string,
): (chunk: Uint8Array) => Promise<Uint8Array | string> {
  let commands: readonly string[] | null = null
  return async (chunk) => {
    if (chunk.length > HEADING_BYTES) return chunk
    const text = Buffer.from(chunk).toString()
    if (/^── verification \d+ of [0-9a-f]+ ──\n$/.test(text)) commands = await landingVerify(workspace, options)
    const [, number] = /^── verify-(\d+) ──\n$/.exec(text) ?? []
    if (number === undefined) return chunk
    commands ??= await verifyOf(workspace, options, task)
    const command = commands[Number(number) - 1]
    return command === undefined ? chunk : `── verify: ${safeLine(command)} ──\n`
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
