// What a page shows of a suite and of a search besides their tasks: the answers for their own views.
import { diffOfSides, readSearchRun, sideIn } from '../../engine/query/search-tree.ts'
import { readEntryHistory } from '../../engine/suite/history.ts'
import { readSuiteStatus } from '../../engine/suite/report-of-suite-run.ts'
import { ok, type Result } from '../../problem.ts'
import type { Manifest } from '../../workloads/search/manifest.ts'
import type { TextRoom } from './recorded-texts.ts'
import type { RecordedRun } from './recording.ts'

/** Results of each entry that are shown over time. */
const LOOKS = 40
/** Each takes a git process. */
const MOST_DIFFS = 200

export async function recordSuite({ recording, workspace, project, run }: RecordedRun): Promise<Result<null>> {
  const status = await readSuiteStatus(workspace, { run })
  if (!status.ok) return status
  recording.put('suites.get', { project, run }, status.value)
  const history = await readEntryHistory(workspace, { limit: LOOKS })
  if (history.ok) recording.put('suites.history', { project }, { entries: history.value })
  return ok(null)
}

/** With the diffs of promoted candidates first, as long as there is room. */
export async function recordSearch(
  { recording, workspace, project, run }: RecordedRun,
  room: TextRoom,
): Promise<Result<null>> {
  const read = await readSearchRun(workspace, { run })
  if (!read.ok) return read
  const { manifest } = read.value
  recording.put('searches.get', { project, run }, manifest)
  for (const { a, b } of pairsOf(manifest).slice(0, MOST_DIFFS)) {
    const [before, after] = [sideIn(manifest, a), sideIn(manifest, b)]
    if (!before || !after || room.isFull) continue
    const diff = room.take(await diffOfSides(workspace, before, after, true), 'diff')
    if (diff !== null)
      recording.put('searches.compare', { project, run, a, b, patch: true }, { a: before.side, b: after.side, diff })
  }
  return ok(null)
}

/** Each candidate against the node that it was tried on, and the deeper nodes against the root. */
function pairsOf({ evals, nodes }: Manifest): { a: string; b: string }[] {
  const evalOf = new Map(nodes.map(({ node_id, eval_id }) => [node_id, eval_id]))
  const promoted = new Set(evalOf.values())
  const tried = evals.flatMap(({ eval_id: b, parent_node_id, commit }) => {
    const a = evalOf.get(parent_node_id ?? 'root') ?? 'root'
    return commit === null ? [] : [{ a, b }]
  })
  const ofNodes = tried.filter(({ b }) => promoted.has(b))
  const fromRoot = ofNodes.flatMap(({ a, b }) => (a === 'root' ? [] : [{ a: 'root', b }]))
  return [...ofNodes, ...fromRoot, ...tried.filter(({ b }) => !promoted.has(b))]
}
