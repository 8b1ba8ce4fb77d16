// Two nodes or evals of a search, or the best of two searches, side by side.
import { ok, type Result, refuse } from '../../problem.ts'
import type { EvalEntry, Manifest } from '../../workloads/search/manifest.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { diffBetween, readSearchRun } from './search-tree.ts'

type Side = Pick<EvalEntry, 'score' | 'spread' | 'scores' | 'commit'> & { name: string }

/** `node`: null for an eval. `isSearch`: named as a search, of which this is the best. */
export type FoundSide = { side: Side; manifest: Manifest; entry: EvalEntry; node: string | null; isSearch: boolean }

export async function compareSides(
  workspace: Workspace,
  options: { run?: string | undefined; a: string; b: string; patch: boolean },
): Promise<Result<{ a: Side; b: Side; diff: string | null }>> {
  const { run, patch } = options
  const [a, b] = [
    await findSide(workspace, { run, name: options.a }),
    await findSide(workspace, { run, name: options.b }),
  ]
  if (!a.ok) return a
  if (!b.ok) return b
  return ok({ a: a.value.side, b: b.value.side, diff: await diffOfSides(workspace, a.value, b.value, patch) })
}

/** Null: their files cannot be compared. */
export async function diffOfSides(
  workspace: Workspace,
  { side: a }: FoundSide,
  { side: b }: FoundSide,
  patch: boolean,
): Promise<string | null> {
  return a.commit && b.commit ? diffBetween(workspace, a.commit, b.commit, { patch }) : null
}

/** `name`: a node or eval of the run, else another search. */
export async function findSide(
  workspace: Workspace,
  { run, name }: { run: string | undefined; name: string },
): Promise<Result<FoundSide>> {
  const own = await readSearchRun(workspace, { run })
  const inRun = own.ok ? sideIn(own.value.manifest, name) : null
  if (inRun) return ok(inRun)
  const other = await readSearchRun(workspace, { run: name })
  const best = other.ok ? other.value.manifest.best_node_id : null
  const ofRun = other.ok && best !== null ? sideIn(other.value.manifest, best) : null
  if (ofRun) return ok({ ...ofRun, side: { ...ofRun.side, name }, isSearch: true })
  return own.ok
    ? refuse(`run ${own.value.manifest.run} has no node or eval ${name}, and there is no search of that name`)
    : own
}

/** `name`: of a node or eval. */
export function sideIn(manifest: Manifest, name: string): FoundSide | null {
  const node = manifest.nodes.find(({ node_id }) => node_id === name)
  const id = node?.eval_id ?? name
  const entry = id === 'root' ? manifest.root : manifest.evals.find(({ eval_id }) => eval_id === id)
  if (!entry) return null
  const { score, spread, scores, commit } = entry
  return {
    side: { name, score, spread, scores, commit },
    manifest,
    entry,
    node: node?.node_id ?? null,
    isSearch: false,
  }
}
