/**
 * Every limit of time at which the product gives up on something, in milliseconds. How often it looks, retries, or
 * records a heartbeat is not a limit, and is defined in the code that does it. A client's limits are not here either:
 * they run in browsers and in other people's programs.
 */
const LIMITS_MS = {
  // A transaction on a request's path: its wait for a connection, its work, its COMMIT, and the lookup of its outcome.
  begin: 2_000,
  work: 5_000,
  commit: 2_000,
  outcome: 5_000,
  /** A read on a request's path, including its wait for a connection. */
  read: 2_200,
  /**
   * How long a page waits for all of its data. Longer than the API, because a program that calls the API can ask
   * again.
   */
  pageWait: 10_000,
  /** How long a page's frame waits for data it can do without. */
  pageAside: 1_000,
  /** How long a canceled read keeps its connection while the cancellation is in flight. */
  cancel: 1_000,
  /** How long a request waits for the batch before its own: as long as a transaction waits for a connection. */
  batch: 2_000,
  /** How long a repeat waits for the first request with its idempotency key. */
  repeat: 2_000,
  /** Longer than the transaction of any request, from its first statement to the end of its commit. */
  earlierWriters: 10_000,
  /** How long an answer waits for the feed to list its events: well below what a program waits for an answer. */
  feed: 5_000,
  readiness: 2_000,

  // The database itself ends what we no longer wait for, or cannot cancel.
  statement: 4_500,
  readStatement: 2_500,
  pageStatement: 10_300,
  readinessStatement: 1_500,
  figures: 1_000,
  idleInTransaction: 10_000,

  connect: 2_000,
  /** Connecting once: for a start, or for an operator. */
  connectOnce: 5_000,
  poolClose: 5_000,
  /** How long a pooler may take to give a second session. */
  poolerSession: 2_000,
  /** How long the database may list sessions that were just closed. */
  closedSessions: 2_000,

  // Work for which only a start or an upgrade waits. The demo's past takes thousands of statements.
  past: 180_000,
  lateIndex: 120_000,
  migrationLocks: 30_000,
  freeConnection: 60_000,
  databaseAtStart: 300_000,
  postgresStart: 60_000,
  postgresStop: 20_000,

  requestHead: 10_000,
  request: 30_000,
  metricsRequest: 5_000,
  /**
   * How long after an erasure began, work that started before it may still store a value: longer than a request, an
   * attempt of a webhook, and the time until the API log is written.
   */
  erasureSettles: 120_000,
  serverDrain: 20_000,
  pageSilence: 60_000,
  /**
   * How much processor time of its own the process that serves pages may take until it listens, compiled caches
   * included.
   */
  pagesStart: 60_000,
  /** How much processor time of its own it may take without answering a ping. */
  pagesHang: 10_000,
  /** How long it may answer nothing, or take to start, however little of the processor it gets. */
  pagesSilence: 300_000,
  pagesStop: 5_000,
  tracesStop: 2_000,

  nameLookup: 3_000,
  /** Establishing a connection, including its TLS handshake. */
  webhookConnect: 5_000,
  /** One of several addresses of a host, before the next is tried. */
  webhookAddress: 1_000,
  /** The whole attempt, from the first DNS query to the last byte of the answer. */
  webhookAttempt: 15_000,
  /** How long a claim keeps a delivery from other workers: longer than an attempt and recording it take. */
  webhookClaim: 45_000,
  /** Connecting to the mail server, including the TLS handshake; also the wait for each of its answers. */
  mailConnect: 10_000,
  mailAnswer: 15_000,
  /** The whole attempt to send one message. */
  mailAttempt: 40_000,
  /** How long a claim keeps a message from other workers: longer than an attempt and recording it take. */
  mailClaim: 60_000,
  workerDrain: 20_000,
  /** A process without a heartbeat for this long is dead. A heartbeat may be late by most of this time. */
  workerSilence: 3_000,
  serverSilence: 6_000,
  /** A worker that has been silent for this long is not counted. */
  countedSilence: 5_000,

  doctorNotification: 2_000,
  doctorPage: 10_000,
  doctorEgress: 10_000,
} as const;

export type TimeLimit = keyof typeof LIMITS_MS;

/** Tests set it, because a busy machine is no fault. `lib/base/env.ts` checks it, and refuses it in live. */
const factor = Number(process.env["TIME_LIMIT_FACTOR"] || 1);

type Limits = Partial<Record<TimeLimit, number>>;

/** The limits that work still in progress has changed; the latest change applies. */
let changes: readonly Limits[] = [];

/** The limit in milliseconds. */
export function timeLimit(name: TimeLimit): number {
  return changes.findLast((limits) => name in limits)?.[name] ?? LIMITS_MS[name] * factor;
}

/**
 * Runs work with changed limits in this process, possibly beside other such work. For tests of what happens once a
 * limit has passed.
 */
export async function withTimeLimits<T>(limits: Limits, work: () => Promise<T>): Promise<T> {
  const own = { ...limits };
  changes = [...changes, own];
  try {
    return await work();
  } finally {
    changes = changes.filter((each) => each !== own);
  }
}
