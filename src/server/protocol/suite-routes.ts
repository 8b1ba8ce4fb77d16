// Suites: tests and test plans, each in a worktree of its own. A run of a suite is a run like any other, so what runs have
// (cancel, resume, events, logs of tasks) it has, too.
import * as z from 'zod'
import { LIMITS } from '../../config.ts'
import type { EntryHistory } from '../../engine/suite/history.ts'
import type { SuiteStatus } from '../../engine/suite/status.ts'
import { ofProject, ofRun, planInput, runSettings, started } from './inputs.ts'
import type { RouteShape } from './route.ts'
import { shape } from './shape.ts'

const commit = z.string().min(1).max(250).regex(/^[^-]/)
const name = z.string().min(1).max(1_000)

const what = {
  ...ofProject,
  suite: z
    .union([planInput.unwrap(), z.array(z.string().min(1).max(1_000)).min(1).max(1_000)])
    .optional()
    .describe('a suite file, plan files and patterns of them, or a text; default: suite.yaml'),
  entries: z.array(z.string().min(1).max(200)).min(1).max(1_000).optional().describe('only these'),
  base: commit.optional(),
  dirty: z.literal(true).optional().describe('the checkout as it is, uncommitted changes included'),
  compare: commit.optional().describe('a commit that is tested, too'),
  shards: z.union([z.literal('auto'), z.number().int().min(1).max(LIMITS.shards)]).optional(),
  repeat: z.number().int().min(1).max(LIMITS.suiteRepeats).optional(),
  untilFail: z.literal(true).optional(),
  retries: runSettings.retries,
  timeoutMs: runSettings.timeoutMs,
  agent: runSettings.agent,
  model: name.optional(),
  command: runSettings.command,
}

export const suiteRoutes = {
  'suites.start': {
    scope: 'run',
    summary: 'Run a suite (`espalier suite run`); answers when the run is in the journal',
    input: z.object({ ...what, maxConcurrency: runSettings.maxConcurrency }),
    answer: started,
    status: 201,
    large: true,
  },
  'suites.get': {
    scope: 'read',
    summary: 'How a suite stands: entries with their tries, matrix, comparison, workers, progress',
    input: z.object(ofRun),
    answer: shape<SuiteStatus>('{report, progress, workers, leftMs}, as `espalier suite status --json`'),
  },
  'suites.history': {
    scope: 'read',
    summary: 'How entries fared over time: flaky or broken, with their last results',
    input: z.object({
      ...ofProject,
      entry: z.string().min(1).max(500).optional().describe('by its id or key; without: all'),
      limit: z.number().int().min(1).max(1_000).default(20).describe('results of each, the newest'),
    }),
    answer: z.object({ entries: z.array(shape<EntryHistory>('{key, stability, medianMs, records}')) }),
  },
} as const satisfies Record<string, RouteShape>
