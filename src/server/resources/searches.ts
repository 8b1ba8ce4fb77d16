// Searches: ideas tried on a tree of candidates. A search is also a run, so the routes of runs work for it, too.
import * as z from 'zod'
import { LIMITS } from '../../config.ts'
import { compareSides, readSearchRun } from '../../engine/query/search-tree.ts'
import { mapped } from '../../problem.ts'
import { manifestSchema } from '../../workloads/search/result-manifest.ts'
import { planWords } from '../engines/plan-argument.ts'
import { startEngine } from '../engines/start.ts'
import { projectRoute, runRoute } from './route.ts'
import { commit, planInput, runSettings, started, whole } from './shared-inputs.ts'

const search = planInput.unwrap().describe('the file of a search, or its text')
const count = (most: number) => whole(1, most).optional()
const node = z
  .string()
  .min(1)
  .max(200)
  .describe('a node (`root` too), an eval, or another search, of which the best counts')
const side = z.object({
  name: z.string(),
  score: z.number().nullable(),
  spread: z.number().nullable(),
  scores: z.record(z.string(), z.number()),
  commit: z.string().nullable(),
})

export const searchRoutes = {
  'searches.start': projectRoute({
    scope: 'run',
    summary: 'Start a search (`espalier search run`); answers when the run is in the journal',
    input: {
      search,
      maxParallelEvals: count(LIMITS.slots),
      maxParallelPerNode: count(LIMITS.slots),
      evalRetries: runSettings.retries,
      evalTimeoutMs: runSettings.timeoutMs,
      strictFail: z.literal(true).optional(),
      beamWidth: count(LIMITS.beam),
      maxDepth: count(LIMITS.searchDepth),
      eagerDepth: z.boolean().optional(),
      root: commit.optional(),
      agent: runSettings.agent,
      command: runSettings.command,
      budgetUsd: runSettings.budgetUsd,
      onBudget: runSettings.onBudget,
    },
    answer: started,
    status: 201,
    large: true,
    handle: async (call) => {
      const { project: _, search, ...settings } = call.input
      return startEngine(call, ['search', 'run'], settings, await planWords(search, call))
    },
  }),

  'searches.get': runRoute({
    scope: 'read',
    summary: 'The manifest of a search: every eval and node with its score, and why it was promoted or not',
    answer: manifestSchema,
    handle: async ({ workspace, input: { run } }) =>
      mapped(await readSearchRun(workspace, { run }), ({ manifest }) => manifest),
  }),

  'searches.compare': runRoute({
    scope: 'read',
    summary: 'Two nodes, evals or searches side by side, with what differs between their files',
    input: { a: node, b: node, patch: z.boolean().default(false).describe('in full') },
    answer: z.object({
      a: side,
      b: side,
      diff: z.string().nullable().describe('null: their files cannot be compared'),
    }),
    handle: ({ workspace, input }) => compareSides(workspace, input),
  }),
}
