import { join, resolve } from 'node:path'
import { report as makeReport } from '../../index.ts'
import { ok } from '../../problem.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { knownRun } from '../inputs/known-run.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { openFile } from '../terminal/open-file.ts'
import { type PageFlag, pageTemplate, writePage, writeText } from '../terminal/write-page.ts'

type Flags = RepositoryFlags & {
  output?: string
  html?: PageFlag
  json?: boolean
  open?: boolean
}

export async function report(id: string | undefined, flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const html = flags.html ?? (flags.open && !flags.json ? true : undefined)
  const found = await findWorkspace(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const known = await knownRun(found.value.workspace, id)
  if (!known.ok) return refuseWith(known.problems, surroundings)
  const { run } = known.value
  const { workspace } = found.value
  if (html) {
    const { htmlReport } = await import('../../server/recording/html-report.ts')
    const template = await pageTemplate(surroundings)
    const made = template.ok ? await htmlReport(workspace, { run, template: template.value }) : template
    if (!made.ok) return refuseWith(made.problems, surroundings)
    const page = join(made.value.folder, `${run}.html`)
    const status = await writePage(made.value.text, html, async () => ok(page), surroundings)
    if (flags.open && status === EXIT.done && html !== '-')
      openFile(html === true ? page : resolve(surroundings.cwd, html), surroundings)
    return status
  }
  const made = await makeReport(workspace, { run, format: flags.json ? 'json' : 'md' })
  if (!made.ok) return refuseWith(made.problems, surroundings)
  return writeText(made.value.text, flags.output ?? '-', surroundings)
}
