import { readEvents } from '../../index.ts'
import { evalEvents, readLandedOn, readPlanOf, readSearchRun, type SearchFormat, searchReport } from '../../internal.ts'
import { ok } from '../../problem.ts'
import { jsonText } from '../../text/json.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { knownRun } from '../inputs/known-run.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { refuseWith } from '../refusal.ts'
import { type Surroundings, width } from '../surroundings.ts'
import { type PageFlag, writePage, writeText } from '../terminal/write-page.ts'
import { searchLines } from './summary-lines.ts'

type Flags = RepositoryFlags & {
  events?: boolean
  json?: boolean
  markdown?: PageFlag
  html?: PageFlag
  mermaid?: boolean
}

/** The manifest, the summary, the tree as a drawing or a page. */
export async function show(id: string | undefined, flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const found = await findWorkspace(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const format: SearchFormat = flags.json ? 'json' : flags.mermaid ? 'mermaid' : flags.html ? 'html' : 'md'
  const made = await searchReport(found.value.workspace, { run: id, format })
  if (!made.ok) return refuseWith(made.problems, surroundings)
  const { text, file } = made.value
  if (flags.html) return writePage(text, flags.html, async () => ok(file), surroundings)
  return writeText(text, typeof flags.markdown === 'string' ? flags.markdown : '-', surroundings)
}

/** How far it is. */
export async function status(id: string | undefined, flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const found = await findWorkspace(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const { workspace, repeat } = found.value
  const read = await readSearchRun(workspace, { run: id })
  if (!read.ok) return refuseWith(read.problems, surroundings)
  const { manifest } = read.value
  if (flags.events) return showEvents(workspace, manifest.run, flags.json ?? false, surroundings)
  const { version, run, status: now, depths, best_node_id, nodes } = manifest
  if (flags.json) {
    const best = nodes.find(({ node_id }) => node_id === best_node_id) ?? null
    surroundings.out.write(`${jsonText({ version, run, status: now, depths, best })}\n`)
  } else {
    const known = await knownRun(workspace, run)
    if (!known.ok) return refuseWith(known.problems, surroundings)
    const landedOn = await readLandedOn(workspace, known.value)
    const look = { width: width(surroundings.out), palette: surroundings.outPalette, repeat, landedOn }
    surroundings.out.write(`${searchLines(manifest, known.value, look).join('\n')}\n`)
  }
  return EXIT.done
}

/** What happened to its evals, in order. */
async function showEvents(
  workspace: Workspace,
  run: string,
  json: boolean,
  surroundings: Surroundings,
): Promise<ExitStatus> {
  const [events, plan] = [await readEvents(workspace, { run }), await readPlanOf(workspace, { run })]
  if (!events.ok) return refuseWith(events.problems, surroundings)
  const tasks = plan.ok ? (plan.value?.tasks ?? []) : []
  const [start = 0] = events.value.map(({ at }) => at)
  for (const event of evalEvents(events.value, tasks)) {
    const { type, eval_id, at, task, reason } = event
    const about = [task, reason].filter((word) => word !== undefined).join(': ')
    const line = `${((at - start) / 1000).toFixed(1).padStart(8)}s  ${type.padEnd(9)}  ${eval_id}${about ? `  ${about}` : ''}`
    surroundings.out.write(`${json ? jsonText(event) : line}\n`)
  }
  return EXIT.done
}
