import { join } from 'node:path'
import { readLandedOn } from '../../engine/deliver/is-run-in-checkout.ts'
import { type ReadSearchRun, readSearchRun } from '../../engine/query/search-tree.ts'
import { ok } from '../../problem.ts'
import { searchReport } from '../../reports/search/report.ts'
import { jsonText } from '../../text/json.ts'
import { evalEvents } from '../../workloads/search/eval-events.ts'
import { flag, inWorkspace, type PageFlag, pageFlag } from '../command-line/command.ts'
import { EXIT } from '../exit-status.ts'
import { knownRun } from '../inputs/known-run.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import { lookOf } from '../surroundings.ts'
import { runPage, writePage, writeText } from '../terminal/write-page.ts'
import { searchLines } from './summary-lines.ts'

export const commands = {
  show: inWorkspace(
    {
      json: flag('--json', 'print the manifest'),
      markdown: flag('--markdown [file]', 'TREE_SUMMARY.md (default)'),
      mermaid: flag('--mermaid', 'print the tree as a Mermaid drawing').conflicts(['json']),
      html: pageFlag('an HTML page').conflicts(['json', 'mermaid']),
    },
    `
Without RUN: the newest search. The manifest (--json) has a JSON Schema: schema/search-manifest.schema.json.

Exit status: 0, or 2 if there is no such search.

Examples:
  espalier search show
  espalier search show --json | jq '.evals[] | select(.promotion.status == "promoted")'
  espalier search show --html tree.html`,
    show,
  ),
  status: inWorkspace(
    {
      events: flag('--events', 'list what happened to each eval: queued, started, completed, failed, requeued'),
      json: flag('--json', 'print one JSON object; with --events one per line'),
    },
    `
Without RUN: the newest search.

Exit status: 0, or 2 if there is no such search.`,
    searchStatus,
  ),
}

type ShowFlags = { json?: boolean; markdown?: PageFlag; html?: PageFlag; mermaid?: boolean }

/** The manifest, the summary, the tree as a drawing or a page. */
export async function show(here: InWorkspace, flags: ShowFlags, id: string | undefined): Promise<Done> {
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
  const { run } = read.value.manifest
  const page = await runPage(here.workspace, run, here, { name: join(run, 'tree.html') })
  return page.ok ? writePage(page.value.text, flag, async () => ok(page.value.file), here) : page
}

export async function searchStatus(
  here: InWorkspace,
  flags: { events?: boolean; json?: boolean },
  id: string | undefined,
): Promise<Done> {
  const { workspace, repeat } = here
  const read = await readSearchRun(workspace, { run: id })
  if (!read.ok) return read
  const { manifest } = read.value
  if (flags.events) {
    const events = evalEvents(read.value).map((event) => (flags.json ? jsonText(event) : eventLine(event, read.value)))
    here.out.write(events.map((line) => `${line}\n`).join(''))
    return EXIT.done
  }
  const { version, run, status, depths, best_node_id, nodes } = manifest
  const best = nodes.find(({ node_id }) => node_id === best_node_id) ?? null
  const known = await knownRun(workspace, run)
  if (!known.ok) return known
  const landedOn = await readLandedOn(workspace, known.value)
  const lines = searchLines(manifest, known.value, { ...lookOf(here), repeat, landedOn })
  return { json: { version, run, status, depths, best }, lines }
}

function eventLine({ type, eval_id, at, task, reason }: EvalEvent, { run }: ReadSearchRun): string {
  const about = [task, reason].filter((word) => word !== undefined).join(': ')
  const time = ((at - run.startedAt) / 1000).toFixed(1).padStart(8)
  return `${time}s  ${type.padEnd(9)}  ${eval_id}${about ? `  ${about}` : ''}`
}

type EvalEvent = ReturnType<typeof evalEvents>[number]
