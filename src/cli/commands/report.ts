import { join } from 'node:path'
import { report as makeReport } from '../../index.ts'
import { ok } from '../../problem.ts'
import type { ExitStatus } from '../exit-status.ts'
import { knownRun } from '../inputs/known-run.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { type PageFlag, writePage, writeText } from '../terminal/write-page.ts'

type Flags = RepositoryFlags & {
  output?: string
  html?: PageFlag
  json?: boolean
}

export async function report(id: string | undefined, flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const format = flags.html ? 'html' : flags.json ? 'json' : 'md'
  const found = await findWorkspace(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const known = await knownRun(found.value.workspace, id)
  if (!known.ok) return refuseWith(known.problems, surroundings)
  const made = await makeReport(found.value.workspace, { run: known.value.run, format })
  if (!made.ok) return refuseWith(made.problems, surroundings)
  const { run, text, folder } = made.value
  if (flags.html) return writePage(text, flags.html, async () => ok(join(folder, `${run}.html`)), surroundings)
  return writeText(text, flags.output ?? '-', surroundings)
}
