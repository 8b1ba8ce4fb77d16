// The manifest of a search: all of its evals and nodes, derived from what its run has in the journal. Published with a JSON Schema
// (schema/search-manifest.schema.json), in the names of the document it comes from.
//
// But for times, processes and worktrees it does not depend on how many evals ran at the same time, on which was done first, or on how
// often the engine was killed in between.
import * as z from 'zod'
import { FAILURE_REASONS } from '../../failure.ts'
import { rounded } from '../../scheduler/budgets/accounts.ts'
import type { Search } from '../../search-definition.ts'
import { isBad, RUN_STATUSES } from '../../status.ts'
import { usageOf } from '../../usage.ts'
import type { RunSummary, TaskView } from '../../view.ts'
import { judgeOf, proposerOf, ROOT, tasksOf } from './ids.ts'
import { compareEvals, type Standing, spreadOf } from './promote.ts'
import { type Eval, knownBy, type Node, Tree } from './tree.ts'

const TASK_STATES = ['queued', 'running', 'completed', 'failed'] as const
type TaskState = (typeof TASK_STATES)[number]

const PROMOTIONS = [
  ...['open', 'undecided', 'promoted', 'outranked', 'no-improvement', 'duplicate', 'unchanged', 'failed'],
] as const

const time = z.number().nullable().describe('In ms since the epoch; null: it has not happened')
const scores = z.record(z.string(), z.number())

const evalEntry = z.strictObject({
  eval_id: z.string(),
  parent_node_id: z.string().nullable().describe('The node the idea was tried on; null: the root itself'),
  idea_path: z.string().nullable(),
  depth: z.int(),
  task_state: z.enum(TASK_STATES),
  queued_at: time,
  started_at: time,
  finished_at: time,
  worker_pid: z.int().nullable(),
  worktree: z.int().nullable().describe('The place of the worktree pool it was last in'),
  attempt: z.int().describe('How many tries it took so far, the first included'),
  score: z.number().nullable().describe('The number that ranks; the median where it was measured several times'),
  spread: z.number().nullable().describe('From the lowest to the highest measurement of it'),
  scores: scores.describe('All numbers'),
  samples: z.record(z.string(), z.array(z.number())).describe('What they are the medians of'),
  gates: z.array(z.strictObject({ command: z.string(), passed: z.boolean() })),
  commit: z.string().nullable().describe('What was judged, as one commit on the root'),
  tree: z.string().nullable(),
  changed_protected: z
    .array(z.string())
    .describe('Paths of the evaluator that the candidate changed: restored before it was judged'),
  cost_usd: z.number(),
  error: z.strictObject({ reason: z.enum(FAILURE_REASONS), message: z.string(), task: z.string() }).nullable(),
  promotion: z.strictObject({
    status: z.enum(PROMOTIONS),
    rank: z.int().optional(),
    of: z.string().optional().describe('The eval or node that has the same tree'),
    gain: z.number().optional(),
    needed: z.number().optional(),
    noise: z.number().optional(),
  }),
  node_id: z.string().nullable().describe('The node it became'),
})

const nodeEntry = z.strictObject({
  node_id: z.string(),
  parent_node_id: z.string().nullable(),
  eval_id: z.string(),
  idea_path: z.string().nullable(),
  depth: z.int(),
  score: z.number(),
  spread: z.number(),
  commit: z.string().nullable(),
  tree: z.string(),
})

const depthEntry = z.strictObject({
  depth: z.int(),
  queued: z.int(),
  running: z.int(),
  completed: z.int(),
  failed: z.int(),
  promoted: z.int(),
  decided: z.boolean().describe('Nothing of it is open, and what is promoted is final'),
})

export const manifestSchema = z.strictObject({
  version: z.literal(1),
  run: z.string(),
  objective: z.string(),
  status: z.enum(RUN_STATUSES),
  root_commit: z.string(),
  branch: z.string(),
  score_key: z.string(),
  goal: z.enum(['max', 'min']),
  beam_width: z.int(),
  max_depth: z.int(),
  depths: z.array(depthEntry),
  root: evalEntry.nullable().describe('What the root was measured as'),
  evals: z.array(evalEntry),
  nodes: z.array(nodeEntry).describe('By depth and rank, the root first'),
  best_node_id: z.string().nullable(),
  proposals: z.array(z.strictObject({ node_id: z.string(), ideas: z.array(z.string()) })),
  cost_usd: z.number(),
})

export type Manifest = z.infer<typeof manifestSchema>
export type EvalEntry = z.infer<typeof evalEntry>

/** `tasks`: of its run. `pids`: of attempts that are running now, by task. */
type SearchRun = {
  search: Search
  run: Pick<RunSummary, 'run' | 'status' | 'base' | 'branch'>
  tasks: ReadonlyMap<string, TaskView>
  pids?: ReadonlyMap<string, number>
}

export function searchManifest(of: SearchRun): Manifest {
  const { search, run, tasks } = of
  const tree = new Tree(search)
  tree.advance(knownBy(search, (task) => tasks.get(task)))
  const nodes = tree.inOrder
  const nodeOf = new Map(nodes.map(({ id, eval: evaluation }) => [evaluation, id]))
  const depths = tree.depths.map(({ evals, standings, isClosed }) => ({
    isClosed,
    entries: evals
      // Evals that were never queued for lack of money are left out.
      .filter(({ id }) => tasks.has(judgeOf(id)))
      .sort(compareEvals)
      .map((one) => entryOf(of, one, standings.get(one.id), nodeOf)),
  }))
  return {
    version: 1,
    run: run.run,
    objective: search.objective,
    status: run.status,
    root_commit: run.base,
    branch: run.branch,
    score_key: search.score.rankedBy,
    goal: search.score.goal,
    beam_width: search.beam,
    max_depth: search.depth,
    depths: depths.map(({ entries, isClosed }, index) => {
      return { depth: index + 1, ...countsOf(entries), decided: isClosed }
    }),
    root: tasks.has(judgeOf(ROOT)) ? rootEntry(of, nodeOf) : null,
    evals: depths.flatMap(({ entries }) => entries),
    nodes: nodes.map((node) => nodeEntryOf(tasks, node)),
    best_node_id: tree.best?.id ?? null,
    proposals: [...tree.nodes.keys()].sort().flatMap((node) => {
      const ideas = tasks.get(proposerOf(node))?.history.at(-1)?.result?.ideas
      return ideas ? [{ node_id: node, ideas: ideas.map(({ path }) => path) }] : []
    }),
    cost_usd: costOf([...tasks.values()]),
  }
}

function countsOf(evals: readonly EvalEntry[]) {
  const count = (state: TaskState) => evals.filter(({ task_state }) => task_state === state).length
  const states = { queued: count('queued'), running: count('running'), completed: count('completed') }
  const promoted = evals.filter(({ promotion }) => promotion.status === 'promoted').length
  return { ...states, failed: count('failed'), promoted }
}

function rootEntry(of: SearchRun, nodeOf: ReadonlyMap<string, string>): EvalEntry {
  const idea = { path: '', text: '' }
  const entry = entryOf(of, { id: ROOT, depth: 0, parent: '', number: 0, idea }, undefined, nodeOf)
  const promotion = { status: entry.node_id === null ? ('open' as const) : ('promoted' as const) }
  return { ...entry, idea_path: null, parent_node_id: null, promotion }
}

/** `nodeOf`: by eval. */
function entryOf(
  of: SearchRun,
  one: Eval,
  standing: Standing | undefined,
  nodeOf: ReadonlyMap<string, string>,
): EvalEntry {
  const { search, tasks, pids } = of
  const own = tasksOf(search, one.id).flatMap((id) => tasks.get(id) ?? [])
  const judge = tasks.get(judgeOf(one.id))
  const last = own.findLast(({ history }) => history.length > 0)?.history.at(-1)
  const judged = judge?.status === 'passed' ? judge.history.at(-1) : undefined
  const bad =
    own.find(({ status }) => status === 'failed' || status === 'cancelled') ??
    own.find(({ status }) => status === 'blocked')
  const state = stateOf(own, judge)
  const { scores = {}, samples = {}, tree = null } = judged?.result ?? {}
  const times = own.flatMap(({ queuedAt }) => queuedAt ?? [])
  const started = own.flatMap(({ startedAt }) => startedAt ?? [])
  const ended = own.flatMap(({ finishedAt, history }) => finishedAt ?? history.at(-1)?.finishedAt ?? [])
  const isFinal = state === 'completed' || state === 'failed'
  const checks = judge?.history.at(-1)?.checks ?? []
  const key = search.score.rankedBy
  return {
    eval_id: one.id,
    parent_node_id: one.parent,
    idea_path: one.idea.path,
    depth: one.depth,
    task_state: state,
    queued_at: times.length > 0 ? Math.min(...times) : null,
    started_at: started.length > 0 ? Math.min(...started) : null,
    finished_at: isFinal && ended.length > 0 ? Math.max(...ended) : null,
    worker_pid: own.map(({ id }) => pids?.get(id)).find((pid) => pid !== undefined) ?? last?.result?.pid ?? null,
    worktree: last?.slot ?? null,
    attempt: own.reduce(
      (tries, { history }) =>
        tries + Math.max(0, history.filter(({ countsAsTry }) => countsAsTry !== false).length - 1),
      1,
    ),
    score: scores[key] ?? null,
    spread: scores[key] === undefined ? null : spreadOf(samples[key]),
    scores,
    samples,
    gates: checks.map(({ command, passed }) => ({ command, passed })),
    commit: judged ? (judged.commit ?? judged.base) : null,
    tree,
    changed_protected: judge?.history.at(-1)?.flagged?.paths ?? [],
    cost_usd: costOf(own),
    error:
      state === 'failed' && bad?.failure
        ? { reason: bad.failure.reason, message: bad.failure.message, task: bad.id }
        : null,
    promotion: standing ?? { status: UNRANKED[state] },
    node_id: nodeOf.get(one.id) ?? null,
  }
}

const UNRANKED = { queued: 'open', running: 'open', completed: 'undecided', failed: 'failed' } as const

function stateOf(own: readonly TaskView[], judge: TaskView | undefined): TaskState {
  if (judge?.status === 'passed') return 'completed'
  if (own.some(({ status }) => isBad(status))) return 'failed'
  return own.some(({ history }) => history.length > 0) ? 'running' : 'queued'
}

function nodeEntryOf(tasks: ReadonlyMap<string, TaskView>, node: Node): Manifest['nodes'][number] {
  const { id, parent, eval: evaluation, idea, depth, score, spread, tree } = node
  const judged = tasks.get(judgeOf(evaluation))?.history.at(-1)
  const commit = judged ? (judged.commit ?? judged.base) : null
  const names = { node_id: id, parent_node_id: parent, eval_id: evaluation, idea_path: idea }
  return { ...names, depth, score, spread, commit, tree }
}

function costOf(tasks: readonly TaskView[]): number {
  return rounded(usageOf(tasks.flatMap(({ history }) => history)).costUsd)
}
