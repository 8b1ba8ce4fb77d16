// Times and sizes between engines, servers and workers.

export const FLEET = {
  /** Interval of a worker's heartbeats. */
  heartbeatMs: 2_000,
  /** A worker without an answer for so long ends its attempts: another worker may have got them meanwhile. */
  leaseMs: 10_000,
  /** An engine gives up a worker without heartbeats for so long. Longer than a lease, so that nothing runs twice. */
  lostAfterMs: 12_000,
  /** Interval at which an engine reads the list of workers. */
  lookMs: 500,
  /** Time for which a request for assignments is held open, and interval at which it looks without being woken. */
  pollMs: 20_000,
  lookAgainMs: 2_000,
  /** Settings of pg-boss: longest time of an assignment, longest time without a heartbeat, and time it is kept afterwards. */
  expireSeconds: 24 * 3_600,
  jobHeartbeatSeconds: 60,
  keptSeconds: 3_600,
  /** Bytes of a pack, and of one piece of output. */
  packBytes: 1 << 30,
  outputBytes: 1 << 20,
  /** Interval at which output of agents is sent. */
  outputEveryMs: 500,
  /** Interval at which a worker looks for questions of its agents to the task manager. */
  askEveryMs: 100,
  /** Commits that a worker lists as present, so that it is sent only what it lacks. */
  haveCommits: 50,
  slots: 64,
  /** Pauses between tries of calls to the server, and of an engine's writes for its workers. */
  callRetryMs: { first: 200, most: 2_000 },
  writeRetryMs: { first: 100, most: 2_000 },
  /** Longest wait of finished work for room on the disk, and interval between tries. */
  roomMs: 15 * 60_000,
  roomLookMs: 2_000,
} as const
