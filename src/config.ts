// The table of settings. Everything about them follows from it: the settings in force, the schema of settings files, the
// variables of the environment, the flags, the settings in plans and requests, and docs/reference/settings.md. At its end: how
// the places overrule each other. They are read in workloads/settings/ and cli/inputs/.
import type { Price } from './agents/facts.ts'
import { forEachAgent } from './agents/list.ts'
import { ON_BUDGET } from './budget.ts'
import { LIMITS } from './limits.ts'
import { defaultsOf, flag, other, runFlag, setting, type ValuesOf } from './setting.ts'

export { LIMITS }

const YES_NO = { type: 'boolean' } as const
const TEXT = { type: 'text' } as const
const TIME = { type: 'time' } as const
const TIME_LIMIT = { type: 'time', least: 'positive' } as const
const COMMANDS = { type: 'commands' } as const
const COUNT = { type: 'whole', min: 1 } as const
const GLOBS = { type: 'list', of: 'glob' } as const
const choice = <const T extends readonly string[]>(...of: T) => ({ type: 'choice', of }) as const
const FILE_ONLY = { fileOnly: true } as const
const PLAN_AND_REQUEST = { inPlan: true, inRequest: true } as const

/**
 * How long an agent may wait for its provider by itself. A shorter overload costs nobody a slot or a conversation; during a
 * longer one the engine waits instead, and lets others work.
 */
export const PATIENCE_MS = 60_000

function agentFields(program: string, tiers: readonly string[]) {
  const patience =
    'How long it may wait for its provider by itself: 60s; then it is ended, and continues after the pause'
  return {
    program: setting(TEXT, program, 'Its name on the PATH, or where it is', FILE_ONLY),
    args: setting({ type: 'list', of: 'word' }, [], 'Further arguments', FILE_ONLY),
    model: setting(TEXT, null, 'The model, where a task names none; default: its own choice', FILE_ONLY),
    tiers: setting(
      { type: 'list', of: 'text' },
      [...tiers],
      'The models that `model: auto` chooses from, the cheapest first',
      FILE_ONLY,
    ),
    patience: setting(TIME, PATIENCE_MS, patience, FILE_ONLY),
  }
}

/** The fields of an agent, without the defaults of a certain one. */
export const AGENT_FIELDS = agentFields('', [])
type AgentProgram = ValuesOf<typeof AGENT_FIELDS>
/** An agent that speaks the Agent Client Protocol. It has no defaults. */
type AcpProgram = Pick<AgentProgram, 'program'> & Partial<AgentProgram>

const SETUP_INPUTS = [
  ...['package.json', 'package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock'],
  ...['Cargo.lock', 'go.mod', 'go.sum', 'requirements.txt', 'pyproject.toml', 'poetry.lock', 'uv.lock'],
  ...['Gemfile.lock', 'composer.lock', 'mix.lock', 'gradle.lockfile', 'pubspec.lock', 'flake.lock'],
]

const LAST_PORT = 65_535

/** Settings of landing, in plans too. */
const LANDING = {
  verify: setting(
    COMMANDS,
    [],
    'Commands that must pass on the merged result before the branch moves to it, such as npm test',
  ),
  timeout: setting(TIME_LIMIT, 30 * 60_000, 'After this time a verification has failed: 90s, 30m, 2h'),
  window: setting(
    { type: 'whole', min: 1, max: LIMITS.window },
    1,
    'How many verifications run at once where slots are free: faster, but more of them',
  ),
  batch: setting(
    { type: 'whole', min: 1, max: LIMITS.batch },
    LIMITS.batch,
    'How many tasks are merged and verified together at most; 1: one by one',
  ),
  allgreen: setting(YES_NO, false, 'true: every commit is verified, not only the last of a batch'),
  reruns: setting(
    { type: 'whole', min: 0, max: LIMITS.reruns },
    3,
    'How often a verification that failed is repeated before work is sent away for it',
  ),
  merge: setting(
    choice('regular', 'squash', 'rebase'),
    'regular',
    "What lands: a merge commit, one commit of the whole work, or the agent's commits one by one",
  ),
  signoff: setting(
    YES_NO,
    null,
    'true: commits get a Signed-off-by line with your name; default: what format.signOff of your git says',
  ),
  env: other<Record<string, string>>({}, 'Environment variables of these commands'),
  conflict: setting(
    choice('retry', 'resolve', 'manual', 'fail'),
    'retry',
    'What happens to work that does not merge: do it again, let its agent resolve it, wait for you, or fail',
  ),
}

export const SETTINGS = {
  stateDir: setting(
    TEXT,
    null,
    'Where the engine keeps its state; default: <repository>.espalier beside the repository',
    flag('repository', '--state-dir <dir>', 'where runs are kept; default: <repository>.espalier beside it'),
  ),
  store: setting(
    TEXT,
    null,
    'Where runs are recorded: an SQLite file or postgres://user@host/database?schema=PROJECT; default: in the state folder',
    flag('repository', '--store <url>', 'where runs are recorded: postgres://… or an SQLite file'),
  ),
  maxConcurrency: setting({ type: 'slots' }, 3, 'How many tasks run at the same time', {
    ...PLAN_AND_REQUEST,
    ...runFlag(
      '-j, --max-concurrency <n>',
      'how many tasks run at the same time; auto: as many as the machine can take',
      'maxParallelEvals',
    ),
  }),
  autoConcurrency: setting(
    YES_NO,
    false,
    'true: `maxConcurrency` is the most; how many really run follows the queue and the machine',
    FILE_ONLY,
  ),
  labels: setting({ type: 'list', of: 'label' }, [], 'What this machine is called by tasks that ask for a label'),
  workersOnly: setting(
    YES_NO,
    false,
    'true: this machine executes nothing itself, workers do',
    runFlag('--workers-only', 'execute nothing on this machine: workers do'),
  ),
  /** Holds a task of an epic back only while another epic has one ready. */
  maxPerEpic: setting(COUNT, null, 'Soft cap on slots per epic', {
    ...PLAN_AND_REQUEST,
    ...runFlag('--max-per-epic <n>', 'soft cap on slots per epic', 'maxParallelPerNode'),
  }),
  schedule: setting(choice('eager', 'waves'), 'eager', 'eager: as soon as possible; waves: batch by batch', {
    inPlan: true,
    ...flag('start', '--schedule <kind>', 'eager: as soon as possible; waves: batch by batch'),
  }),
  agent: setting(TEXT, 'command', 'The agent of every task that has a prompt and names none', {
    ...PLAN_AND_REQUEST,
    ...runFlag('--agent <name>', 'the agent for every prompt, such as claude'),
  }),
  command: setting(TEXT, null, 'What the `command` agent runs', {
    ...PLAN_AND_REQUEST,
    ...runFlag(
      '--command <command>',
      'use this program as the agent: it gets every prompt. It sees only a part of your environment',
    ),
  }),
  strict: setting(YES_NO, false, 'true: the first failure stops the run', {
    ...PLAN_AND_REQUEST,
    ...runFlag('--strict', 'the first failure stops the run', 'strictFail'),
  }),
  agents: {
    help: 'How the agents that are programs of others are started',
    fields: {
      ...forEachAgent((program, { tiers }) => ({ fields: agentFields(program, tiers) })),
      acp: other<Record<string, AcpProgram>>(
        {},
        'Agents that speak the Agent Client Protocol: `goose` in here is `agent: acp:goose` in a plan',
      ),
    },
  },
  learning: {
    help: 'What attempts teach the next ones',
    fields: {
      enabled: setting(YES_NO, true, 'false: nothing is learned, and nothing is added to prompts', FILE_ONLY),
      promptTokens: setting(
        { type: 'whole', min: 0, max: 20_000 },
        800,
        'How much of a prompt lessons may take; 0: none are added',
        FILE_ONLY,
      ),
    },
  },
  models: {
    help: 'How `model: auto` chooses',
    fields: {
      tolerance: setting(
        { type: 'number', min: 0, max: 1 },
        0.02,
        'How much less likely success may be for less money',
        FILE_ONLY,
      ),
    },
  },
  retries: setting({ type: 'whole', min: 0, max: LIMITS.retries }, 1, 'How often a failed attempt is tried again', {
    inRequest: true,
    ...runFlag('--retries <n>', 'how often a failed task is retried; tasks may have their own number', 'evalRetries'),
  }),
  iterations: setting(
    { type: 'whole', min: 1, max: LIMITS.iterations },
    1,
    'How many times the agent of a task may work in one attempt: while `verify` fails, it is asked to continue',
  ),
  timeout: setting(TIME_LIMIT, 30 * 60_000, 'After this time an attempt is ended: 90s, 30m, 2h', {
    inRequest: true,
    ...runFlag(
      '--timeout <time>',
      'end an attempt after this time (90s, 30m, 2h); tasks may have their own',
      'evalTimeoutSeconds',
    ),
  }),
  stallAfter: setting(
    { type: 'time', least: 'never' },
    5 * 60_000,
    'An attempt whose agent has printed nothing for so long has stalled; never: none does',
  ),
  onStall: setting(choice('report', 'retry'), 'report', 'report: say so; retry: end the attempt and try again'),
  claims: setting(
    choice('enforce', 'warn', 'extend'),
    'warn',
    "Work outside a task's claims. enforce: the attempt fails; warn: it is reported; " +
      'extend: it lands as soon as no running task has claimed the same',
    { inPlan: true },
  ),
  submodules: setting(
    choice('fail', 'allow'),
    'fail',
    'Work in a submodule. fail: it is kept, and the attempt fails; allow: a commit made inside lands as its new commit',
  ),
  budgetUsd: setting(
    { type: 'usd' },
    null,
    'What the run may cost, in US dollars: then no more tasks start; null: no limit',
    {
      inPlan: true,
      inRequest: true,
      ...runFlag('--budget-usd <n>', 'start no more tasks once the run has cost N US dollars; `none` for no limit'),
    },
  ),
  onBudget: setting(
    choice(...ON_BUDGET),
    'finish',
    'When a budget is used up, what runs under it. finish: continues to its end; stop: is stopped',
    {
      inRequest: true,
      ...runFlag('--on-budget <what>', 'running tasks when the budget is used up: finish or stop'),
    },
  ),
  strictBudget: setting(YES_NO, false, 'true: refuse to run where a budget could not count all that is spent', {
    inRequest: true,
    ...runFlag('--strict-budget', 'refuse to run if the cost of an agent cannot be counted'),
  }),
  prices: other<Record<string, Price>>({}, 'What tokens cost, by the name of a model; goes before the built-in prices'),
  backoff: {
    help: 'How long a retry waits; doubled every time',
    fields: {
      initial: setting(TIME, 2_000, 'Before the first retry'),
      max: setting(TIME, 5 * 60_000, 'The longest wait there is'),
    },
  },
  mcp: setting(
    YES_NO,
    true,
    'Whether agents get the task manager (`espalier mcp`), to report how their task is going and ask for more',
  ),
  writeBack: setting(YES_NO, true, 'Whether the status of tasks is written back into a plan file of another format', {
    inRequest: true,
    ...runFlag('--no-write-back', 'do not write task statuses into a plan file of another format'),
  }),
  engineRepository: setting(
    TEXT,
    null,
    'A bare git repository that coordinators on several machines share, a path or a remote; default: each has its own',
    runFlag('--engine-repository <path>', 'a bare repository that coordinators on several machines share'),
  ),
  grace: setting(TIME, 5_000, 'What a process gets to end by itself before it is killed: from SIGTERM to SIGKILL'),
  keep: setting(GLOBS, [], 'Caches that survive the reuse of a worktree and never land, such as node_modules', {
    inPlan: true,
  }),
  checks: other<string[] | 'all'>(
    [],
    'Commands of plans in other formats that are run as checks although they are not known: patterns, or all',
  ),
  setup: setting(COMMANDS, [], 'Commands run once per worktree and base, such as npm ci', { inPlan: true }),
  setupInputs: setting(
    GLOBS,
    SETUP_INPUTS,
    'Files and folders that setup depends on: where they change, it runs again',
    { inPlan: true, fileOnly: true },
  ),
  envAllow: setting(
    { type: 'list', of: 'variable' },
    [],
    'Environment variables that agents get besides the built-in list, such as `NPM_TOKEN` or `AWS_*`',
  ),
  ports: {
    help: 'Slot n gets the ports first + (n - 1) × perSlot … first + n × perSlot - 1',
    fields: {
      first: setting({ type: 'whole', min: 1, max: LAST_PORT }, 20_000, 'The first port of the first slot', FILE_ONLY),
      perSlot: setting({ type: 'whole', min: 0, max: LAST_PORT }, 20, 'How many ports each slot has', FILE_ONLY),
    },
  },
  logs: {
    fields: {
      chunkBytes: setting({ type: 'whole', min: 1024 }, 4 << 20, 'The size of one log file', FILE_ONLY),
      maxBytes: setting({ type: 'whole', min: 1024 }, 32 << 20, 'What is kept of one attempt in all', FILE_ONLY),
    },
  },
  history: {
    help: 'How many runs that are over are kept, and for how long',
    fields: {
      runs: setting(COUNT, 20 as number | null, 'How many; null: all of them', { fileOnly: true, orNull: true }),
      days: setting(COUNT, 30 as number | null, 'For how many days; null: for ever', { fileOnly: true, orNull: true }),
    },
  },
  notify: {
    help: 'What happens when a run has ended',
    fields: {
      bell: setting(YES_NO, false, 'Ring the bell of the terminal', FILE_ONLY),
      desktop: setting(YES_NO, false, 'Show a notification (notify-send on Linux, osascript on macOS)', FILE_ONLY),
      command: setting(TEXT, null, 'Run this shell command; $ESPALIER_RUN_SUMMARY says how it ended', FILE_ONLY),
    },
  },
  landing: { help: 'How finished work comes onto the branch', fields: LANDING },
}

export type Settings = ValuesOf<typeof SETTINGS>
export type History = Settings['history']

export const DEFAULT_SETTINGS: Settings = defaultsOf(SETTINGS)

/** Settings of one place: any part of them. */
export type LayerSettings = { [K in keyof Settings]?: Layer<Settings[K]> | undefined }
type Layer<T> = T extends unknown[] ? T : T extends object ? { [K in keyof T]?: Layer<T[K]> | undefined } : T

export type SettingsLayer = { from: string; settings: LayerSettings }

/**
 * Later layers overrule earlier ones, setting by setting; lists are replaced, not joined. `origin`: the place that set each
 * (`backoff.initialMs`).
 */
export function resolveSettings(layers: readonly SettingsLayer[]) {
  const settings: Settings = structuredClone(DEFAULT_SETTINGS)
  const origin: Record<string, string> = {}
  for (const layer of [{ from: 'default', settings: DEFAULT_SETTINGS }, ...layers])
    overrule(settings, layer.settings, layer.from, '', origin)
  return { settings, origin }
}

function overrule(target: object, layer: object, from: string, prefix: string, origin: Record<string, string>): void {
  for (const [name, value] of Object.entries(layer)) {
    // Authors choose names in a file: this one would reach every object.
    if (value === undefined || name === '__proto__') continue
    const current: unknown = Reflect.get(target, name)
    if (isGroup(current) && isGroup(value)) {
      overrule(current, value, from, `${prefix}${name}.`, origin)
      continue
    }
    Reflect.set(target, name, structuredClone(value))
    origin[prefix + name] = from
  }
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
