import { resolve } from 'node:path'
import { report as makeReport } from '../../reports/report.ts'
import { flag, help, inWorkspace, pageFlag } from '../command-line/command.ts'
import { EXIT } from '../exit-status.ts'
import { knownRun } from '../inputs/known-run.ts'
import { openFile, runPage, writePage, writeText } from '../terminal/write-page.ts'

export const commands = {
  report: inWorkspace(
    {
      html: pageFlag('as an HTML page').conflicts(['json', 'output']),
      open: flag('--open', 'open the HTML page in your browser').conflicts(['json', 'output']),
      json: flag('--json', 'as JSON instead of Markdown'),
      output: flag('-o, --output <file>', 'write the Markdown or JSON to this file'),
    },
    help(
      `Without RUN: the one at work, else the newest. Markdown and JSON go to stdout. --html writes a file and prints its path:
without FILE it is in the state folder. --html - prints the page itself. --open also opens it in your browser ($BROWSER).`,
      '0, or 2 if there is no such run or the file cannot be written.',
      'espalier report > REPORT.md',
      'espalier report --open',
      'espalier report checkout-7 --html',
      'espalier report checkout-7 --html report.html',
    ),
    async (here, flags, id: string | undefined) => {
      const html = flags.html ?? (flags.open && !flags.json ? true : undefined)
      const known = await knownRun(here.workspace, id)
      if (!known.ok) return known
      const { run } = known.value
      const { workspace } = here
      if (html) {
        const page = await runPage(workspace, run, here)
        if (!page.ok) return page
        const { text, file } = page.value
        const status = await writePage(text, html, file, here)
        if (flags.open && status === EXIT.done && html !== '-')
          openFile(html === true ? file : resolve(here.cwd, html), here)
        return status
      }
      const made = await makeReport(workspace, { run, format: flags.json ? 'json' : 'md' })
      if (!made.ok) return made
      return writeText(made.value.text, flags.output ?? '-', here)
    },
  ),
}
