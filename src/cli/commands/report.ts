import { join, resolve } from 'node:path'
import { report as makeReport } from '../../index.ts'
import { ok } from '../../problem.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { knownRun } from '../inputs/known-run.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { openFile } from '../terminal/open-file.ts'
import { type PageFlag, writePage, writeText } from '../terminal/write-page.ts'

type Flags = RepositoryFlags & {
  output?: string
  html?: PageFlag
  json?: boolean
  open?: boolean
}

export async function report(id: string | undefined, flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const html = flags.html ?? (flags.open && !flags.json ? true : undefined)
  const format = html ? 'html' : flags.json ? 'json' : 'md'
  const found = await findWorkspace(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const known = await knownRun(found.value.workspace, id)
  if (!known.ok) return refuseWith(known.problems, surroundings)
  const made = await makeReport(found.value.workspace, { run: known.value.run, format })
  if (!made.ok) return refuseWith(made.problems, surroundings)
  const { run, text, folder } = made.value
  const page = join(folder, `${run}.html`)
  if (html) {
    const status = await writePage(text, html, async () => ok(page), surroundings)
    if (flags.open && status === EXIT.done && html !== '-')
      openFile(html === true ? page : resolve(surroundings.cwd, html), surroundings)
    return status
  }
  return writeText(text, flags.output ?? '-', surroundings)
}
