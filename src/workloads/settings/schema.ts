// A settings file: the user's own, or `.espalier/config.yaml`. Published as JSON Schema like the plan.
import * as z from 'zod'
import { forEachAgent } from '../../agents/list.ts'
import type { LayerSettings } from '../../config.ts'
import {
  budgetUsd,
  claimCheck,
  commands,
  count,
  duration,
  filled,
  glob,
  iterations,
  labels,
  listOf,
  maxConcurrency,
  onBudget,
  onStall,
  retries,
  schedule,
  stallTime,
  timeLimit,
  toMs,
} from '../document/field.ts'
import { landingFields, toLanding } from '../plan/landing-fields.ts'

const tiers = z.array(filled).optional().describe('The models that `model: auto` chooses from, the cheapest first')
const patience = duration
  .optional()
  .describe('How long it may wait for its provider by itself: 60s; then it is ended, and continues after the pause')

const model = filled.nullable().optional().describe('The model, where a task names none; default: its own choice')
const program = filled.describe('Its name on the PATH, or where it is')
const args = z.array(z.string()).optional()

const agent = z
  .strictObject({ program: program.optional(), args: args.describe('Further arguments'), model, tiers, patience })
  .optional()

const acpAgents = z
  .record(
    z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, { error: 'must be a name such as `goose`: a-z, 0-9 and -' }),
    z.strictObject({
      ...{ program, model, tiers, patience },
      args: args.describe('What makes it speak the protocol, and further arguments'),
    }),
  )
  .optional()
  .describe('Agents that speak the Agent Client Protocol: `goose` in here is `agent: acp:goose` in a plan')

const perMillion = z.number().nonnegative()
const price = z.strictObject({
  input: perMillion.describe('US dollars per million tokens that are read'),
  output: perMillion.describe('… that are written, with what the model thought'),
  cacheRead: perMillion.optional().describe("… that come from the provider's cache; default: as `input`"),
  cacheWrite: perMillion.optional().describe('… that go into it; default: as `input`'),
})

const LAST_PORT = 65_535

export const settingsSchema = z.strictObject({
  $schema: z.string().optional(),
  stateDir: filled
    .nullable()
    .optional()
    .describe('Where the engine keeps its state; default: <repository>.espalier beside the repository'),
  store: filled
    .nullable()
    .optional()
    .describe(
      'Where runs are recorded: an SQLite file or postgres://user@host/database?schema=PROJECT; default: in the state folder',
    ),
  engineRepository: filled
    .nullable()
    .optional()
    .describe(
      'A bare git repository that coordinators on several machines share, a path or a remote; default: each has its own',
    ),
  maxConcurrency: maxConcurrency.optional().describe('How many tasks run at the same time'),
  autoConcurrency: z
    .boolean()
    .optional()
    .describe('true: `maxConcurrency` is the most; how many really run follows the queue and the machine'),
  labels: labels.optional().describe('What this machine is called by tasks that ask for a label'),
  workersOnly: z.boolean().optional().describe('true: this machine executes nothing itself, workers do'),
  maxPerEpic: count.nullable().optional().describe('Soft cap on slots per epic'),
  schedule: schedule.optional().describe('eager: as soon as possible; waves: batch by batch'),
  strict: z.boolean().optional().describe('true: the first failure stops the run'),
  agent: filled.optional().describe('The agent of every task that has a prompt and names none'),
  command: filled.nullable().optional().describe('What the `command` agent runs'),
  agents: z
    .strictObject({ ...forEachAgent(() => agent), acp: acpAgents })
    .optional()
    .describe('How the agents that are programs of others are started'),
  learning: z
    .strictObject({
      enabled: z.boolean().optional().describe('false: nothing is learned, and nothing is added to prompts'),
      promptTokens: z.int().min(0).max(20_000).optional().describe('How much of a prompt lessons may take'),
    })
    .optional()
    .describe('What attempts teach the next ones'),
  models: z
    .strictObject({
      tolerance: z.number().min(0).max(1).optional().describe('How much less likely success may be for less money'),
    })
    .optional()
    .describe('How `model: auto` chooses'),
  retries: retries.optional().describe('How often a failed attempt is tried again'),
  iterations: iterations
    .optional()
    .describe('How many times the agent of a task may work in one attempt: while `verify` fails, it is asked to go on'),
  timeout: timeLimit.optional().describe('After this time an attempt is ended: 90s, 30m, 2h'),
  stallAfter: stallTime
    .optional()
    .describe('An attempt whose agent has printed nothing for so long has stalled; never: none does'),
  onStall: onStall.optional().describe('report: say so; retry: end the attempt and try again'),
  claims: claimCheck.optional(),
  budgetUsd: budgetUsd.nullable().optional().describe('What the run may cost, in US dollars; null: no limit'),
  strictBudget: z.boolean().optional().describe('true: refuse to run where a budget could not count all that is spent'),
  onBudget: onBudget
    .optional()
    .describe('When a budget is used up, what runs under it. finish: continues to its end; stop: is stopped'),
  prices: z
    .record(filled, price)
    .optional()
    .describe('What tokens cost, by the name of a model; goes before the built-in prices'),
  backoff: z
    .strictObject({
      initial: duration.optional().describe('Before the first retry'),
      max: duration.optional().describe('The longest wait there is'),
    })
    .optional()
    .describe('How long a retry waits; doubled every time'),
  mcp: z
    .boolean()
    .optional()
    .describe('Whether agents get the task manager, with which they tell how their task stands and ask for more'),
  writeBack: z
    .boolean()
    .optional()
    .describe('Whether the status of tasks is written back into a plan file of another format'),
  grace: duration.optional().describe('What a process gets to end by itself before it is killed'),
  keep: z.array(glob).optional().describe('Caches that survive the reuse of a worktree and never land'),
  checks: z
    .union([z.literal('all'), z.array(filled)], {
      error: 'must be a list of commands, `*` standing for anything, or `all`',
    })
    .optional()
    .describe(
      'Commands of plans in other formats that are run as checks although they are not known: patterns, or all',
    ),
  setup: commands.optional().describe('Commands run once per worktree and base, such as npm ci'),
  setupInputs: z
    .array(glob)
    .optional()
    .describe('Files and folders that setup depends on: where they change, it runs again'),
  envAllow: z
    .array(z.string().regex(/^[A-Za-z_*?][A-Za-z0-9_*?]*$/, { error: 'must be a name such as `NPM_TOKEN` or `AWS_*`' }))
    .optional()
    .describe('Environment variables that agents get besides the built-in list'),
  ports: z
    .strictObject({
      first: z.int().min(1).max(LAST_PORT).optional().describe('The first port of the first slot'),
      perSlot: z.int().min(0).max(LAST_PORT).optional().describe('How many ports each slot has'),
    })
    .optional(),
  logs: z
    .strictObject({
      chunkBytes: z.int().min(1024).optional().describe('The size of one log file'),
      maxBytes: z.int().min(1024).optional().describe('What is kept of one attempt in all'),
    })
    .optional(),
  history: z
    .strictObject({
      runs: count.nullable().optional().describe('How many; null: all of them'),
      days: count.nullable().optional().describe('For how many days; null: for ever'),
    })
    .optional()
    .describe('How many runs that are over are kept, and for how long'),
  notify: z
    .strictObject({
      bell: z.boolean().optional().describe('Ring the bell of the terminal'),
      desktop: z.boolean().optional().describe('Show a notification (notify-send on Linux, osascript on macOS)'),
      command: filled.nullable().optional().describe('Run this shell command; $ESPALIER_RUN_SUMMARY says how it ended'),
    })
    .optional()
    .describe('What happens when a run has ended'),
  landing: z.strictObject(landingFields).optional().describe('How finished work comes onto the branch'),
})

export type SettingsInput = z.infer<typeof settingsSchema>

/** From the words of the file to those of the program; what is not said is not there. */
export function toLayer(input: Partial<SettingsInput>): LayerSettings {
  const { $schema, agents, timeout, stallAfter, backoff, grace, setup, landing, ...same } = input
  return said({
    ...same,
    agents: agents && toAgents(agents),
    timeoutMs: toMs(timeout),
    stallAfterMs: stallAfter === 'never' ? 0 : toMs(stallAfter),
    backoff: backoff && said({ initialMs: toMs(backoff.initial), maxMs: toMs(backoff.max) }),
    graceMs: toMs(grace),
    setup: listOf(setup),
    landing: toLanding(landing),
  })
}

function toAgents({ acp, ...known }: NonNullable<SettingsInput['agents']>): LayerSettings['agents'] {
  const programs = (agents: Record<string, WithPatience | undefined>) =>
    Object.fromEntries(Object.entries(agents).flatMap(([name, one]) => (one ? [[name, toProgram(one)]] : [])))
  return { ...programs(known), ...(acp ? { acp: programs(acp) } : {}) }
}

type WithPatience = { patience?: z.infer<typeof patience> }

function toProgram<T extends WithPatience>({ patience, ...same }: T): Omit<T, 'patience'> & { patienceMs?: number } {
  const ms = toMs(patience)
  return ms === undefined ? same : { ...same, patienceMs: ms }
}

function said<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}
