// Suites: tests and test plans, each in a worktree of its own. A run of a suite is also a run, so the routes of runs (cancel,
// resume, events, logs of tasks) work for it, too.
import * as z from 'zod'
import { LIMITS } from '../../config.ts'
import {
  type EntryHistory,
  readEntryHistory,
  readSuiteStatus,
  type SuiteStatus,
} from '../../engine/suite/report-of-suite-run.ts'
import { mapped, ok, type Result } from '../../problem.ts'
import { fileInside, planWords } from '../engines/plan-argument.ts'
import { startEngine } from '../engines/start.ts'
import { type ProjectCall, projectRoute, runRoute, shape } from './route.ts'
import { commit, planInput, runSettings, started, whole } from './shared-inputs.ts'

const suite = z
  .union([planInput.unwrap(), z.array(z.string().min(1).max(1_000)).min(1).max(1_000)])
  .optional()
  .describe('a suite file, plan files and patterns of them, or a text; default: suite.yaml')

export const suiteRoutes = {
  'suites.start': projectRoute({
    scope: 'run',
    summary: 'Run a suite (`espalier suite run`); answers when the run is in the journal',
    input: {
      suite,
      entries: z.array(z.string().min(1).max(200)).min(1).max(1_000).optional().describe('only these'),
      base: commit.optional(),
      dirty: z.literal(true).optional().describe('the checkout as it is, uncommitted changes included'),
      compare: commit.optional().describe('a commit that is tested, too'),
      shards: z.union([z.literal('auto'), whole(1, LIMITS.shards)]).optional(),
      repeat: whole(1, LIMITS.suiteRepeats).optional(),
      untilFail: z.literal(true).optional(),
      retries: runSettings.retries,
      timeoutMs: runSettings.timeoutMs,
      agent: runSettings.agent,
      model: z.string().min(1).max(1_000).optional(),
      command: runSettings.command,
      maxConcurrency: runSettings.maxConcurrency,
    },
    answer: started,
    status: 201,
    large: true,
    handle: async (call) => {
      const { project: _, suite, entries, ...settings } = call.input
      return startEngine(call, ['suite', 'run'], { ...settings, entry: entries }, await suiteWords(suite, call))
    },
  }),

  'suites.get': runRoute({
    scope: 'read',
    summary: 'How a suite stands: entries with their tries, matrix, comparison, workers, progress',
    answer: shape<SuiteStatus>('{report, progress, workers, leftMs}, as `espalier suite status --json`'),
    handle: ({ workspace, input: { run } }) => readSuiteStatus(workspace, { run }),
  }),

  'suites.history': projectRoute({
    scope: 'read',
    summary: 'How entries fared over time: flaky or broken, with their last results',
    input: {
      entry: z.string().min(1).max(500).optional().describe('by its id or key; without: all'),
      limit: whole(1, 1_000).default(20).describe('results of each, the newest'),
    },
    answer: z.object({ entries: z.array(shape<EntryHistory>('{key, stability, medianMs, records}')) }),
    handle: async ({ workspace, input: { entry, limit } }) =>
      mapped(await readEntryHistory(workspace, { entry, limit }), (entries) => ({ entries })),
  }),
}

/** Patterns are relative to the repository and cannot leave it. */
async function suiteWords(named: z.output<typeof suite>, call: ProjectCall): Promise<Result<string[]>> {
  if (!Array.isArray(named)) return planWords(named, call)
  const files: string[] = []
  for (const name of named) {
    const isPattern = /[*?[\]{}!()]/.test(name) && !name.startsWith('/') && !name.split('/').includes('..')
    const found = isPattern ? ok(`./${name}`) : await fileInside(name, call.project.repo)
    if (!found.ok) return found
    files.push(found.value)
  }
  return ok(['--', ...files])
}
