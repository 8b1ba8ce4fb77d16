// Settings in force for a run, how they come about layer by layer, and the named limits of everything that could
// otherwise grow without end. Reading them from files and the environment is in workloads/settings/read.ts.
import type { Price } from './agents/facts.ts'
import { forEachAgent, type KnownAgent } from './agents/list.ts'
import type { OnBudget } from './budget.ts'

export type Settings = {
  /** Where the engine keeps its state; null: `<repository>.espalier` beside the repository. */
  stateDir: string | null
  /** Where runs are recorded: an SQLite file or `postgres://…`; null: in the state folder. As it may be shown: without a password. */
  store: string | null
  /** A bare repository that the coordinators of several machines share, a path or a git remote; null: each has its own. */
  engineRepository: string | null
  maxConcurrency: number
  /** True: `maxConcurrency` is the most; how many really run follows the queue and the machine. */
  autoConcurrency: boolean
  /** What this machine is called by tasks that ask for a label. */
  labels: string[]
  /** True: this machine executes nothing itself, workers do. */
  workersOnly: boolean
  /** Soft: holds a task of an epic back only while another epic has one ready. */
  maxPerEpic: number | null
  schedule: 'eager' | 'waves'
  /** True: the first failure stops the run. */
  strict: boolean
  /** The agent of every task that has a prompt and names none. */
  agent: string
  /** What the `command` agent runs. */
  command: string | null
  /** How the agents that are programs of others are started. A model of null is the program's own choice. */
  agents: Record<KnownAgent, AgentProgram> & {
    /** Those that speak the Agent Client Protocol, by the name a plan uses: `acp:goose`. */
    acp: Record<string, AcpProgram>
  }
  /** What attempts teach the next ones. */
  learning: {
    enabled: boolean
    /** How much of a prompt lessons may take. */
    promptTokens: number
  }
  /** `model: auto`: how much less likely success may be for less money. */
  models: { tolerance: number }
  retries: number
  /** How many processes of its agent an attempt may have: one that its checks do not let pass is asked to go on. */
  iterations: number
  timeoutMs: number
  /** An attempt whose agent has printed nothing for so long has stalled; 0: never. */
  stallAfterMs: number
  /** What is done about it: say so, or end it and try again. */
  onStall: 'report' | 'retry'
  /** What becomes of work outside a task's claims: refused, told, or landed as soon as nobody else works there. */
  claims: 'enforce' | 'warn' | 'extend'
  /** What the run may cost, in US dollars; null: no limit. */
  budgetUsd: number | null
  /** What becomes of attempts that run when the budget of the run or of their epic is used up. */
  onBudget: OnBudget
  /** True: nothing starts where a budget could not count all that is spent. */
  strictBudget: boolean
  /** What tokens cost, by the name of a model: these go before the built-in ones. */
  prices: Record<string, Price>
  backoff: { initialMs: number; maxMs: number }
  /** Whether agents get the task manager (`espalier mcp`), where they can use one. */
  mcp: boolean
  /** Whether the status of tasks is written back into a plan file of another format. */
  writeBack: boolean
  /** Between SIGTERM and SIGKILL. */
  graceMs: number
  /** Globs of caches that survive the reuse of a worktree and never land. */
  keep: string[]
  /** What else of plans in other formats is run as a check: patterns of commands, or all that are written as such. */
  checks: string[] | 'all'
  /** Shell commands run once per worktree and base. */
  setup: string[]
  /** Files and folders that setup depends on: where they change, it runs again. */
  setupInputs: string[]
  /** Names (or globs of names) of environment variables agents get besides the built-in list. */
  envAllow: string[]
  /** Slot n gets the ports first + (n-1) × perSlot … first + n × perSlot - 1. */
  ports: { first: number; perSlot: number }
  logs: { chunkBytes: number; maxBytes: number }
  /** How many runs that are over are kept, and for how long; null: without end. */
  history: History
  /** How a person hears that a run has ended: the bell of the terminal, the desktop, a shell command. */
  notify: { bell: boolean; desktop: boolean; command: string | null }
  landing: {
    /** What becomes of work that does not merge with what has landed. */
    conflict: 'retry' | 'resolve' | 'manual' | 'fail'
    /** Commands that must pass on the merged result before the branch moves to it. */
    verify: string[]
    /** After this time a verification has failed. */
    timeoutMs: number
    /** How many verifications may run at once, where slots are free. */
    window: number
    /** How many tasks are merged and verified together at most. */
    batch: number
    /** True: every commit is verified, not only the last of a batch. */
    allgreen: boolean
    /** How often a verification that failed is repeated before work is sent away for it. */
    reruns: number
    /** Environment variables of these commands. */
    env: Record<string, string>
    /** What the commits of a landing look like: a merge, one commit, or the agent's commits one by one. */
    merge: 'regular' | 'squash' | 'rebase'
    /** Whether they are signed off; null: as `format.signOff` of the user's git says. */
    signoff: boolean | null
  }
}

/** `tiers`: the models that `model: auto` chooses from, the cheapest first. */
export type AgentProgram = {
  program: string
  args: string[]
  model: string | null
  tiers: string[]
  /** How long it may wait for its provider by itself. Then the engine ends it, and waits in its place. */
  patienceMs: number
}

/** It has no defaults to fill in what is left out. */
type AcpProgram = Pick<AgentProgram, 'program'> & Partial<AgentProgram>

export type History = { runs: number | null; days: number | null }

/**
 * An overload that is over within a minute costs nobody its slot or its conversation. One that is not is better waited for
 * by the engine: others work meanwhile.
 */
export const PATIENCE_MS = 60_000

export const DEFAULT_SETTINGS: Settings = {
  stateDir: null,
  store: null,
  engineRepository: null,
  maxConcurrency: 3,
  autoConcurrency: false,
  labels: [],
  workersOnly: false,
  maxPerEpic: null,
  schedule: 'eager',
  strict: false,
  agent: 'command',
  command: null,
  agents: {
    ...forEachAgent((program, { tiers }) => {
      return { program, args: [], model: null, tiers: [...tiers], patienceMs: PATIENCE_MS }
    }),
    acp: {},
  },
  learning: { enabled: true, promptTokens: 800 },
  models: { tolerance: 0.02 },
  retries: 1,
  iterations: 1,
  timeoutMs: 30 * 60_000,
  stallAfterMs: 5 * 60_000,
  onStall: 'report',
  claims: 'warn',
  budgetUsd: null,
  onBudget: 'finish',
  strictBudget: false,
  prices: {},
  backoff: { initialMs: 2_000, maxMs: 5 * 60_000 },
  mcp: true,
  writeBack: true,
  graceMs: 5_000,
  keep: [],
  checks: [],
  setup: [],
  setupInputs: [
    ...['package.json', 'package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock'],
    ...['Cargo.lock', 'go.mod', 'go.sum', 'requirements.txt', 'pyproject.toml', 'poetry.lock', 'uv.lock'],
    ...['Gemfile.lock', 'composer.lock', 'mix.lock', 'gradle.lockfile', 'pubspec.lock', 'flake.lock'],
  ],
  envAllow: [],
  ports: { first: 20_000, perSlot: 20 },
  logs: { chunkBytes: 4 << 20, maxBytes: 32 << 20 },
  history: { runs: 20, days: 30 },
  notify: { bell: false, desktop: false, command: null },
  landing: {
    conflict: 'retry',
    verify: [],
    timeoutMs: 30 * 60_000,
    window: 1,
    batch: 256,
    allgreen: false,
    reruns: 3,
    env: {},
    merge: 'regular',
    signoff: null,
  },
}

export const LIMITS = {
  /** Bytes of a plan or configuration file. */
  planBytes: 256 << 20,
  /** Files that make up one plan, where it is one per task. */
  planFiles: 20_000,
  /** YAML is read far slower than JSON: above this a file has to be JSON. */
  yamlBytes: 2 << 20,
  /** Lines and list items of YAML above 256 kB. */
  yamlPieces: 100_000,
  /** How often the parts behind YAML anchors may be repeated, nested repetitions multiplied. */
  yamlAliases: 10_000,
  /** Levels of lists and mappings inside each other. */
  nesting: 500,
  /** Problems printed for one file. */
  problems: 100,
  /** Edges between tasks that the `needs` of epics may expand to. */
  epicEdges: 2_000_000,
  /** Pairs of tasks listed because their claims conflict. */
  claimConflicts: 100,
  /** Of one task or one machine. */
  labels: 20,
  /** How long a run in which nothing else is left waits for a worker that has what its tasks ask for. */
  workerWaitMs: 10 * 60_000,
  /** Numbers of workers that a plan is simulated with. */
  simulations: 20,
  /** Budgets listed as used up for the most part, or as holding something back. */
  budgetsShown: 50,
  /** While it runs, an attempt tells what it has spent when that grew by this share of the smallest budget it counts for … */
  spentShare: 0.05,
  /** … or when it grew at all, and was last told so long ago. */
  spentEveryMs: 10_000,
  /** Timers hold no more than this many ms: 24 days. */
  durationMs: 2 ** 31 - 1,
  retries: 100,
  /** Processes of an agent in one attempt. */
  iterations: 50,
  /** Calls of a tool in a row, all with the same words, after which an agent goes round in circles (`maxRepeats`). */
  repeatedCalls: 10,
  slots: 1_000,
  /** Entries of a suite, with all their variants; repetitions of one; parts that its files are split into. */
  suiteEntries: 20_000,
  suiteRepeats: 1_000,
  shards: 1_000,
  /** Of the JUnit files and artifacts of one attempt. */
  junitBytes: 32 << 20,
  junitCases: 100_000,
  artifactFiles: 1_000,
  /** Of the worktrees of failed entries that are kept. */
  keptBytes: 4 * 2 ** 30,
  artifactBytes: 256 << 20,
  /** Of one kind of resource. */
  resources: 10_000,
  /** Verifications at once, tasks in one of them, and repetitions of one that failed. */
  window: 100,
  batch: 256,
  reruns: 10,
  /** Characters kept of a progress line, a summary or a failure message. */
  messageChars: 2_000,
  /** What an agent may tell and ask through the task manager, in one attempt. */
  notes: 200,
  asks: 100,
  /** Globs asked for at once, and the characters of each. */
  askedPaths: 50,
  askedPathChars: 500,
  /** How long an agent waits for the answer, before it is told to look again later. */
  askWaitMs: 10_000,
  /** Claims that people hold at the same time, for how long at most, and the characters of their names. */
  holds: 100,
  holdMs: 24 * 3_600_000,
  holdNameChars: 80,
  /** Tasks listed as waiting for a claim. */
  claimWaits: 200,
  /** Ideas of a search, and the bytes of each; steps of an eval; measurements; nodes kept of a depth; depths. */
  ideas: 1_000,
  ideaBytes: 256 << 10,
  searchSteps: 20,
  repeats: 1_000,
  beam: 1_000,
  searchDepth: 1_000,
  /** Bytes of what a score command prints, or of its file, that the numbers are looked for in, and how long that may take. */
  scoreBytes: 1 << 20,
  scoreMatchMs: 2_000,
  /** Pauses between tries of what the machine does not let an attempt, or a landing, do. */
  attemptRetriesMs: [200, 500, 1_000, 2_000, 4_000, 8_000] as readonly number[],
  landingRetriesMs: [250, 1_000, 3_000] as readonly number[],
  /** Paths listed in one failure. */
  failurePaths: 50,
  /** Characters of a prompt besides the task's own words and the templates; bytes of a template. */
  promptChars: 40_000,
  /** Of the plan files in words that an agent makes a plan of. */
  convertedChars: 200_000,
  templateBytes: 32 << 10,
  /** How many times the agent of `plan new` may put its plan right, and one. */
  planIterations: 4,
  /** Entries of a list in a prompt; tasks it builds on, and the files named of each. */
  promptLines: 50,
  promptNeeds: 20,
  promptNeedFiles: 20,
  /** Entries of the list of what an attempt changed. */
  touchedPaths: 200,
  /** Earlier runs that are asked what the tasks of a plan changed. */
  learnedRuns: 10,
  /** Lessons kept of each domain. */
  lessonsPerDomain: 1_000,
  /** Commits of one piece of work that `landing.merge: rebase` replays; work of more lands as one. */
  replayedCommits: 100,
  /** What others write into the store within so long wakes whoever waits for it once. */
  storeWakeMs: 10,
  /** How often it is looked for where the file system does not tell of it. */
  storePollMs: 1_000,
  /** Of a store on Postgres. How long one that cannot be reached is waited for: by an engine, whose agents go on working, and by a reader. */
  storeOutageMs: 600_000,
  storeReadOutageMs: 10_000,
  storeOpenMs: 3_000,
  storeConnectMs: 5_000,
  storeAnswerMs: 30_000,
  storeConnections: 4,
  /** How often connections that only wait are asked for an answer, and how long that is waited for. */
  storeListenMs: 4_000,
  /** How often a standby looks who leads, and for how long nobody has to before it takes over. */
  standbyPollMs: 500,
  standbyGraceMs: 3_000,
  /** How often what agents are doing right now is written into the store, and how much of it is kept of a run. */
  progressWriteMs: 250,
  progressKept: 1_000,
  /** How often the running attempts are looked at for one that has stalled, at least. */
  stallPollMs: 5_000,
  /** How often the output of a running attempt is read. */
  outputPollMs: 100,
  /** How often the machine is looked at, where it says how many tasks run at the same time. */
  machineLookMs: 2_000,
  /** Loose objects and packs of the engine's repository above which it is tidied up when a run is over. */
  looseObjects: 2_000,
  packs: 20,
  /** It is tidied up after so long in any case. */
  maintenanceEveryMs: 7 * 24 * 3_600_000,
  /** What that may take at the end of a run; `espalier clean` takes the time it needs. */
  maintenanceMs: 60_000,
  /** Files that `doctor` counts in one part of the state folder. */
  countedFiles: 100_000,
} as const

/** What one source says: any part of the settings. */
export type LayerSettings = { [K in keyof Settings]?: Layer<Settings[K]> | undefined }
type Layer<T> = T extends unknown[] ? T : T extends object ? { [K in keyof T]?: Layer<T[K]> | undefined } : T

export type SettingsLayer = { from: string; settings: LayerSettings }

/** What is in force, and for every setting (`backoff.initialMs`) where it comes from. */
export type ResolvedSettings = { settings: Settings; origin: Record<string, string> }

/** Later layers overrule earlier ones, setting by setting; lists are replaced, not joined. */
export function resolveSettings(layers: readonly SettingsLayer[]): ResolvedSettings {
  const settings = structuredClone(DEFAULT_SETTINGS)
  const origin: Record<string, string> = {}
  for (const layer of [{ from: 'default', settings: DEFAULT_SETTINGS }, ...layers])
    overrule(settings, layer.settings, layer.from, '', origin)
  return { settings, origin }
}

function overrule(target: object, layer: object, from: string, prefix: string, origin: Record<string, string>): void {
  for (const [name, value] of Object.entries(layer)) {
    // Names in a file are for its author to choose: this one would reach every object there is.
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
