/** The resources that an installation needs, calculated from the measurements in docs/scaling.md. */

/** Milliseconds of processor time and bytes of WAL per request: the table "What a request takes" in docs/scaling.md. */
export const REQUESTS = {
  /** Integrators share no commits. */
  credit: { serverMs: 2.08, databaseMs: 3.06, wal: 7_249 },
  authorization: { serverMs: 0.26, databaseMs: 0.24, wal: 4_396 },
  list: { serverMs: 0.3, databaseMs: 0.27, wal: 691 },
} as const;

/**
 * Bytes on disk, with indexes: the table "What a request writes" in docs/scaling.md, and the size of a webhook in
 * docs/operations.md.
 */
export const BYTES = {
  event: 753,
  records: 1_452,
  response: 1_012,
  logRow: 418,
  webhook: 1_120,
} as const;

/** Resident bytes of memory: of a server and its pages after a torture run, and of PostgreSQL for each connection. */
export const MEMORY = { server: 553 * 2 ** 20, pages: 286 * 2 ** 20, connection: 14e6 } as const;

/** The most database connections that a server opens: docs/operations.md, "Connections". */
export const SERVER_CONNECTIONS = 29;

/**
 * Bytes of a key in an index. Keys are hashes, so each lands on a random page of two indexes: that of saved responses,
 * which expire, and that of fund movements, which are kept forever.
 */
export const KEY_BYTES = 105;

/** For how many days the last three of the bytes are kept; rows of the log for 30 to 37. */
const KEPT_DAYS = 30;
const LOG_DAYS = 37;
const MONTH_DAYS = 30;
const YEAR_DAYS = 365;

/** Requests per second of each integrator at its peak, and its average rate as a share of the peak. */
export interface Load {
  integrators: number;
  credits: number;
  authorizations: number;
  lists: number;
  average: number;
}

/** Rates at the peak; bytes as they add up at the average. */
export interface Capacity {
  /** One more than the cores need, so that one may be down. */
  servers: number;
  serverCores: number;
  serverMemoryBytes: number;
  databaseCores: number;
  /** Its connections, and the indexes of keys after a year. */
  databaseMemoryBytes: number;
  /** The worst case: a sync for each commit, and for each key a page read and written in each index. */
  diskOperationsPerS: number;
  walBytesPerS: number;
  /** An upper bound, because requests of one integrator share commits. */
  commitsPerS: number;
  addedBytesPerDay: number;
  /** The size of data that expires and is constantly replaced. */
  replacedBytes: number;
  /** The database after a year. */
  yearBytes: number;
}

const DAY_S = 86_400;

/** Assumes that an authorization writes as much as a credit, except for the saved response. */
export function calculate(load: Load): Capacity {
  const { integrators, credits, authorizations, lists, average } = load;
  const kinds = [
    { rate: credits, ...REQUESTS.credit },
    { rate: authorizations, ...REQUESTS.authorization },
    { rate: lists, ...REQUESTS.list },
  ];
  const sum = (of: (kind: (typeof kinds)[number]) => number) =>
    kinds.reduce((total, kind) => total + integrators * kind.rate * of(kind), 0);
  const perDay = (rate: number) => integrators * rate * average * DAY_S;
  const changes = perDay(credits + authorizations);
  const addedBytesPerDay = changes * (BYTES.event + BYTES.records);
  const replacedBytes =
    KEPT_DAYS * (changes * BYTES.webhook + perDay(credits) * BYTES.response) +
    LOG_DAYS * perDay(credits + authorizations + lists) * BYTES.logRow;
  const serverCores = sum(({ serverMs }) => serverMs / 1_000);
  // The API of a server runs on one event loop.
  const servers = Math.ceil(serverCores) + 1;
  const commitsPerS = integrators * (credits + authorizations);
  return {
    servers,
    serverCores,
    serverMemoryBytes: servers * (MEMORY.server + MEMORY.pages),
    databaseCores: sum(({ databaseMs }) => databaseMs / 1_000),
    databaseMemoryBytes:
      servers * SERVER_CONNECTIONS * MEMORY.connection +
      (YEAR_DAYS + KEPT_DAYS) * perDay(credits) * KEY_BYTES,
    diskOperationsPerS: commitsPerS + 4 * integrators * credits,
    walBytesPerS: sum(({ wal }) => wal),
    commitsPerS,
    addedBytesPerDay,
    replacedBytes,
    yearBytes: YEAR_DAYS * addedBytesPerDay + replacedBytes,
  };
}

export const COLUMNS = [
  "integrators",
  "servers",
  "their cores",
  "their RAM",
  "PostgreSQL, cores",
  "its RAM",
  "its IOPS",
  "WAL",
  "for good, a month",
  "replaced",
  "after a year",
  "to copy back",
] as const;

/** Bytes per second that a restore copies. Unlike all other figures, this is an assumption. */
const COPIED_PER_S = 200e6;

/** One row of the table. */
export function toRow(load: Load): string[] {
  const capacity = calculate(load);
  return [
    load.integrators.toLocaleString("en-US"),
    capacity.servers.toLocaleString("en-US"),
    toShort(capacity.serverCores),
    toBytes(capacity.serverMemoryBytes),
    toShort(capacity.databaseCores),
    toBytes(capacity.databaseMemoryBytes),
    toShort(capacity.diskOperationsPerS),
    `${toBytes(capacity.walBytesPerS)}/s`,
    toBytes(MONTH_DAYS * capacity.addedBytesPerDay),
    toBytes(capacity.replacedBytes),
    toBytes(capacity.yearBytes),
    toDuration(capacity.yearBytes / COPIED_PER_S),
  ];
}

const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"];

function toBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(bytes || 1) / 3)));
  return `${toShort(bytes / 1_000 ** power)} ${UNITS[power]}`;
}

function toDuration(seconds: number): string {
  return seconds < 3_600 ? `${toShort(seconds / 60)} min` : `${toShort(seconds / 3_600)} h`;
}

/** Rounds to two significant digits, the precision of the measurements. */
function toShort(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString("en-US", { maximumFractionDigits: 3 });
}
