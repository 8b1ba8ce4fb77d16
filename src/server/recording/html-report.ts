// `espalier report --html`: the dashboard in one file, with all of one run inside. The page of a suite and of a search opens
// with their own view.
import { basename } from 'node:path'
import type { Settings } from '../../config.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { RunKind } from '../../status.ts'
import { slug } from '../../text/slug.ts'
import { readKnownRun } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { ServerContext } from '../context.ts'
import { EventHub } from '../events/hub.ts'
import { SERVER_LIMITS } from '../limits.ts'
import type { Project } from '../projects/projects.ts'
import { refusalOf } from '../resources/refusal.ts'
import type { Route } from '../resources/route.ts'
import type { Answer } from '../resources/routes.ts'
import { runRoutes } from '../resources/runs.ts'
import { recordSearch, recordSuite } from './record-kind.ts'
import { recordServer } from './record-server.ts'
import { recordTexts, TextRoom } from './recorded-texts.ts'
import { type PageKind, type RecordedRun, Recording } from './recording.ts'

/** What the views of every run ask for. */
const RECORDED = ['runs.get', 'runs.changes', 'runs.plan', 'runs.summary', 'runs.next'] as const

const PAGES: Record<RunKind, { kind: PageKind; start: (of: RecordedRun) => string }> = {
  plan: { kind: 'run', start: ({ project, run }) => `/${project}/${run}/summary` },
  suite: { kind: 'suite', start: ({ project }) => `/${project}/-/suites` },
  search: { kind: 'search', start: ({ project }) => `/${project}/-/searches` },
}

/** `template`: `report.html` of the built app. */
export async function htmlReport(
  workspace: Workspace,
  { run: id, template }: { run?: string | undefined; template: string },
): Promise<Result<{ run: string; text: string; folder: string }>> {
  const known = await readKnownRun(workspace, { run: id })
  if (!known.ok) return known
  const { run, name, tasks, engine, durationMs, planFile, ...summary } = known.value
  const recording = new Recording()
  const project = slug(basename(workspace.repo))
  const of = { recording, workspace, project, run }
  recordServer(recording, project, workspace.repo)
  const failed = await recordRun(of)
  if (failed !== null) return refuse(failed)
  const { kind = 'plan' } = summary
  const listed = { run, name, engine, ...summary, ...(planFile === undefined ? {} : { planFile }) }
  const runs = { items: [listed], next: null } as Answer<'runs.list'>
  recording.put('runs.list', { project }, runs)
  recording.put('runs.list', { project, kind }, runs)
  const room = new TextRoom()
  const own = kind === 'suite' ? await recordSuite(of) : kind === 'search' ? await recordSearch(of, room) : ok(null)
  if (!own.ok) return own
  await recordTexts(of, room, tasks)
  const page = PAGES[kind]
  const text = recording.page(template, { start: page.start(of), kind: page.kind, title: `${name} · ${run}` })
  return ok({ run, text, folder: workspace.folder.reports })
}

/** Why the run cannot be shown; null: it can. */
async function recordRun({ recording, workspace, project, run }: RecordedRun): Promise<string | null> {
  await using hub = new EventHub(workspace.folder.database)
  const settings = async () => refuse<Settings>('a file has no settings')
  const context = contextOf({ id: project, repo: workspace.repo, workspace, hub, settings })
  for (const route of RECORDED) {
    const reply = await ask(route, { project, run }, context)
    if (reply.ok) recording.put(route, { project, run }, reply.value as Answer<typeof route>)
    else if (route === 'runs.changes' || route === 'runs.summary') return refusalOf(reply).detail
  }
  return null
}

/** These routes look at nothing else of a server. */
function contextOf(project: Project): ServerContext {
  const projects = { get: async () => ok(project) }
  return { projects, limits: SERVER_LIMITS } as unknown as ServerContext
}

function ask(name: (typeof RECORDED)[number], which: object, context: ServerContext) {
  const route: Route = runRoutes[name]
  return route.handle({
    ...{ input: route.input.parse(which), context, token: null },
    signal: () => new AbortController().signal,
  })
}
