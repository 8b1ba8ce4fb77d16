// Limits of the server.

export const SERVER_LIMITS = {
  /** Bytes of a request; of a request that may carry a plan. */
  bodyBytes: 1 << 20,
  largeBodyBytes: 64 << 20,
  headerBytes: 16 << 10,
  /** Time for the head of a request, and for all of it. */
  headMs: 10_000,
  requestMs: 60_000,
  keepAliveMs: 5_000,
  connections: 512,
  /** Followed events and logs, of all callers and of one token. */
  streams: 256,
  streamsOfToken: 100,
  /** Requests of one token; refused logins and unknown tokens of one address. */
  rate: { perSecond: 500, burst: 1_000 },
  failedRate: { perSecond: 1, burst: 30 },
  /** Queued bytes at which a slow reader of events is disconnected, and its time to read half of them. */
  unreadBytes: 4 << 20,
  unreadMs: 30_000,
  heartbeatMs: 15_000,
  /** Events kept in memory; followers that are further behind read the journal. */
  recentEvents: 1_000,
  /** Bytes of a message that a client may send on a WebSocket. */
  messageBytes: 4 << 10,
  /** Time for an engine until its run is in the journal. */
  startMs: 60_000,
  /** Commands such as `plan check` that run at once and that wait, the time and the output of each. */
  commands: 4,
  commandQueue: 32,
  commandMs: 120_000,
  commandBytes: 256 << 20,
  /** Plans from requests that are kept, so that their runs can be resumed. */
  plansKept: 200,
  /** Time for answers under way when the server stops. */
  stopMs: 5_000,
  /** Bytes of a diff. */
  diffBytes: 16 << 20,
}

export type ServerLimits = typeof SERVER_LIMITS
