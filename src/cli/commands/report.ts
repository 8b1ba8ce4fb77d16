import { join } from 'node:path'
import { report as makeReport } from '../../index.ts'
import type { ReportFormat } from '../../internal.ts'
import { ok, problem } from '../../problem.ts'
import type { ExitStatus } from '../exit-status.ts'
import { knownRun } from '../inputs/known-run.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { type PageFlag, writePage, writeText } from '../terminal/write-page.ts'

type Flags = RepositoryFlags & {
  format: ReportFormat
  output?: string
  html?: PageFlag
  markdown?: PageFlag
  json?: boolean
}

export async function report(id: string | undefined, flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const { format, files } = wanted(flags)
  const [file, other] = files
  if (other !== undefined)
    return refuseWith([problem(`${file} or ${other}? Name one file for the report`)], surroundings)
  const found = await findWorkspace(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const known = await knownRun(found.value.workspace, id)
  if (!known.ok) return refuseWith(known.problems, surroundings)
  const made = await makeReport(found.value.workspace, { run: known.value.run, format })
  if (!made.ok) return refuseWith(made.problems, surroundings)
  const { run, text, folder } = made.value
  if (format === 'html') return writePage(text, file ?? true, async () => ok(join(folder, `${run}.html`)), surroundings)
  return writeText(text, file ?? '-', surroundings)
}

/** `--html x.html` is short for `--format html --output x.html`. */
function wanted({ format, output, html, markdown, json }: Flags): { format: ReportFormat; files: string[] } {
  const files = [html, markdown, output].filter((file) => typeof file === 'string')
  if (html !== undefined) return { format: 'html', files }
  if (markdown !== undefined) return { format: 'md', files }
  return { format: json ? 'json' : format, files }
}
