import * as z from 'zod'
import { type FleetWorker, NEEDS_POSTGRES, readWorkers } from '../../fleet/open-fleet.ts'
import { mapped, ok } from '../../problem.ts'
import { isPostgresUrl } from '../../store/open.ts'
import { projectRoute, shape } from './route.ts'

export const workerRoutes = {
  'workers.list': projectRoute({
    scope: 'read',
    summary: 'Workers: slots, load, what each does, its last sign of life, its version (`espalier workers`)',
    input: {},
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
