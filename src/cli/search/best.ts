import { diffOfSides, type FoundSide, findSide, readSearchRun } from '../../engine/query/search-tree.ts'
import { problem } from '../../problem.ts'
import { ideaText, plain as plainScore, scoreText, wayText as searchWayText } from '../../reports/search/wording.ts'
import type { Commands } from '../command-line/calls.ts'
import { withRepository } from '../command-line/flags.ts'
import { EXIT } from '../exit-status.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { type Done, refuseWith } from '../refusal.ts'
import { printJson, printLines } from '../terminal/print.ts'

export const commands: Commands = {
  best: (command, { inWorkspace }) =>
    withRepository(command)
      .option('--json', 'print one JSON object')
      .addHelpText('after', HELP.best)
      .action(inWorkspace(best)),
  compare: (command, { inWorkspace }) =>
    withRepository(command)
      .option('--run <run>', 'the search they are of; default: the newest')
      .option('--patch', 'their difference in full')
      .option('--json', 'print one JSON object')
      .addHelpText('after', HELP.compare)
      .action(inWorkspace(compare)),
}

type Flags = { json?: boolean; run?: string; patch?: boolean }

/** The best node: its score, how it came about, and where it is. */
async function best(id: string | undefined, flags: Flags, here: InWorkspace): Promise<Done> {
  const read = await readSearchRun(here.workspace, { run: id })
  if (!read.ok) return read
  const { manifest } = read.value
  const node = manifest.nodes.find(({ node_id }) => node_id === manifest.best_node_id)
  if (!node) return refuseWith([problem(`run ${manifest.run} has no score yet`)], here, EXIT.failed)
  if (flags.json) return printJson({ run: manifest.run, ...node }, here)
  const ref = node.node_id === 'root' ? node.commit : `refs/espalier/${manifest.run}/node/${node.node_id}`
  const root = manifest.root?.score
  const lines = [
    `${manifest.score_key}: ${scoreText(node.score, node.spread)}${root === null || root === undefined ? '' : ` (root ${plainScore(root)})`}`,
    `by:     ${searchWayText(manifest, node.node_id)}`,
    `node:   ${node.node_id}`,
    `commit: ${node.commit}`,
    ...(ref === node.commit ? [] : [`ref:    ${ref}`]),
  ]
  return printLines(lines, here)
}

/** Two nodes or evals of a search, or the best of two searches. */
async function compare(a: string, b: string, flags: Flags, here: InWorkspace): Promise<Done> {
  const { workspace } = here
  const [first, second] = [
    await findSide(workspace, { run: flags.run, name: a }),
    await findSide(workspace, { run: flags.run, name: b }),
  ]
  if (!first.ok) return first
  if (!second.ok) return second
  const [left, right] = [withLabel(first.value), withLabel(second.value)]
  const diff = await diffOfSides(workspace, first.value, second.value, flags.patch ?? false)
  if (flags.json) return printJson({ a: left, b: right, diff }, here)
  const keys = [...new Set([...Object.keys(left.scores), ...Object.keys(right.scores)])]
  const lines = [
    `a: ${left.label}`,
    `b: ${right.label}`,
    ...keys.map((key) => {
      const [from, to] = [left.scores[key], right.scores[key]]
      const change = from === undefined || to === undefined ? '' : ` (${to >= from ? '+' : ''}${plainScore(to - from)})`
      return `${key}: ${from === undefined ? '–' : plainScore(from)} → ${to === undefined ? '–' : plainScore(to)}${change}`
    }),
  ]
  here.out.write(
    `${[...lines, '', diff === null ? 'their files cannot be compared' : diff || 'the same files'].join('\n').trimEnd()}\n`,
  )
  return EXIT.done
}

function withLabel({ side, manifest, entry, node, isSearch }: FoundSide) {
  const way = node === null ? `${ideaText(entry.idea_path)} on ${entry.parent_node_id}` : searchWayText(manifest, node)
  const label = isSearch ? `${side.name}: ${node} (${way})` : `${side.name} (${way})`
  return { ...side, label }
}

const HELP = {
  best: `
Without RUN: the newest search.

Exit status: 0, 1 if there is no score yet, 2 if there is no such search.`,
  compare: `
A and B are nodes (n3f9c0a1b2d4e, root), evals (root-2) or searches, of which the best is compared.

Exit status: 0, or 2 if there is no such node, eval or search.`,
} as const
