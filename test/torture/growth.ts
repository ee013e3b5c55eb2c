import postgres from "postgres";
import type { Sql } from "postgres";

/** How large every table is. */
export type Sizes = ReadonlyMap<string, { rows: number; bytes: number }>;

/**
 * The sizes of the tables when the load has gone on for a while, and before and after each month that the database's clock
 * was set ahead.
 */
export interface Growth {
  first: Sizes;
  /** Before each month passed: what a month has written, and the requests in it. */
  full: { sizes: Sizes; requests: number }[];
  /** For each month, rows that should have been removed once it had passed. */
  leftOver: string[];
  last: Sizes;
}

/** For how many days rows are kept, as docs/operations.md says. Attempts go with their delivery. */
const KEPT_DAYS: Readonly<Record<string, number>> = {
  idempotent_requests: 30,
  // By the week.
  api_log: 37,
  api_log_bodies: 7,
  api_log_hours: 2,
  sign_in_failures: 30,
  staff_sessions: 30,
  deprecated_calls: 30,
  webhook_deliveries: 30,
  webhook_attempts: 30,
  inbox_notifications: 1,
  webhook_previous_secrets: 1,
};

/** What there is at most of the tables that are as long as something else, whatever happens. */
const ROWS_MAX: Readonly<Record<string, number>> = {
  // Three servers and two workers, and those that were killed until the others notice.
  processes: 15,
  webhook_workers: 15,
  installation: 1,
  feed_marks: 2,
  rollup_checkpoints: 1,
  books_checkpoints: 1,
};

/** How far the database's clock is set ahead each time. */
export const MONTH_DAYS = 31;

/** A table keeps the space of removed rows and uses it again; how much it needs varies by about this. */
const RATIO_MAX = 1.5;
const SPARE_BYTES = 2 ** 22;

/** @returns the size of every table, that of its partitions and indexes included. */
export async function readSizes(ownerUrl: string): Promise<Sizes> {
  return withOwner(ownerUrl, async (sql) => {
    const tables = await sql<{ name: string; bytes: number }[]>`
      select c.relname as name, coalesce(
        (select sum(pg_total_relation_size(p.relid)) from pg_partition_tree(c.oid) p), pg_total_relation_size(c.oid)
      )::float8 as bytes
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      order by 1`;
    const sizes = new Map<string, { rows: number; bytes: number }>();
    for (const { name, bytes } of tables) {
      const [counted] = await sql`select count(*)::int as rows from ${sql(name)}`;
      sizes.set(name, { rows: Number(counted?.["rows"]), bytes });
    }
    return sizes;
  });
}

/** Rows of each table that are older than they may be, by the database's clock. */
export async function findExpired(ownerUrl: string): Promise<string[]> {
  return withOwner(ownerUrl, async (sql) => {
    const found: string[] = [];
    for (const [table, days] of Object.entries(KEPT_DAYS)) {
      const at = table === "webhook_attempts" ? "started_at" : "created_at";
      const [row] = await sql`
        select count(*)::int as rows from ${sql(table)} where ${sql(at)} < now() - make_interval(days => ${days})`;
      const rows = Number(row?.["rows"]);
      found.push(...(rows > 0 ? [`${table} has ${rows} rows older than ${days} days`] : []));
    }
    return found;
  });
}

async function withOwner<Result>(
  ownerUrl: string,
  read: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    return await read(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** What grew that must not. */
export function findGrowth({ full, last, leftOver }: Growth): string[] {
  const tooMany = Object.entries(ROWS_MAX)
    .map(([table, max]) => ({ table, max, rows: last.get(table)?.rows ?? 0 }))
    .filter(({ rows, max }) => rows > max)
    .map(({ table, rows, max }) => `${table} has ${rows} rows instead of at most ${max}`);
  return [
    ...leftOver,
    ...tooMany,
    ...Object.keys(KEPT_DAYS).flatMap((table) => compareMonths(table, full)),
  ];
}

/**
 * Whether a table was larger before the last month passed than before the first two, for the requests of the months whose
 * rows it may still have.
 */
function compareMonths(table: string, full: Growth["full"]): string[] {
  const months = full.map(({ sizes }, index) => ({
    ...toSize(sizes, table),
    requests: countKept(table, full.slice(0, index + 1)),
  }));
  const [one, two, ...later] = months;
  const end = later.at(-1);
  if (!one || !two || !end) {
    return [];
  }
  const early = [one, two].map(({ rows, bytes, requests }) => {
    const share = Math.max(1, end.requests / requests) * RATIO_MAX;
    return { rows: rows * share, bytes: bytes * share };
  });
  const rowsMax = Math.max(...early.map(({ rows }) => rows));
  const bytesMax = Math.max(...early.map(({ bytes }) => bytes)) + SPARE_BYTES;
  return [
    ...(end.rows > rowsMax + 100 ? [`${table} grew to ${end.rows} rows`] : []),
    ...(end.bytes > bytesMax ? [`${table} grew to ${toMib(end.bytes)}`] : []),
  ];
}

/** The requests of the last months, as far back as a table keeps rows: at the end of a month, 37 days are parts of two. */
function countKept(table: string, full: Growth["full"]): number {
  const months = Math.ceil((KEPT_DAYS[table] ?? 0) / MONTH_DAYS);
  return full.slice(-months).reduce((sum, { requests }) => sum + requests, 0);
}

/** How many rows there are in all tables together. */
export function countRows(sizes: Sizes): number {
  return [...sizes.values()].reduce((sum, { rows }) => sum + rows, 0);
}

/** One line for each table, those that must not grow first. */
export function describeGrowth({ first, full, last }: Growth): string[] {
  const tables = [...last.keys()].toSorted((a, b) => Number(isBounded(b)) - Number(isBounded(a)));
  return tables.map((table) => {
    const steps = [first, ...full.map(({ sizes }) => sizes), last].map((sizes) => {
      const { rows, bytes } = toSize(sizes, table);
      return `${rows} (${toMib(bytes)})`;
    });
    return `${table}, ${toPromise(table)}: ${steps.join(", ")}`;
  });
}

function isBounded(table: string): boolean {
  return table in KEPT_DAYS || table in ROWS_MAX;
}

function toPromise(table: string): string {
  const days = KEPT_DAYS[table];
  if (days !== undefined) {
    return `kept ${days} days`;
  }
  const max = ROWS_MAX[table];
  return max === undefined ? "kept" : `at most ${max}`;
}

function toSize(sizes: Sizes, table: string): { rows: number; bytes: number } {
  return sizes.get(table) ?? { rows: 0, bytes: 0 };
}

function toMib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
