// Claims, models and what was learned.

import type { Settings } from '../../config.ts'
import { addLesson, editLesson, pruneLessons } from '../../engine/expertise/edit-lessons.ts'
import { exportLessons, importLessons } from '../../engine/expertise/export-and-import-lessons.ts'
import { listLessons, readLesson } from '../../engine/expertise/list-lessons.ts'
import { readModels } from '../../engine/expertise/model-records.ts'
import { checkPaths, holdClaims, readClaims, releaseClaims } from '../../engine/requests/claims.ts'
import { NEEDS_POSTGRES, readWorkers } from '../../fleet/open-fleet.ts'
import type { RunSummary } from '../../status.ts'
import { isPostgresUrl } from '../../store/open.ts'
import type { Project } from '../projects/projects.ts'
import type { RouteName } from '../protocol/paths.ts'
import { type Handlers, withProject } from './call.ts'
import { give, giveResult, type Reply, refusedBy, text } from './reply.ts'

type Names = Extract<RouteName, `${'claims' | 'workers' | 'models' | 'expertise'}.${string}`>

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

  'models.get': (call) =>
    withSettings(call, async ({ workspace }, settings) => giveResult(await readModels(workspace, { settings }))),

  'expertise.list': (call) =>
    withSettings(call, async ({ workspace }, { learning }) => {
      const { domain } = call.input
      const domains = await listLessons(workspace, { learning })
      if (!domains.ok) return refusedBy(domains.problems)
      return give({ domains: domains.value.filter((one) => domain === undefined || one.domain === domain) })
    }),

  'expertise.get': (call) =>
    withProject(call, async ({ workspace }) => giveResult(await readLesson(workspace, { id: call.input.lesson }))),

  'expertise.add': (call) =>
    withSettings(call, async ({ workspace }, { learning }) =>
      giveResult(await addLesson(workspace, { ...call.input, learning })),
    ),

  'expertise.edit': (call) =>
    withProject(call, async ({ workspace }) => {
      const { lesson: id, text: words, confidence } = call.input
      return giveResult(await editLesson(workspace, { id, text: words, confidence }))
    }),

  'expertise.prune': (call) =>
    withSettings(call, async ({ workspace }, { learning }) => {
      const pruned = await pruneLessons(workspace, { learning, dryRun: call.input.dryRun })
      return pruned.ok ? give({ dropped: pruned.value }) : refusedBy(pruned.problems)
    }),

  'expertise.export': (call) =>
    withProject(call, async ({ workspace }) => {
      const { environment } = call.context
      const exported = await exportLessons(workspace, { environment })
      return exported.ok ? text('application/x-ndjson', exported.value.text) : refusedBy(exported.problems)
    }),

  'expertise.import': (call) =>
    withSettings(call, async ({ workspace }, { learning }) => {
      const { text: lessons, dryRun } = call.input
      return giveResult(await importLessons(workspace, { text: lessons, file: 'request', learning, dryRun }))
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

function withSettings(call: OfProject, use: (project: Project, settings: Settings) => Promise<Reply>): Promise<Reply> {
  return withProject(call, async (project) => {
    const settings = await project.settings()
    return settings.ok ? use(project, settings.value) : refusedBy(settings.problems)
  })
}
