// Claims and workers.

import { checkPaths, holdClaims, readClaims, releaseClaims } from '../../engine/requests/claims.ts'
import { NEEDS_POSTGRES, readWorkers } from '../../fleet/open-fleet.ts'
import { isPostgresUrl } from '../../store/open.ts'
import type { RunSummary } from '../../view.ts'
import type { Project } from '../projects/projects.ts'
import type { RouteName } from '../protocol/paths.ts'
import { type Handlers, withProject } from './call.ts'
import { give, giveResult, refusedBy } from './reply.ts'

type Names = Extract<RouteName, `${'claims' | 'workers'}.${string}`>

export const projectHandlers: Handlers<Names> = {
  'claims.list': (call) =>
    withProject(call, async (project) => giveResult(await readClaims(project.workspace, stateIn(call, project)))),

  'claims.check': (call) =>
    withProject(call, async (project) =>
      giveResult(await checkPaths(project.workspace, call.input, stateIn(call, project))),
    ),

  'claims.hold': (call) =>
    withProject(call, async ({ workspace }) => giveResult(await holdClaims(workspace, call.input))),

  'claims.release': (call) =>
    withProject(call, async ({ workspace }) => {
      const released = await releaseClaims(workspace, call.input)
      return released.ok ? give({ released: released.value }) : refusedBy(released.problems)
    }),

  'workers.list': (call) =>
    withProject(call, async (project) => {
      if (!isPostgresUrl(project.workspace.folder.database)) return give({ workers: [], none: NEEDS_POSTGRES })
      const fleet = await call.context.fleets.of(project)
      const workers = fleet.ok ? await readWorkers(project.workspace, fleet.value) : fleet
      return workers.ok ? give({ workers: workers.value, none: null }) : refusedBy(workers.problems)
    }),
}

/** As the server knows it already: a replay of a large journal would hold up everybody. */
function stateIn({ context }: Pick<OfProject, 'context'>, project: Project) {
  return async (_: unknown, run: RunSummary) => {
    const state = await context.histories.of(project, run).state()
    return state.ok ? state.value : null
  }
}

type OfProject = Parameters<typeof withProject>[0]
