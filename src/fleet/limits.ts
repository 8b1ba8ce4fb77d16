// How long workers and engines wait for each other.

export const FLEET = {
  /** How often a worker says that it is there. */
  heartbeatMs: 2_000,
  /** Without an answer for so long, a worker ends what it executes: somebody else may have it by now. */
  leaseMs: 10_000,
  /** An engine that has heard nothing of a worker for so long gives it up. More than a lease, so that nothing runs twice. */
  lostAfterMs: 12_000,
  /** How often an engine looks who is there. */
  lookMs: 500,
  /** How long a request for assignments is held open, and how often it looks without being woken. */
  pollMs: 20_000,
  lookAgainMs: 2_000,
  /** Of pg-boss: how long an assignment may be out in all, without a sign of life, and how long it is kept afterwards. */
  expireSeconds: 24 * 3_600,
  jobHeartbeatSeconds: 60,
  keptSeconds: 3_600,
  /** Bytes of a pack, of an order or result, and of one piece of output. */
  packBytes: 1 << 30,
  jsonBytes: 16 << 20,
  outputBytes: 1 << 20,
  /** How often what an agent has printed is sent on. */
  outputEveryMs: 500,
  /** How often a worker looks whether its agents ask the task manager something. */
  askEveryMs: 100,
  /** Commits that a worker says it has, so that it is sent only what it lacks. */
  haveCommits: 50,
  slots: 64,
  /** Pauses between tries of a call to the server, and of what an engine writes for its workers. */
  callRetryMs: { first: 200, most: 2_000 },
  writeRetryMs: { first: 100, most: 2_000 },
  /** How long work that is done waits at most for room on the disk, and how often it looks. */
  roomMs: 15 * 60_000,
  roomLookMs: 2_000,
} as const
