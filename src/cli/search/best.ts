import {
  ideaText,
  type Manifest,
  plainScore,
  readSearchRun,
  scoreText,
  searchDiff,
  searchWayText,
} from '../../internal.ts'
import { ok, problem, type Result, refuse } from '../../problem.ts'
import { jsonText } from '../../text/json.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'

type Flags = RepositoryFlags & { json?: boolean; run?: string; patch?: boolean }

/** The best node: its score, how it came about, and where it is. */
export async function best(id: string | undefined, flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const found = await findWorkspace(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const read = await readSearchRun(found.value.workspace, { run: id })
  if (!read.ok) return refuseWith(read.problems, surroundings)
  const { manifest } = read.value
  const node = manifest.nodes.find(({ node_id }) => node_id === manifest.best_node_id)
  if (!node) return refuseWith([problem(`run ${manifest.run} has no score yet`)], surroundings, EXIT.failed)
  if (flags.json) {
    surroundings.out.write(`${jsonText({ version: 1, run: manifest.run, ...node })}\n`)
    return EXIT.done
  }
  const ref = node.node_id === 'root' ? node.commit : `refs/espalier/${manifest.run}/node/${node.node_id}`
  const root = manifest.root?.score
  const lines = [
    `${manifest.score_key}: ${scoreText(node.score, node.spread)}${root === null || root === undefined ? '' : ` (root ${plainScore(root)})`}`,
    `by:     ${searchWayText(manifest, node.node_id)}`,
    `node:   ${node.node_id}`,
    `commit: ${node.commit}`,
    ...(ref === node.commit ? [] : [`ref:    ${ref}`]),
  ]
  surroundings.out.write(`${lines.join('\n')}\n`)
  return EXIT.done
}

type Side = {
  name: string
  label: string
  score: number | null
  spread: number | null
  scores: Record<string, number>
  commit: string | null
}

/** Two nodes or evals of a search, or the best of two searches. */
export async function compare(a: string, b: string, flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const found = await findWorkspace(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const { workspace } = found.value
  const sides: Side[] = []
  for (const name of [a, b]) {
    const side = await sideOf(workspace, name, flags.run)
    if (!side.ok) return refuseWith(side.problems, surroundings)
    sides.push(side.value)
  }
  const [left, right] = sides as [Side, Side]
  const diff =
    left.commit && right.commit
      ? await searchDiff(workspace, left.commit, right.commit, { patch: flags.patch ?? false })
      : null
  if (flags.json) {
    surroundings.out.write(`${jsonText({ version: 1, a: left, b: right, diff })}\n`)
    return EXIT.done
  }
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
  surroundings.out.write(
    `${[...lines, '', diff === null ? 'their files cannot be compared' : diff || 'the same files'].join('\n').trimEnd()}\n`,
  )
  return EXIT.done
}

async function sideOf(workspace: Workspace, name: string, run: string | undefined): Promise<Result<Side>> {
  const own = await readSearchRun(workspace, { run })
  const inRun = own.ok ? find(own.value.manifest, name) : null
  if (inRun) return ok(inRun)
  const other = await readSearchRun(workspace, { run: name })
  const node = other.ok ? other.value.manifest.best_node_id : null
  const ofRun = other.ok && node !== null ? find(other.value.manifest, node) : null
  if (ofRun) return ok({ ...ofRun, name, label: `${name}: ${ofRun.label}` })
  return own.ok
    ? refuse(`run ${own.value.manifest.run} has no node or eval ${name}, and there is no search of that name`)
    : own
}

function find(manifest: Manifest, name: string): Side | null {
  const node = manifest.nodes.find(({ node_id }) => node_id === name)
  const id = node?.eval_id ?? name
  const entry = id === 'root' ? manifest.root : manifest.evals.find(({ eval_id }) => eval_id === id)
  if (!entry) return null
  const { score, spread, scores, commit } = entry
  const way = node ? searchWayText(manifest, node.node_id) : `${ideaText(entry.idea_path)} on ${entry.parent_node_id}`
  return { name, label: `${name} (${way})`, score, spread, scores, commit }
}
