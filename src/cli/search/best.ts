import { diffOfSides, type FoundSide, findSide, readSearchRun } from '../../engine/query/search-tree.ts'
import { problem } from '../../problem.ts'
import { ideaText, plain as plainScore, scoreText, wayText as searchWayText } from '../../reports/search/wording.ts'
import { flag, inWorkspace, ONE_OBJECT } from '../command-line/command.ts'
import { EXIT } from '../exit-status.ts'
import { refuseWith } from '../refusal.ts'

export const commands = {
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

function withLabel({ side, manifest, entry, node, isSearch }: FoundSide) {
  const way = node === null ? `${ideaText(entry.idea_path)} on ${entry.parent_node_id}` : searchWayText(manifest, node)
  const label = isSearch ? `${side.name}: ${node} (${way})` : `${side.name} (${way})`
  return { ...side, label }
}
