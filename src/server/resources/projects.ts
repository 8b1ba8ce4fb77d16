// Projects and their workers.
import * as z from 'zod'
import { type FleetWorker, NEEDS_POSTGRES, readWorkers } from '../../fleet/load-fleet.ts'
import { mapped, ok } from '../../problem.ts'
import { isPostgresUrl } from '../../store/place.ts'
import { jsonText } from '../../text/json.ts'
import { stateFolder } from '../../workspace/state-folder.ts'
import type { ServerContext } from '../context.ts'
import type { ListedProject } from '../projects/projects.ts'
import { projectRoute, route, shape } from './route.ts'

const project = z.object({
  id: z.string(),
  repo: z.string().describe('the top of the checkout'),
  stateDir: z.string(),
  engine: z.object({ pid: z.number() }).nullable(),
  cursor: z.string().describe('of its newest event: to follow what comes after'),
  trouble: z.string().nullable().describe('why it cannot be used, if it cannot'),
})

export const projectRoutes = {
  'projects.list': route({
    scope: 'read',
    summary: 'The repositories that this server has',
    answer: z.object({ items: z.array(project) }),
    handle: async ({ context }) => {
      const listed = context.projects.list()
      return listed.ok ? ok({ items: await Promise.all(listed.value.map((one) => shown(context, one))) }) : listed
    },
  }),

  'workers.list': projectRoute({
    scope: 'read',
    summary: 'Workers: slots, load, what each does, its last sign of life, its version (`espalier workers`)',
    answer: z.object({
      workers: z.array(shape<FleetWorker>('{name, slots, labels, resources, load, silentMs, skewMs, machine, doing}')),
      /** The reason if there can be no workers. */
      none: z.string().nullable(),
    }),
    handle: async ({ project, workspace, context }) => {
      if (!isPostgresUrl(workspace.folder.database)) return ok({ workers: [], none: NEEDS_POSTGRES })
      const fleet = await context.fleets.of(project)
      if (!fleet.ok) return fleet
      return mapped(await readWorkers(workspace, fleet.value), (workers) => ({ workers, none: null }))
    },
  }),
}

async function shown({ projects }: ServerContext, { id, repo }: ListedProject) {
  const opened = await projects.get(id)
  if (opened?.ok) {
    const { workspace } = opened.value
    const cursor = String(await opened.value.hub.cursor())
    return { id, repo, stateDir: workspace.folder.root, engine: workspace.engine, cursor, trouble: null }
  }
  const trouble = opened ? (opened.problems[0]?.message ?? jsonText(opened.problems)) : 'it was removed'
  return { id, repo, stateDir: stateFolder(repo, null).root, engine: null, cursor: '0', trouble }
}
