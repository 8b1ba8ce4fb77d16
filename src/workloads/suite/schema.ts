// A suite, as a person writes it. The same schema is published as JSON Schema for editors (scripts/schema.ts).
import * as z from 'zod'
import { LIMITS } from '../../config.ts'
import {
  commands,
  count,
  env,
  filled,
  glob,
  globs,
  id,
  maxConcurrency,
  retries,
  runName,
  shown,
  timeLimit,
} from '../document/field.ts'
import { resources, uses } from '../document/resource-fields.ts'

const text = z.string()
const value = z.union([z.string().regex(/\S/, { error: 'is empty' }), z.number()], {
  error: 'must be a string or a number',
})

const axis = z.string().regex(/^[a-z][a-z0-9_]{0,30}$/, {
  error: ({ input }) => `${shown(input)} cannot name an axis: lower-case letters, digits and \`_\``,
})
const repeat = z.int().min(1).max(LIMITS.suiteRepeats)
const matrix = z
  .record(axis, z.union([z.array(value).min(1), repeat], { error: 'must be a list of values' }))
  .describe(
    'Multiplies entries: {agent: [claude, codex], model: […], node: [20, 22], repeat: 5}; other names are variables',
  )

const RANGE = 'must be `all`, a batch such as `2`, or batches such as `1-3`'
const range = z.union(
  [z.int().min(1), z.string().regex(/^\s*(all|\d+(\s*-\s*\d+)?(\s*,\s*\d+(\s*-\s*\d+)?)*)\s*$/, { error: RANGE })],
  { error: RANGE },
)

/** Fields of both an entry and the suite. */
const shared = {
  retries: retries
    .optional()
    .describe('How often a failed entry is tried again, each time in a fresh worktree; default 2'),
  timeout: timeLimit.optional().describe('After this time an entry has failed: 90s, 30m, 2h; default 30m'),
  artifacts: globs.optional().describe('Files that are kept of every entry, such as coverage/**'),
  junit: globs.optional().describe('JUnit XML that the entry writes: it is read for counts and times, and merged'),
  matrix: matrix.optional(),
  agent: filled.optional().describe('The agent that works on plans; overrules what they say'),
  model: filled.optional().describe('The model that agent is to use'),
  env: env.optional().describe('Environment variables'),
}

export const entrySchema = z
  .strictObject({
    id: id.describe('Unique in the suite'),
    title: text.optional().describe('One line for people'),
    run: filled.optional().describe('A shell command; `{files}` is replaced by the files of a shard'),
    plan: filled.optional().describe('A plan file, or folder, of any format: its tasks run one after the other'),
    batch_range: range.optional().describe('Which batches of the plan: all, 2, 1-3'),
    format: filled.optional().describe('The format of the plan, where it is not found out'),
    files: globs.optional().describe('The test files that `{files}` stands for, split over the workers'),
    shards: z
      .union([z.literal('auto'), z.int().min(1).max(LIMITS.shards)], { error: 'must be a number or auto' })
      .optional()
      .describe('Into how many parts the files are split; auto: by the number of workers and the times of the files'),
    needs: z.array(text).optional().describe('Starts only after these entries have passed'),
    priority: z.number().optional().describe('Higher goes first'),
    setup: commands.optional().describe('Commands run in its worktree before it, each time it is tried'),
    uses: uses.optional(),
    quarantine: z.boolean().optional().describe('true: known to be flaky; it is reported, and does not fail the suite'),
    ...shared,
  })
  .meta({ oneOf: [{ required: ['run'] }, { required: ['plan'] }, { required: ['files'] }] })

export const suiteSchema = z.strictObject({
  $schema: text.optional(),
  version: z.literal(1).optional().describe('The version of this format'),
  name: runName.optional().describe("Becomes part of the run's name; default: the name of the file"),
  base: filled.optional().describe('The commit or branch that is tested; default: HEAD'),
  workers: z
    .union([maxConcurrency, z.literal('auto')], { error: 'must be a number or auto' })
    .optional()
    .describe('How many entries run at the same time; auto: as many as the machine can take'),
  queueLimit: count.optional().describe('More entries than this are refused'),
  restartOnError: z.boolean().optional().describe('false: an entry whose supervisor broke has failed; default true'),
  cleanup: z.boolean().optional().describe('true: the worktrees of the pool are removed at the end; default false'),
  preserveFailed: z
    .union([z.boolean(), z.int().min(0)], { error: 'must be true, false or a number' })
    .optional()
    .describe('How many worktrees of failed entries are kept as they were; true: 5'),
  quarantine: z.array(text).optional().describe('Entries that are known to be flaky: reported, and not counted'),
  setup: commands.optional().describe('Commands run once per worktree and lock file, such as npm ci'),
  setupInputs: z.array(glob).optional().describe('Files that setup depends on: where they change, it runs again'),
  keep: z.array(glob).optional().describe('Caches that survive the reuse of a worktree, such as node_modules'),
  command: filled.optional().describe('What the `command` agent runs'),
  resources: resources.optional(),
  ...shared,
  entries: z.array(entrySchema).min(1).describe('What is to be tested'),
})

/** The same without looking into the entries, which are checked one by one. */
export const suiteHeadSchema = suiteSchema.extend({ entries: z.unknown().optional() })

export type EntryInput = Partial<z.infer<typeof entrySchema>> & { id: string }
