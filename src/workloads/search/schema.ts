// The file of a search, as a person writes it. The same schema is published as JSON Schema for editors (scripts/schema.ts).
import * as z from 'zod'
import { LIMITS } from '../../config.ts'
import {
  budgetUsd,
  commands,
  commit,
  count,
  env,
  filled,
  glob,
  globs,
  maxConcurrency,
  retries,
  runName,
  shown,
  timeLimit,
} from '../document/field.ts'

const work = {
  run: filled.optional().describe('A shell command; $ESPALIER_IDEA is the file of the idea'),
  prompt: filled.optional().describe('What an agent is asked to do; the text of the idea follows it'),
  agent: filled.optional().describe('The agent that gets the prompt'),
  model: filled.optional().describe('The model the agent is to use, in the words of that agent'),
}

const ONE_WORK = { oneOf: [{ required: ['prompt'] }, { required: ['run'] }] }

const stepSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9]{0,15}$/, {
        error: ({ input }) => `${shown(input)} cannot name a step: lower-case letters and digits, at most 16`,
      })
      .optional()
      .describe('Becomes part of the ids of its tasks, such as `implement`; default: step1, step2 …'),
    ...work,
  })
  .meta(ONE_WORK)

const proposeSchema = z
  .strictObject({
    ...work,
    count: z.int().min(1).max(LIMITS.ideas).describe('How many ideas for each node'),
  })
  .meta(ONE_WORK)

const key = z.string().regex(/^[^.\s]+(\.[^.\s]+)*$/, {
  error: ({ input }) => `${shown(input)} is not a key: names with dots between them, such as \`total.ms\``,
})

const scoreSchema = z.strictObject({
  run: filled.describe('The command that measures; it runs in a fresh worktree of the candidate'),
  goal: z.enum(['max', 'min']).describe('Whether more or less is better'),
  file: glob.optional().describe('The file the command writes the numbers to; default: they are in what it prints'),
  key: key.optional().describe('The number in JSON: a dotted path'),
  keys: z.array(key).min(1).optional().describe('Several numbers in JSON: one ranks, the others are recorded'),
  pattern: filled
    .optional()
    .describe('A regular expression; its group is the number, or each named group is one: `ms=(?<ms>[0-9.]+)`'),
  scoreKey: filled.optional().describe('Of several numbers, the one that ranks; default: the first'),
})

export const searchSchema = z.strictObject({
  $schema: z.string().optional(),
  version: z.literal(1).optional().describe('The version of this format'),
  name: runName.optional().describe("Becomes part of the run's name and branch; default: the name of the file"),
  objective: filled.describe('What the search is for, in a sentence'),
  root: commit.optional().describe('The commit or branch the search starts from; default: HEAD'),
  ideas: globs.optional().describe('The files of ideas, from the folder of this file: each is tried on every node'),
  propose: proposeSchema
    .optional()
    .describe('Who proposes more ideas for each node: files that it writes into $ESPALIER_IDEAS'),
  evaluate: z
    .array(stepSchema)
    .min(1)
    .max(LIMITS.searchSteps)
    .describe('What makes a candidate of an idea, in this order, in one worktree'),
  gates: commands.optional().describe('Commands that must pass before a candidate is scored'),
  score: scoreSchema,
  repeats: z.int().min(1).max(LIMITS.repeats).optional().describe('How often the score is measured; the median counts'),
  beam: count.max(LIMITS.beam).optional().describe('How many nodes of a depth are kept; default: 3'),
  depth: count.max(LIMITS.searchDepth).optional().describe('How many ideas are tried on top of each other; default: 2'),
  minImprovement: z
    .union([z.number().nonnegative(), z.string().regex(/^\s*\d+(\.\d+)?\s*%\s*$/)], {
      error: 'must be a number, or a percentage such as `2%`',
    })
    .optional()
    .describe('What a candidate has to be better by than its parent: an amount, or a percentage such as 2%'),
  protected: globs.optional().describe('Paths of the evaluator: candidates are judged with those of the root'),
  onProtected: z
    .enum(['flag', 'refuse'])
    .optional()
    .describe('A candidate that changed such a path. flag: it is judged without that; refuse: its step fails'),
  eager: z
    .boolean()
    .optional()
    .describe('false: no idea of a depth starts before all of the depth before it are done; default: maxParallel > 1'),
  retries: retries.optional().describe('How often a step or a measurement that failed is tried again'),
  timeout: timeLimit.optional().describe('After this time an eval is ended: 90s, 30m, 2h'),
  budgetUsd: budgetUsd
    .optional()
    .describe('What the search may cost, in US dollars: then it ends with the best so far'),
  maxParallel: maxConcurrency.optional().describe('How many evals run at the same time; default: 1'),
  maxPerNode: count.optional().describe('Holds evals of a node back while another node has one ready'),
  strict: z.boolean().optional().describe('true: an eval that fails stops the search'),
  setup: commands.optional().describe('Commands run in every new worktree, such as npm ci'),
  setupInputs: z.array(glob).optional().describe('Files and folders that setup depends on'),
  keep: z.array(glob).optional().describe('Caches that survive the reuse of a worktree; never those of the judge'),
  env: env.optional().describe('Environment variables of every step, gate and measurement'),
  agent: filled.optional().describe('The agent of every prompt that names none'),
  command: filled.optional().describe('What the `command` agent runs'),
})
