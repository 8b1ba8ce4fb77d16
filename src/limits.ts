// The named limits of everything that could otherwise grow without end.

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
