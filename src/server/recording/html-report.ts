// `espalier report --html`: the dashboard in one file, with all of one run inside.
import type { Settings } from '../../config.ts'
import { readDiff } from '../../engine/query/diff.ts'
import { readPrompt } from '../../engine/query/show-prompt.ts'
import { readTranscript } from '../../engine/query/attempt-output.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { AttemptView, TaskView } from '../../view.ts'
import { readKnownRun } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { ServerContext } from '../context.ts'
import { EventHub } from '../events/hub.ts'
import { RunHistories } from '../history/followed-run.ts'
import { SERVER_LIMITS } from '../limits.ts'
import type { Project } from '../projects/projects.ts'
import { refusalOf } from '../resources/refusal.ts'
import type { Route } from '../resources/route.ts'
import type { Answer } from '../resources/routes.ts'
import { runHistoryRoutes } from '../resources/run-history.ts'
import { runRoutes } from '../resources/runs.ts'
import { recordServer } from './record-server.ts'
import { Recording } from './recording.ts'

/** Of all texts together, and of one: a page for 100 tasks stays below 1.5 MB. */
const ALL_CHARS = 2_000_000
const TEXT_CHARS = { transcript: 24_000, diff: 48_000, prompt: 16_000 } as const
/** Tasks whose texts are read at the same time: each starts a git process or two. */
const AT_ONCE = 4

/** The names of projects are a server's; a file has one. */
const PROJECT = 'run'

/** What its views ask for, with what they ask for besides the run. */
const RECORDED = {
  'runs.get': {},
  'runs.changes': {},
  'runs.plan': {},
  'runs.summary': {},
  'runs.next': {},
  'runs.spending': {},
  'runs.queue': {},
  'runs.landings': {},
} as const

const ROUTES = { ...runRoutes, ...runHistoryRoutes }

/** `template`: `report.html` of the built app. */
export async function htmlReport(
  workspace: Workspace,
  { run: id, template }: { run?: string | undefined; template: string },
): Promise<Result<{ run: string; text: string; folder: string }>> {
  const known = await readKnownRun(workspace, { run: id })
  if (!known.ok) return known
  const { run, name, tasks, engine, durationMs, planFile, ...summary } = known.value
  await using hub = new EventHub(workspace.folder.database)
  const settings = async () => refuse<Settings>('a file has no settings')
  const context = contextOf({ id: PROJECT, repo: workspace.repo, workspace, hub, settings })
  const recording = new Recording()
  recordServer(recording, PROJECT, workspace.repo)
  for (const [route, input] of Object.entries(RECORDED) as [keyof typeof RECORDED, object][]) {
    const reply = await ask(route, input, run, context)
    if (reply.ok) recording.put(route, { project: PROJECT, run }, reply.value as Answer<typeof route>)
    else if (route === 'runs.changes' || route === 'runs.summary') return refuse(refusalOf(reply).detail)
  }
  const listed = { run, name, engine, ...summary, ...(planFile === undefined ? {} : { planFile }) }
  recording.put('runs.list', { project: PROJECT }, { items: [listed], next: null } as Answer<'runs.list'>)
  await recordTexts(workspace, recording, run, tasks)
  const text = recording.page(template, { start: `/${PROJECT}/${run}/summary`, kind: 'run', title: `${name} · ${run}` })
  return ok({ run, text, folder: workspace.folder.reports })
}

/** These routes look at nothing else of a server. */
function contextOf(project: Project): ServerContext {
  const projects = { get: async () => ok(project) }
  const context = { projects, histories: new RunHistories(), limits: SERVER_LIMITS }
  return context as unknown as ServerContext
}

function ask(name: keyof typeof RECORDED, more: object, run: string, context: ServerContext) {
  const route: Route = ROUTES[name]
  const input = route.input.parse({ project: PROJECT, run, ...more })
  return route.handle({ input, context, token: null, signal: () => new AbortController().signal })
}

type Which = { run: string; task: string; attempt: number }

/** Of those that did not succeed first, the newest attempt first, as long as there is room. */
async function recordTexts(workspace: Workspace, recording: Recording, run: string, tasks: readonly TaskView[]) {
  const ordered = [...tasks.filter(({ failure }) => failure), ...tasks.filter(({ failure }) => !failure)]
  let room = ALL_CHARS
  const take = (text: string | null, most: number): string | null => {
    if (text === null || room <= 0) return null
    const kept = text.length > most ? `… the beginning is left out …\n${text.slice(-most)}` : text
    room -= kept.length
    return kept
  }
  const record = async (task: TaskView) => {
    for (const attempt of task.history.toReversed()) {
      if (room <= 0) return
      const which = { run, task: task.id, attempt: attempt.attempt }
      const words = { project: PROJECT, ...which }
      const transcript = take(await transcriptOf(workspace, which), TEXT_CHARS.transcript)
      if (transcript !== null) recording.put('tasks.transcript', words, transcript)
      const diff = take(await diffOf(workspace, which, attempt), TEXT_CHARS.diff)
      if (diff !== null) recording.put('tasks.diff', words, diff)
      const prompt = take(await promptOf(workspace, which), TEXT_CHARS.prompt)
      if (prompt !== null) recording.put('tasks.prompt', words, prompt)
    }
    const landed = task.landedCommit === null ? null : await landedDiff(workspace, run, task.id)
    const kept = take(landed, TEXT_CHARS.diff)
    if (kept !== null) recording.put('tasks.diff', { project: PROJECT, run, task: task.id, landed: true }, kept)
  }
  const queue = ordered.values()
  const worker = async () => {
    for (const task of queue) await record(task)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

async function transcriptOf(workspace: Workspace, which: Which): Promise<string | null> {
  const read = await readTranscript(workspace, which)
  if (!read.ok) return null
  const parts: Buffer[] = []
  for await (const part of read.value) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

async function diffOf(workspace: Workspace, which: Which, { commit }: AttemptView): Promise<string | null> {
  if (commit === null) return null
  const read = await readDiff(workspace, { ...which, landed: false }, TEXT_CHARS.diff)
  return read.ok ? cutEnd(read.value) : null
}

async function landedDiff(workspace: Workspace, run: string, task: string): Promise<string | null> {
  const read = await readDiff(workspace, { run, task, landed: true }, TEXT_CHARS.diff)
  return read.ok ? cutEnd(read.value) : null
}

async function promptOf(workspace: Workspace, which: Which): Promise<string | null> {
  const read = await readPrompt(workspace, which)
  return read.ok ? read.value : null
}

function cutEnd({ patch, isCut }: { patch: Buffer; isCut: boolean }): string {
  return isCut
    ? `${patch.toString('utf8')}\n… there is more of it: look at the commits with git\n`
    : patch.toString('utf8')
}
