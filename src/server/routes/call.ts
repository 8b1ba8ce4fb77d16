// One call of a route, as its handler sees it. The project, the run and the task that its path names exist when it is called.
import type { Result } from '../../problem.ts'
import type { ListedRun, RunNow } from '../../view.ts'
import { readSummary } from '../../workspace/read-runs.ts'
import type { ServerContext } from '../context.ts'
import type { Project } from '../projects/projects.ts'
import type { RouteName } from '../protocol/paths.ts'
import type { Input } from '../protocol/routes.ts'
import type { Token } from '../tokens/token.ts'
import { type Refusal, type Reply, refusal, refusedBy } from './reply.ts'

export type Call<Name extends RouteName> = {
  name: Name
  input: Input<Name>
  context: ServerContext
  /** Null only on routes that are public. */
  token: Token | null
  /** Ends with the connection. */
  signal: AbortSignal
}

export type Handler<Name extends RouteName> = (call: Call<Name>) => Promise<Reply>
export type Handlers<Name extends RouteName> = { [N in Name]: Handler<N> }

type OfProject = { input: { project: string }; context: ServerContext }

export type Found<T> = { found: true; value: T } | { found: false; refusal: Refusal }

export async function withProject(call: OfProject, use: (project: Project) => Promise<Reply>): Promise<Reply> {
  const found = await findProject(call.context, call.input.project)
  return found.found ? use(found.value) : found.refusal
}

export async function findProject(context: ServerContext, id: string): Promise<Found<Project>> {
  const opened = await context.projects.get(id)
  if (opened === null) return { found: false, refusal: refusal('not-found', `there is no project ${id}`) }
  return opened.ok ? { found: true, value: opened.value } : { found: false, refusal: refusedBy(opened.problems) }
}

export async function withRun(
  call: OfProject & { input: { run: string } },
  use: (project: Project, run: RunNow) => Promise<Reply>,
): Promise<Reply> {
  return withProject(call, async (project) => {
    const summary = await readSummary(project.workspace, { run: call.input.run })
    if (!summary.ok) return refusedBy(summary.problems)
    if (!summary.value) return refusal('not-found', `project ${project.id} has no run ${call.input.run}`)
    return use(project, summary.value)
  })
}

/** Null: there is none. */
export function newestRun({ workspace }: Project): Promise<Result<ListedRun | null>> {
  return workspace.readViews(null, async (views) => (await views.runs(1))[0] ?? null)
}
