// `espalier report --html`: the dashboard in one file, with all of one run inside, as the routes of a server answer it. The page of
// a suite and of a search opens with their own view.
import { basename } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { diffOfSides, readSearchRun, sideIn } from '../../engine/query/search-tree.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { RunKind } from '../../status.ts'
import { slug } from '../../text/slug.ts'
import type { TaskView } from '../../view.ts'
import type { Manifest } from '../../workloads/search/result-manifest.ts'
import { readKnownRun } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { ServerContext } from '../context.ts'
import { EventHub } from '../events/hub.ts'
import { SERVER_LIMITS } from '../limits.ts'
import { type Reply, refusalOf } from '../resources/refusal.ts'
import type { Route, Text } from '../resources/route.ts'
import type { RouteName } from '../resources/route-paths.ts'
import { type Answer, ROUTES } from '../resources/routes.ts'
import { type PageKind, Recording } from './recorded-answers.ts'

/** `own`: answers that only the view of this kind asks for. */
const PAGES: Record<RunKind, { kind: PageKind; start: (run: string) => string; own: RouteName[] }> = {
  plan: { kind: 'run', start: (run) => `${run}/summary`, own: [] },
  suite: { kind: 'suite', start: () => '-/suites', own: ['suites.get'] },
  search: { kind: 'search', start: () => '-/searches', own: ['searches.get'] },
}
/** Characters of all texts together, and of one of each kind: a page for 100 tasks stays below 1.5 MB. */
const ALL_CHARS = 2_000_000
const TEXT_CHARS = { 'tasks.transcript': 24_000, 'tasks.diff': 48_000, 'tasks.prompt': 16_000 } as const
/** Tasks whose texts are read at the same time: each starts a git process or two. */
const AT_ONCE = 4
/** Results over time for each entry of a suite. */
const LOOKS = 40
/** Most diffs of a search: each takes a git process. */
const MOST_DIFFS = 200

type Words = Record<string, string | number | true>
/** `leftChars`: the remaining room for texts. */
type RecordedRun = { recording: Recording; context: ServerContext; which: Words; leftChars: number }

/** `template`: `report.html` of the built app. */
export async function htmlReport(
  workspace: Workspace,
  { run: id, template }: { run?: string | undefined; template: string },
): Promise<Result<{ run: string; text: string; folder: string }>> {
  const known = await readKnownRun(workspace, { run: id })
  if (!known.ok) return known
  const { run, name, tasks, kind = 'plan' } = known.value
  const project = slug(basename(workspace.repo))
  await using hub = new EventHub(workspace.folder.database)
  const recording = new Recording(project, workspace.repo)
  const of = { recording, context: contextOf(project, workspace, hub), which: { project, run }, leftChars: ALL_CHARS }
  const page = PAGES[kind]
  for (const route of ['runs.get', 'runs.changes', 'runs.summary', ...page.own] as const) {
    const reply = await record(of, route, of.which)
    if (!reply.ok) return refuse(refusalOf(reply).detail)
  }
  await record(of, 'runs.plan', of.which)
  await record(of, 'runs.next', of.which)
  const { tasks: _, spending: __, unwritten: ___, durationMs: ____, ...listed } = known.value
  for (const words of [{ project }, { project, kind }])
    recording.put('runs.list', words, { items: [listed], next: null })
  if (kind === 'suite') await record(of, 'suites.history', { project, limit: LOOKS })
  if (kind === 'search') await recordDiffs(of, workspace, run)
  await recordTexts(of, tasks)
  const start = `/${project}/${page.start(run)}`
  const text = recording.page(template, { start, kind: page.kind, title: `${name} · ${run}` })
  return ok({ run, text, folder: workspace.folder.reports })
}

/** The recorded routes use nothing else of a server. */
function contextOf(id: string, workspace: Workspace, hub: EventHub): ServerContext {
  const settings = async () => refuse('a file has no settings')
  const projects = { get: async () => ok({ id, repo: workspace.repo, workspace, hub, settings }) }
  return { projects, limits: { ...SERVER_LIMITS, diffBytes: TEXT_CHARS['tasks.diff'] } } as unknown as ServerContext
}

function ask({ context }: RecordedRun, name: RouteName, words: Words): Promise<Reply<unknown>> {
  const route: Route = ROUTES[name]
  const { signal } = new AbortController()
  return route.handle({ input: route.input.parse(words), context, token: null, signal: () => signal })
}

async function record(of: RecordedRun, name: RouteName, words: Words): Promise<Reply<unknown>> {
  const reply = await ask(of, name, words)
  if (reply.ok) of.recording.put(name, words, reply.value as Answer<typeof name>)
  return reply
}

/** Records a search; diffs of promoted candidates come first. */
async function recordDiffs(of: RecordedRun, workspace: Workspace, run: string): Promise<void> {
  const read = await readSearchRun(workspace, { run })
  if (!read.ok) return
  const { manifest } = read.value
  for (const { a, b } of pairsOf(manifest).slice(0, MOST_DIFFS)) {
    const [before, after] = [sideIn(manifest, a), sideIn(manifest, b)]
    if (!before || !after || of.leftChars <= 0) continue
    const diff = await diffOfSides(workspace, before, after, true)
    if (diff === null) continue
    const answer = { a: before.side, b: after.side, diff: shortened(of, diff, TEXT_CHARS['tasks.diff']) }
    of.recording.put('searches.compare', { ...of.which, a, b, patch: true }, answer)
  }
}

/** Each candidate with the node that it was tried on, and the deeper nodes with the root. */
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

/** Failed tasks first, and the newest attempt first, as long as there is room. */
async function recordTexts(of: RecordedRun, tasks: readonly TaskView[]): Promise<void> {
  const queue = [...tasks.filter(({ failure }) => failure), ...tasks.filter(({ failure }) => !failure)].values()
  const worker = async () => {
    for (const task of queue) await recordTextsOf(of, task)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

async function recordTextsOf(of: RecordedRun, { id: task, history, landedCommit }: TaskView): Promise<void> {
  for (const { attempt, commit } of history.toReversed()) {
    const words = { ...of.which, task, attempt }
    await recordText(of, 'tasks.transcript', words)
    if (commit !== null) await recordText(of, 'tasks.diff', words)
    await recordText(of, 'tasks.prompt', words)
  }
  if (landedCommit !== null) await recordText(of, 'tasks.diff', { ...of.which, task, landed: true })
}

async function recordText(of: RecordedRun, name: keyof typeof TEXT_CHARS, words: Words): Promise<void> {
  const reply = of.leftChars > 0 ? await ask(of, name, words) : null
  if (!reply?.ok) return
  const { body } = reply.value as Text
  const text = typeof body === 'string' ? body : await textOf(body)
  of.recording.put(name, words, shortened(of, text, TEXT_CHARS[name]))
}

/** Keeps the end of a text, and subtracts its length from the room. */
function shortened(of: RecordedRun, text: string, most: number): string {
  const kept = text.length > most ? `… the beginning is left out …\n${text.slice(-most)}` : text
  of.leftChars -= kept.length
  return kept
}
