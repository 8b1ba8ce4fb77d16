// What the server does not do without end.

export const SERVER_LIMITS = {
  /** Bytes of a request; of one that may carry a plan. */
  bodyBytes: 1 << 20,
  largeBodyBytes: 64 << 20,
  headerBytes: 16 << 10,
  /** How long the head of a request, and all of it, may take to come in. */
  headMs: 10_000,
  requestMs: 60_000,
  keepAliveMs: 5_000,
  connections: 512,
  /** Events and logs that are followed, of all callers and of one token. */
  streams: 256,
  streamsOfToken: 100,
  /** Requests of one token; refused logins and unknown tokens of one address. */
  rate: { perSecond: 500, burst: 1_000 },
  failedRate: { perSecond: 1, burst: 30 },
  /** Bytes that wait for a reader of events before it is cut off, and how long one that reads nothing is waited for. */
  unreadBytes: 4 << 20,
  unreadMs: 30_000,
  heartbeatMs: 15_000,
  /** Events kept in memory for those who follow: whoever is further behind reads the journal. */
  recentEvents: 1_000,
  /** Bytes of a message that a client may send on a WebSocket: it has nothing to say. */
  messageBytes: 4 << 10,
  /** How long an engine may take until its run is in the journal. */
  startMs: 60_000,
  /** Commands such as `plan check` that run at once and wait, how long one may take, and what it may print. */
  commands: 4,
  commandQueue: 32,
  commandMs: 120_000,
  commandBytes: 256 << 20,
  /** Plans that came as text, kept so that their runs can be resumed. */
  plansKept: 200,
  /** What a stopping server waits for answers under way. */
  stopMs: 5_000,
  /** Bytes of a diff. */
  diffBytes: 16 << 20,
} as const
