import * as z from 'zod'
import { LIMITS } from '../../config.ts'
import { checkPaths, holdClaims, readClaims, releaseClaims } from '../../engine/requests/claims-of-people.ts'
import type { ClaimCheck, ClaimsView, HeldClaim } from '../../held-claims.ts'
import { mapped } from '../../problem.ts'
import { hold, type RunSummary } from '../../view.ts'
import { type ProjectCall, projectRoute, shape } from './route.ts'
import { whole } from './shared-inputs.ts'

const globs = z.array(z.string().min(1).max(LIMITS.askedPathChars)).min(1).max(LIMITS.holds)
const name = z.string().min(1).max(LIMITS.holdNameChars)

export const claimRoutes = {
  'claims.list': projectRoute({
    scope: 'read',
    summary: 'Who holds which paths, and who waits for them',
    answer: shape<ClaimsView>('{run, held, waiting, waitingCount, undeclared}'),
    handle: (call) => readClaims(call.workspace, stateIn(call)),
  }),

  'claims.check': projectRoute({
    scope: 'read',
    summary: 'Whether some paths are free, before you change them',
    input: {
      paths: z.array(z.string().min(1).max(4_000)).min(1).max(1_000),
      as: name.optional().describe('a task or person that asks, whose own claims do not count'),
    },
    answer: shape<ClaimCheck>('{has_conflicts, conflicts, warnings, can_proceed}'),
    handle: (call) => checkPaths(call.workspace, call.input, stateIn(call)),
  }),

  'claims.hold': projectRoute({
    scope: 'run',
    summary: 'Hold paths: nothing that claims some of them starts',
    input: { globs, name, forMs: whole(1_000, LIMITS.holdMs) },
    answer: z.object({ holds: z.array(hold), goingOn: z.array(shape<HeldClaim>('what tasks hold already of it')) }),
    status: 201,
    handle: ({ workspace, input }) => holdClaims(workspace, input),
  }),

  'claims.release': projectRoute({
    scope: 'run',
    summary: 'Release what is held; without globs all of it',
    input: { globs: globs.optional(), name: name.optional() },
    answer: z.object({ released: z.array(hold) }),
    handle: async ({ workspace, input }) => mapped(await releaseClaims(workspace, input), (released) => ({ released })),
  }),
}

/** The state that the server keeps up to date: replaying a large journal would block other requests. */
function stateIn({ context, project }: Pick<ProjectCall, 'context' | 'project'>) {
  return async (_: unknown, run: RunSummary) => {
    const state = await context.histories.of(project, run).state()
    return state.ok ? state.value : null
  }
}
