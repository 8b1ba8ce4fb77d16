import { join } from 'node:path'
import { readLandedOn } from '../../engine/deliver/is-run-in-checkout.ts'
import {
  diffOfSides,
  type FoundSide,
  findSide,
  type ReadSearchRun,
  readSearchRun,
} from '../../engine/query/search-tree.ts'
import { problem } from '../../problem.ts'
import { searchReport } from '../../reports/search/report.ts'
import { ideaText, plain as plainScore, scoreText, wayText as searchWayText } from '../../reports/search/wording.ts'
import { jsonText } from '../../text/json.ts'
import { evalEvents } from '../../workloads/search/eval-events.ts'
import { flag, inWorkspace, ONE_OBJECT, type PageFlag, pageFlag } from '../command-line/command.ts'
import { EXIT } from '../exit-status.ts'
import { knownRun } from '../inputs/known-run.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { type Done, refuseWith } from '../refusal.ts'
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
  best: inWorkspace(
    { json: ONE_OBJECT },
    `
Without RUN: the newest search.

Exit status: 0, 1 if there is no score yet, 2 if there is no such search.`,
    async (here, _, id: string | undefined) => {
      const read = await readSearchRun(here.workspace, { run: id })
      if (!read.ok) return read
      const { manifest } = read.value
      const node = manifest.nodes.find(({ node_id }) => node_id === manifest.best_node_id)
      if (!node) return refuseWith([problem(`run ${manifest.run} has no score yet`)], here, EXIT.failed)
      const ref = node.node_id === 'root' ? node.commit : `refs/espalier/${manifest.run}/node/${node.node_id}`
      const root = manifest.root?.score
      const lines = [
        `${manifest.score_key}: ${scoreText(node.score, node.spread)}${root === null || root === undefined ? '' : ` (root ${plainScore(root)})`}`,
        `by:     ${searchWayText(manifest, node.node_id)}`,
        `node:   ${node.node_id}`,
        `commit: ${node.commit}`,
        ...(ref === node.commit ? [] : [`ref:    ${ref}`]),
      ]
      return { json: { run: manifest.run, ...node }, lines }
    },
  ),
  compare: inWorkspace(
    {
      run: flag('--run <run>', 'the search they are of; default: the newest'),
      patch: flag('--patch', 'their difference in full'),
      json: ONE_OBJECT,
    },
    `
A and B are nodes (n3f9c0a1b2d4e, root), evals (root-2) or searches, of which the best is compared.

Exit status: 0, or 2 if there is no such node, eval or search.`,
    async ({ workspace }, flags, a: string, b: string) => {
      const [first, second] = [
        await findSide(workspace, { run: flags.run, name: a }),
        await findSide(workspace, { run: flags.run, name: b }),
      ]
      if (!first.ok) return first
      if (!second.ok) return second
      const [left, right] = [withLabel(first.value), withLabel(second.value)]
      const diff = await diffOfSides(workspace, first.value, second.value, flags.patch ?? false)
      const keys = [...new Set([...Object.keys(left.scores), ...Object.keys(right.scores)])]
      const lines = [
        `a: ${left.label}`,
        `b: ${right.label}`,
        ...keys.map((key) => {
          const [from, to] = [left.scores[key], right.scores[key]]
          const change =
            from === undefined || to === undefined ? '' : ` (${to >= from ? '+' : ''}${plainScore(to - from)})`
          return `${key}: ${from === undefined ? '–' : plainScore(from)} → ${to === undefined ? '–' : plainScore(to)}${change}`
        }),
      ]
      const files = diff === null ? 'their files cannot be compared' : diff.trimEnd() || 'the same files'
      return { json: { a: left, b: right, diff }, lines: [...lines, '', files] }
    },
  ),
}

export async function show(
  here: InWorkspace,
  flags: { json?: boolean; markdown?: PageFlag; html?: PageFlag; mermaid?: boolean },
  id: string | undefined,
): Promise<Done> {
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
  return page.ok ? writePage(page.value.text, flag, page.value.file, here) : page
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

function eventLine(
  { type, eval_id, at, task, reason }: ReturnType<typeof evalEvents>[number],
  { run }: ReadSearchRun,
): string {
  const about = [task, reason].filter((word) => word !== undefined).join(': ')
  const time = ((at - run.startedAt) / 1000).toFixed(1).padStart(8)
  return `${time}s  ${type.padEnd(9)}  ${eval_id}${about ? `  ${about}` : ''}`
}

function withLabel({ side, manifest, entry, node, isSearch }: FoundSide) {
  const way = node === null ? `${ideaText(entry.idea_path)} on ${entry.parent_node_id}` : searchWayText(manifest, node)
  const label = isSearch ? `${side.name}: ${node} (${way})` : `${side.name} (${way})`
  return { ...side, label }
}
