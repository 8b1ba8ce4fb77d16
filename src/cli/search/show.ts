import { Option } from 'commander'
import { readLandedOn } from '../../engine/deliver/is-run-in-checkout.ts'
import { type ReadSearchRun, readSearchRun } from '../../engine/query/search-tree.ts'
import { ok } from '../../problem.ts'
import { searchReport } from '../../reports/search/report.ts'
import { jsonText } from '../../text/json.ts'
import { evalEvents } from '../../workloads/search/eval-events.ts'
import type { Commands } from '../command-line/calls.ts'
import { pageOption, withRepository } from '../command-line/flags.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { knownRun } from '../inputs/known-run.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import { lookOf } from '../surroundings.ts'
import { printJson, printLines } from '../terminal/print.ts'
import { type PageFlag, pageTemplate, writePage, writeText } from '../terminal/write-page.ts'
import { searchPage } from './page.ts'
import { searchLines } from './summary-lines.ts'

export const commands: Commands = {
  show: (command, { inWorkspace }) =>
    withRepository(command)
      .option('--json', 'print the manifest')
      .option('--markdown [file]', 'TREE_SUMMARY.md (default)')
      .addOption(new Option('--mermaid', 'print the tree as a Mermaid drawing').conflicts(['json']))
      .addOption(pageOption('an HTML page').conflicts(['json', 'mermaid']))
      .addHelpText('after', HELP.show)
      .action(inWorkspace(show)),
  status: (command, { inWorkspace }) =>
    withRepository(command)
      .option('--events', 'list what happened to each eval: queued, started, completed, failed, requeued')
      .option('--json', 'print one JSON object; with --events one per line')
      .addHelpText('after', HELP.status)
      .action(inWorkspace(status)),
}

type Flags = {
  events?: boolean
  json?: boolean
  markdown?: PageFlag
  html?: PageFlag
  mermaid?: boolean
}

/** The manifest, the summary, the tree as a drawing or a page. */
export async function show(id: string | undefined, flags: Flags, here: InWorkspace): Promise<Done> {
  if (flags.html) return showPage(id, flags.html, here)
  const format = flags.json ? 'json' : flags.mermaid ? 'mermaid' : 'md'
  const made = await searchReport(here.workspace, { run: id, format })
  if (!made.ok) return made
  const { text } = made.value
  return writeText(text, typeof flags.markdown === 'string' ? flags.markdown : '-', here)
}

async function showPage(id: string | undefined, flag: PageFlag, here: InWorkspace): Promise<Done> {
  const read = await readSearchRun(here.workspace, { run: id })
  if (!read.ok) return read
  const template = await pageTemplate(here)
  if (!template.ok) return template
  const { run } = read.value.manifest
  const made = await searchPage(here.workspace, { run, template: template.value })
  return made.ok ? writePage(made.value.text, flag, async () => ok(made.value.file), here) : made
}

/** How far it is. */
export async function status(id: string | undefined, flags: Flags, here: InWorkspace): Promise<Done> {
  const { workspace, repeat } = here
  const read = await readSearchRun(workspace, { run: id })
  if (!read.ok) return read
  const { manifest } = read.value
  if (flags.events) return showEvents(read.value, flags.json ?? false, here)
  const { version, run, status: now, depths, best_node_id, nodes } = manifest
  if (flags.json) {
    const best = nodes.find(({ node_id }) => node_id === best_node_id) ?? null
    return printJson({ version, run, status: now, depths, best }, here)
  }
  const known = await knownRun(workspace, run)
  if (!known.ok) return known
  const landedOn = await readLandedOn(workspace, known.value)
  return printLines(searchLines(manifest, known.value, { ...lookOf(here), repeat, landedOn }), here)
}

/** What happened to its evals, in order. */
function showEvents(read: ReadSearchRun, json: boolean, { out }: InWorkspace): ExitStatus {
  for (const event of evalEvents(read)) {
    const { type, eval_id, at, task, reason } = event
    const about = [task, reason].filter((word) => word !== undefined).join(': ')
    const time = ((at - read.run.startedAt) / 1000).toFixed(1).padStart(8)
    const line = `${time}s  ${type.padEnd(9)}  ${eval_id}${about ? `  ${about}` : ''}`
    out.write(`${json ? jsonText(event) : line}\n`)
  }
  return EXIT.done
}

const HELP = {
  show: `
Without RUN: the newest search. The manifest (--json) has a JSON Schema: schema/search-manifest.schema.json.

Exit status: 0, or 2 if there is no such search.

Examples:
  espalier search show
  espalier search show --json | jq '.evals[] | select(.promotion.status == "promoted")'
  espalier search show --html tree.html`,
  status: `
Without RUN: the newest search.

Exit status: 0, or 2 if there is no such search.`,
} as const
