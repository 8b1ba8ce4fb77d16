// Named limits of everything that could otherwise grow without end.

export const LIMITS = {
  /** Bytes of a plan or configuration file. */
  planBytes: 256 << 20,
  /** Files of one plan, for formats with one file per task. */
  planFiles: 20_000,
  /** YAML is read far slower than JSON: a larger file has to be JSON. */
  yamlBytes: 2 << 20,
  /** Lines and list items of YAML above 256 kB. */
  yamlPieces: 100_000,
  /** Repetitions of parts behind YAML anchors, nested repetitions multiplied. */
  yamlAliases: 10_000,
  /** Levels of lists and mappings inside each other. */
  nesting: 500,
  /** Problems printed for one file. */
  problems: 100,
  /** Edges between tasks that the `needs` of epics may expand to. */
  epicEdges: 2_000_000,
  /** Pairs of tasks listed because their claims conflict. */
  claimConflicts: 100,
  /** Labels of one task or one machine. */
  labels: 20,
  /** How long a run with nothing else left waits for a worker that its tasks can run on. */
  workerWaitMs: 10 * 60_000,
  /** Numbers of workers in one simulation of a plan. */
  simulations: 20,
  /** Budgets listed as nearly used up, or as holding tasks back. */
  budgetsShown: 50,
  /** A running attempt reports its spending when it grew by this share of the smallest budget that counts it … */
  spentShare: 0.05,
  /** … or when it grew at all, this long after the last report. */
  spentEveryMs: 10_000,
  /** The longest timer: 24 days. */
  durationMs: 2 ** 31 - 1,
  retries: 100,
  /** Agent processes in one attempt. */
  iterations: 50,
  /** Equal calls of a tool in a row after which an agent goes in circles (`maxRepeats`). */
  repeatedCalls: 10,
  slots: 1_000,
  /** Entries of a suite, with all their variants; repetitions of one; parts that its files are split into. */
  suiteEntries: 20_000,
  suiteRepeats: 1_000,
  shards: 1_000,
  /** JUnit files and artifacts of one attempt. */
  junitBytes: 32 << 20,
  junitCases: 100_000,
  artifactFiles: 1_000,
  /** Size of all kept worktrees of failed entries. */
  keptBytes: 4 * 2 ** 30,
  artifactBytes: 256 << 20,
  /** Units of one kind of resource. */
  resources: 10_000,
  /** Verifications at once, tasks in one of them, and repetitions of a failed one. */
  window: 100,
  batch: 256,
  reruns: 10,
  /** Characters kept of a progress line, a summary or a failure message. */
  messageChars: 2_000,
  /** Notes and questions of an agent through the task manager, in one attempt. */
  notes: 200,
  asks: 100,
  /** Globs in one question, and the characters of each. */
  askedPaths: 50,
  askedPathChars: 500,
  /** How long an agent waits for an answer before it is told to look again later. */
  askWaitMs: 10_000,
  /** Claims held by people at the same time, the longest time, and the characters of their names. */
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
  /** Bytes of a score command's output, or of its file, that are searched for numbers, and the time for that. */
  scoreBytes: 1 << 20,
  scoreMatchMs: 2_000,
  /** Pauses between tries after an environment error, for an attempt and for a landing. */
  attemptRetriesMs: [200, 500, 1_000, 2_000, 4_000, 8_000] as readonly number[],
  landingRetriesMs: [250, 1_000, 3_000] as readonly number[],
  /** Paths listed in one failure. */
  failurePaths: 50,
  /** Characters of a prompt besides the task's own words and the templates; bytes of a template. */
  promptChars: 40_000,
  /** Characters of the prose files that an agent makes a plan of. */
  convertedChars: 200_000,
  templateBytes: 32 << 10,
  /** Iterations of the agent of `plan new`: one, and its corrections. */
  planIterations: 4,
  /** Entries of a list in a prompt; needed tasks in it, and the files named of each. */
  promptLines: 50,
  promptNeeds: 20,
  promptNeedFiles: 20,
  /** Entries in the list of an attempt's changes. */
  touchedPaths: 200,
  /** Earlier runs that are asked for changes of the tasks of a plan. */
  learnedRuns: 10,
  /** Lessons kept of each domain. */
  lessonsPerDomain: 1_000,
  /** Commits of one piece of work that `landing.merge: rebase` replays; larger work lands as one commit. */
  replayedCommits: 100,
  /** Changes of the store within this time wake its watchers once. */
  storeWakeMs: 10,
  /** Poll for file systems without notifications. */
  storePollMs: 1_000,
  /** Postgres: how long an unreachable store is waited for, by an engine, whose agents go on working, and by a reader. */
  storeOutageMs: 600_000,
  storeReadOutageMs: 10_000,
  storeOpenMs: 3_000,
  storeConnectMs: 5_000,
  storeAnswerMs: 30_000,
  storeConnections: 4,
  /** How often idle connections are tested, and how long for. */
  storeListenMs: 4_000,
  /** How often a standby looks for the leader, and how long there has to be none before it takes over. */
  standbyPollMs: 500,
  standbyGraceMs: 3_000,
  /** How often the current activity of agents is written into the store, and how much is kept of a run. */
  progressWriteMs: 250,
  progressKept: 1_000,
  /** Longest pause between looks for stalled attempts. */
  stallPollMs: 5_000,
  /** How often the output of a running attempt is read. */
  outputPollMs: 100,
  /** How often the machine is looked at with `autoConcurrency`. */
  machineLookMs: 2_000,
  /** Loose objects and packs of the engine's repository above which it is tidied up after a run. */
  looseObjects: 2_000,
  packs: 20,
  /** Longest time without tidying it up. */
  maintenanceEveryMs: 7 * 24 * 3_600_000,
  /** Longest tidying at the end of a run; `espalier clean` takes the time it needs. */
  maintenanceMs: 60_000,
  /** Files that `doctor` counts in one part of the state folder. */
  countedFiles: 100_000,
} as const
