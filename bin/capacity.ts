/** What an installation takes, calculated from what docs/scaling.md measured. */

/** Milliseconds of processor time and bytes of WAL of a request: its table "What a request takes". */
export const REQUESTS = {
  /** Integrators share no commits. */
  credit: { serverMs: 2.08, databaseMs: 3.06, wal: 7_249 },
  authorization: { serverMs: 0.26, databaseMs: 0.24, wal: 4_396 },
  list: { serverMs: 0.3, databaseMs: 0.27, wal: 691 },
} as const;

/** Bytes on disk, with indexes: its table "What a request writes", and the size of a webhook in docs/operations.md. */
export const BYTES = {
  event: 753,
  records: 1_452,
  response: 1_012,
  logRow: 418,
  webhook: 1_120,
} as const;

/** Bytes of memory, resident: of a server with its pages after a run of torture, and of PostgreSQL for each connection. */
export const MEMORY = { server: 553 * 2 ** 20, pages: 286 * 2 ** 20, connection: 14e6 } as const;

/** What a server opens at most: docs/operations.md, "Connections". */
export const SERVER_CONNECTIONS = 29;

/**
 * Bytes of a key in an index. Keys are hashes, so each is written at a place of its own: in the index of saved responses,
 * which is kept as long as they are, and in that of fund movements, which is kept forever.
 */
export const KEY_BYTES = 105;

/** For how many days the last three of the bytes are kept; rows of the log for 30 to 37. */
const KEPT_DAYS = 30;
const LOG_DAYS = 37;
const MONTH_DAYS = 30;
const YEAR_DAYS = 365;

/** Requests a second of each integrator at its peak, and the share of that which it sends on average. */
export interface Load {
  integrators: number;
  credits: number;
  authorizations: number;
  lists: number;
  average: number;
}

/** Rates at the peak; bytes as they add up at the average. */
export interface Capacity {
  /** One more than the cores need, so that one may be away. */
  servers: number;
  serverCores: number;
  serverMemoryBytes: number;
  databaseCores: number;
  /** Its connections, and the indexes of keys after a year. */
  databaseMemoryBytes: number;
  /** A sync for each commit, and a page of each index of keys, read and written, if memory holds none of them. */
  diskOperationsPerS: number;
  walBytesPerS: number;
  /** At most: requests of one integrator share a commit. */
  commitsPerS: number;
  addedBytesPerDay: number;
  /** What expires and is replaced all the time. */
  replacedBytes: number;
  /** The database after a year. */
  yearBytes: number;
}

const DAY_S = 86_400;

/** An authorization is counted as writing what a credit does, except for a saved response. */
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

/** What a restore copies in a second, in bytes: an assumption, unlike all other figures. */
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

/** Two digits are as many as the measurements have. */
function toShort(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString("en-US", { maximumFractionDigits: 3 });
}
