// The state of a search, and two of its nodes side by side: from any process, also while an engine works on it.
import { join } from 'node:path'
import { inEngine } from '../../git/engine/engine-repository.ts'
import { gitText } from '../../git/run/git.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { supervisorPid } from '../../process/supervise/supervise.ts'
import type { Search } from '../../search-definition.ts'
import type { RunSummary, TaskView } from '../../view.ts'
import { type EvalEntry, type Manifest, searchManifest } from '../../workloads/search/result-manifest.ts'
import { attemptFolder, newestIteration, stepsIn } from '../../workspace/state-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { fromEngine } from './work-of-task.ts'

export type ReadSearchRun = {
  manifest: Manifest
  search: Search
  tasks: ReadonlyMap<string, TaskView>
  run: RunSummary
}

/** Default: the newest search. Refused if there is none. */
export async function readSearchRun(
  workspace: Workspace,
  options: { run?: string | undefined } = {},
): Promise<Result<ReadSearchRun>> {
  const read = await workspace.readViews<Omit<ReadSearchRun, 'manifest'> | string>(NONE, async (store) => {
    const runs = await store.runs()
    const run = runs.find((one) => (options.run === undefined ? one.kind === 'search' : one.run === options.run))
    if (!run) return options.run === undefined ? NONE : `this repository has no run ${options.run}`
    const search = (await store.firstPlan(run.run))?.search
    if (!search) return `run ${run.run} is no search: \`espalier status ${run.run}\` shows it`
    return { run, search, tasks: await store.tasks(run.run) }
  })
  if (!read.ok) return read
  if (typeof read.value === 'string') return refuse(read.value)
  const { run, tasks } = read.value
  const pids = await runningPids(workspace, run.run, tasks)
  return ok({ ...read.value, manifest: searchManifest({ ...read.value, pids }) })
}

const NONE =
  'there is no search yet: `espalier search run FILE` starts one, `espalier init --search` writes one to start from'

/** Processes of the running tasks: finished ones have theirs in the journal. */
async function runningPids(
  { folder }: Workspace,
  run: string,
  tasks: ReadonlyMap<string, TaskView>,
): Promise<Map<string, number>> {
  const pids = new Map<string, number>()
  for (const { id, status, attempts } of tasks.values()) {
    if (status !== 'running') continue
    const files = attemptFolder(folder, run, id, attempts)
    const step = (await stepsIn(files.root)).at(-1)
    const pid = supervisorPid(step === undefined ? newestIteration(files).work : join(files.root, step))
    if (pid !== null) pids.set(id, pid)
  }
  return pids
}

/** `git diff --stat` of two sides, or their patch. Null: one has no commit, or git does not find it. */
export async function diffOfSides(
  workspace: Workspace,
  { side: { commit: from } }: FoundSide,
  { side: { commit: to } }: FoundSide,
  patch: boolean,
): Promise<string | null> {
  if (!from || !to) return null
  const how = patch ? ['--no-color', '--no-ext-diff', '--no-textconv'] : ['--stat', '--no-color']
  // Candidates that were not promoted are only there.
  const diff = await fromEngine(workspace, 'git cannot compare them', async (engine) => {
    return ok(await gitText(['diff', ...how, from, to, '--'], inEngine(engine)))
  })
  return diff.ok ? diff.value : null
}

type Side = Pick<EvalEntry, 'score' | 'spread' | 'scores' | 'commit'> & { name: string }

/** `node`: null for an eval. `isSearch`: named as a search, of which this is the best. */
export type FoundSide = { side: Side; manifest: Manifest; entry: EvalEntry; node: string | null; isSearch: boolean }

export async function compareSides(
  workspace: Workspace,
  options: { run?: string | undefined; a: string; b: string; patch: boolean },
): Promise<Result<{ a: Side; b: Side; diff: string | null }>> {
  const { run, patch } = options
  const a = await findSide(workspace, { run, name: options.a })
  const b = await findSide(workspace, { run, name: options.b })
  if (!a.ok) return a
  if (!b.ok) return b
  return ok({ a: a.value.side, b: b.value.side, diff: await diffOfSides(workspace, a.value, b.value, patch) })
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

export function sideIn(manifest: Manifest, name: string): FoundSide | null {
  const node = manifest.nodes.find(({ node_id }) => node_id === name)
  const id = node?.eval_id ?? name
  const entry = id === 'root' ? manifest.root : manifest.evals.find(({ eval_id }) => eval_id === id)
  if (!entry) return null
  const { score, spread, scores, commit } = entry
  const side = { name, score, spread, scores, commit }
  return { side, manifest, entry, node: node?.node_id ?? null, isSearch: false }
}
