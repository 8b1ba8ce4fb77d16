import { join, resolve } from 'node:path'
import { Option } from 'commander'
import { ok } from '../../problem.ts'
import { report as makeReport } from '../../reports/report.ts'
import type { Commands } from '../command-line/calls.ts'
import { help, pageOption, withRepository } from '../command-line/flags.ts'
import { EXIT } from '../exit-status.ts'
import { knownRun } from '../inputs/known-run.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import { openFile } from '../terminal/open-file.ts'
import { type PageFlag, pageTemplate, writePage, writeText } from '../terminal/write-page.ts'

export const commands: Commands = {
  report: (command, { inWorkspace }) =>
    withRepository(command)
      .addOption(pageOption('as an HTML page').conflicts(['json', 'output']))
      .addOption(new Option('--open', 'open the HTML page in your browser').conflicts(['json', 'output']))
      .option('--json', 'as JSON instead of Markdown')
      .option('-o, --output <file>', 'write the Markdown or JSON to this file')
      .addHelpText('after', HELP)
      .action(inWorkspace(report)),
}

type Flags = {
  output?: string
  html?: PageFlag
  json?: boolean
  open?: boolean
}

async function report(id: string | undefined, flags: Flags, here: InWorkspace): Promise<Done> {
  const html = flags.html ?? (flags.open && !flags.json ? true : undefined)
  const known = await knownRun(here.workspace, id)
  if (!known.ok) return known
  const { run } = known.value
  const { workspace } = here
  if (html) {
    const { htmlReport } = await import('../../server/recording/html-report.ts')
    const template = await pageTemplate(here)
    const made = template.ok ? await htmlReport(workspace, { run, template: template.value }) : template
    if (!made.ok) return made
    const page = join(made.value.folder, `${run}.html`)
    const status = await writePage(made.value.text, html, async () => ok(page), here)
    if (flags.open && status === EXIT.done && html !== '-')
      openFile(html === true ? page : resolve(here.cwd, html), here)
    return status
  }
  const made = await makeReport(workspace, { run, format: flags.json ? 'json' : 'md' })
  if (!made.ok) return made
  return writeText(made.value.text, flags.output ?? '-', here)
}

const HELP = help(
  `Without RUN: the one at work, else the newest. Markdown and JSON go to stdout. --html writes a file and prints its path:
without FILE it is in the state folder. --html - prints the page itself. --open also opens it in your browser ($BROWSER).`,
  '0, or 2 if there is no such run or the file cannot be written.',
  'espalier report > REPORT.md',
  'espalier report --open',
  'espalier report checkout-7 --html',
  'espalier report checkout-7 --html report.html',
)
