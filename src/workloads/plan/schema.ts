// Espalier's own plan. Published as JSON Schema (scripts/schema.ts), so every field carries its help text.
import * as z from 'zod'
import { SETTINGS } from '../../config.ts'
import { settingsWith } from '../../setting.ts'
import {
  budgetUsd,
  commands,
  commit,
  count,
  duration,
  env,
  filled,
  glob,
  id,
  iterations,
  labels,
  retries,
  runName,
  shown,
  timeLimit,
} from '../document/field.ts'
import { resources, uses } from '../document/resource-fields.ts'
import { shapeOf } from '../settings/settings-file-schema.ts'

const text = z.string()
const texts = z.array(text)
const globs = z.array(glob)
/** `claims: src/a, src/b` would claim one path that nobody has. */
const onePath = glob.refine((value) => !/,\s/.test(value), {
  error: ({ input }) => `${shown(input)} looks like several paths: write them as a list`,
})
const paths = z.union([onePath, globs], { error: 'must be a path or a list of paths' })
const ids = z.array(text)
const protectedPaths = globs.describe('Paths that may not be changed: an attempt that does so fails')
const unprotectedPaths = globs.describe('Paths that may be changed although they are protected, or would be flagged')
const agents = z.array(filled).min(1).meta({ uniqueItems: true })
/** Smallest value is 2: one call is no repetition. */
const maxRepeats = z.union([z.literal(0), z.int().min(2)], {
  error: 'must be a whole number from 2 on, or 0 for never',
})
const isolation = z
  .enum(['task', 'epic'])
  .describe('`epic`: shares one worktree with the other such tasks of its epic and lands together with them')
const priority = z
  .union([z.number(), z.enum(['low', 'normal', 'high', 'critical'])], {
    error: 'must be a number or one of low, normal, high, critical',
  })
  .describe('Higher goes first: a number, or low (-10), normal (0), high (10), critical (20)')

/** A name others use for it, in one line: it becomes a trailer of a commit. */
const reference = z.string().regex(/^(?=.*\S)\P{Cc}{1,200}$/u, {
  error: ({ input }) => `${shown(input)} cannot name a decision: one line with something in it, at most 200 characters`,
})
const decision = z
  .union([reference, z.array(reference)], { error: 'must be a reference such as `ADR-12`, or a list of them' })
  .describe('The decision behind it, such as ADR-12; named by `trace`, reports and the landing commit')

const shared = {
  epic: text.optional().describe('The epic this task belongs to'),
  claims: z
    .union([onePath, globs, z.strictObject({ write: paths.optional(), read: paths.optional() })], {
      error: 'must be a path, a list of paths, or a mapping with `write` and `read`',
    })
    .optional()
    .describe(
      'Paths the task may write (one or a list), or {write: […], read: […]}; tasks that could collide never run together',
    ),
  uses: uses.optional(),
  labels: labels
    .optional()
    .describe('What the machine that executes it must be called, such as [gpu]; see `espalier worker --labels`'),
  setup: commands.optional().describe('Commands run in its worktree before its work, after the `setup` of the plan'),
  verify: commands.optional().describe('Commands that must pass in the worktree before the work counts'),
  priority: priority.optional(),
  estimate: duration.optional().describe('How long it probably takes: 90s, 30m, 2h'),
  budgetUsd: budgetUsd.optional().describe('What its attempts may cost together, in US dollars; then it is stopped'),
  estimateUsd: z.number().nonnegative().optional().describe('What an attempt probably costs, in US dollars'),
  timeout: timeLimit.optional().describe('After this time an attempt is ended: 90s, 30m, 2h'),
  retries: retries.optional().describe('How often a failed attempt is tried again'),
  iterations: iterations
    .optional()
    .describe('How many times its agent may work in one attempt: while `verify` fails, it is asked to continue'),
  completion: filled
    .optional()
    .describe('What the last message of the agent must contain; otherwise the attempt is not done'),
  allowNoChange: z
    .boolean()
    .optional()
    .describe('true: an agent that changes nothing has succeeded, also where no `verify` command says so'),
  maxTurns: count.optional().describe('An agent that takes more turns in one attempt is ended'),
  maxToolCalls: count.optional().describe('An agent that uses its tools more often in one attempt is ended'),
  maxRepeats: maxRepeats
    .optional()
    .describe('An agent that makes the same call of a tool so many times in a row is ended; 0: never'),
  land: z.boolean().optional().describe('false: the work is kept as a ref and never lands'),
  isolation: isolation.optional(),
  protected: protectedPaths.optional(),
  unprotected: unprotectedPaths.optional(),
  env: env.optional().describe('Environment variables'),
  tags: texts.optional().describe('Words to find the task by'),
  decision: decision.optional(),
  agent: filled.optional().describe('The agent that gets the prompt'),
  agents: agents
    .optional()
    .describe('Instead of `agent`: the preferred one first, then those that do it while the ones before are paused'),
  model: filled.optional().describe('The model the agent is to use, in the words of that agent'),
}

/** For editors; the reader says it in its own words. */
const BOTH_AGENTS = { required: ['agent', 'agents'] }

export const defaultsSchema = z
  .strictObject(shared)
  .meta({ not: BOTH_AGENTS })
  .describe('Values for tasks that do not set them')

export const taskSchema = z
  .strictObject({
    id: id.describe('Unique in the plan; becomes part of refs and paths'),
    title: text.optional().describe('One line for people; default: the first line of the prompt or command'),
    prompt: filled.optional().describe('What an agent is asked to do'),
    run: filled.optional().describe('A shell command instead of an agent'),
    needs: ids.optional().describe('Starts only after these tasks have landed'),
    after: ids.optional().describe('Starts only after these tasks have ended, however they ended'),
    outside: texts
      .optional()
      .describe('Paths outside of the repository that it would have to change: the task fails and says so'),
    ...shared,
  })
  .meta({ oneOf: [{ required: ['prompt'] }, { required: ['run'] }], not: BOTH_AGENTS })

export const epicSchema = z.strictObject({
  id: id.describe('Unique among the epics'),
  title: text.optional().describe('One line for people'),
  needs: ids.optional().describe('Every task of this epic waits for every task of these epics'),
  budgetUsd: budgetUsd
    .optional()
    .describe('What its tasks may cost together, in US dollars; then no more of them start'),
  isolation: isolation.optional(),
  priority: priority.optional(),
  decision: decision.optional(),
})

const landingSchema = z.strictObject({
  ...shapeOf(SETTINGS.landing.fields),
  branch: text.optional(),
})

const top = {
  $schema: text.optional(),
  version: z.literal(1).optional().describe('The version of this format'),
  name: runName
    .optional()
    .describe(
      "Becomes part of the run's name and branch; default: the name of the file, or of the folder of an espalier.yaml",
    ),
  base: commit.optional().describe('The commit or branch the run starts from; default: HEAD'),
  landing: landingSchema.optional().describe('How finished work comes onto the branch'),
  ...shapeOf(settingsWith(SETTINGS, 'inPlan')),
  resources: resources.optional(),
  env: env.optional().describe('Environment variables of every task'),
  protected: protectedPaths.optional(),
  unprotected: unprotectedPaths.optional(),
  objective: filled.optional().describe('The purpose of the plan in one sentence, shown in reports and by `trace`'),
}

export const planSchema = z.strictObject({
  ...top,
  defaults: defaultsSchema.optional(),
  epics: z.array(epicSchema).optional().describe('Groups of tasks'),
  tasks: z.array(taskSchema).min(1).describe('The tasks'),
})

/** The same without looking into the lists and defaults, which are checked piece by piece. */
export const headSchema = z.strictObject({
  ...top,
  defaults: z.unknown().optional(),
  epics: z.unknown().optional(),
  tasks: z.unknown().optional(),
})

export type HeadInput = z.infer<typeof headSchema>
export type DefaultsInput = z.infer<typeof defaultsSchema>
export type EpicInput = z.infer<typeof epicSchema>
export type TaskInput = z.infer<typeof taskSchema>
