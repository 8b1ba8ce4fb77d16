// What belongs to a repository and to no single run: claims and workers.
import * as z from 'zod'
import type { ClaimCheck, ClaimsView, HeldClaim } from '../../claim.ts'
import { LIMITS } from '../../config.ts'
import type { FleetWorker } from '../../fleet/open-fleet.ts'
import { hold } from '../../view.ts'
import { ofProject } from './inputs.ts'
import type { RouteShape } from './route.ts'
import { shape } from './shape.ts'

const globs = z.array(z.string().min(1).max(LIMITS.askedPathChars)).min(1).max(LIMITS.holds)
const name = z.string().min(1).max(LIMITS.holdNameChars)

export const projectRoutes = {
  'claims.list': {
    scope: 'read',
    summary: 'Who holds which paths, and who waits for them',
    input: z.object(ofProject),
    answer: shape<ClaimsView>('{run, held, waiting, waitingCount, undeclared}'),
  },
  'claims.check': {
    scope: 'read',
    summary: 'Whether some paths are free, before you change them',
    input: z.object({
      ...ofProject,
      paths: z.array(z.string().min(1).max(4_000)).min(1).max(1_000),
      as: name.optional().describe('a task or person that asks, whose own claims do not count'),
    }),
    answer: shape<ClaimCheck>('{has_conflicts, conflicts, warnings, can_proceed}'),
  },
  'claims.hold': {
    scope: 'run',
    summary: 'Hold paths: nothing that claims some of them starts',
    input: z.object({ ...ofProject, globs, name, forMs: z.number().int().min(1_000).max(LIMITS.holdMs) }),
    answer: z.object({ holds: z.array(hold), goingOn: z.array(shape<HeldClaim>('what tasks hold already of it')) }),
    status: 201,
  },
  'claims.release': {
    scope: 'run',
    summary: 'Release what is held; without globs all of it',
    input: z.object({ ...ofProject, globs: globs.optional(), name: name.optional() }),
    answer: z.object({ released: z.array(hold) }),
  },
  'workers.list': {
    scope: 'read',
    summary: 'Workers: slots, load, what each does, its last sign of life, its version (`espalier workers`)',
    input: z.object(ofProject),
    answer: z.object({
      workers: z.array(shape<FleetWorker>('{name, slots, labels, resources, load, silentMs, skewMs, machine, doing}')),
      /** Why there can be none. */
      none: z.string().nullable(),
    }),
  },
} as const satisfies Record<string, RouteShape>
