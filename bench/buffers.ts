import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { Sql } from "postgres";
import type { Asker } from "./fixture.ts";
import { converseTimes, driveHttp } from "./http-load.ts";
import { ASKED, PAGES } from "./growth.ts";
import { toCredit } from "./requests.ts";
import type { Served, Stage } from "./stage.ts";

/** Buffers read per request, for the small account and for the large one. */
export interface BuffersRead {
  small: number;
  large: number;
}

const REQUESTS = 20;
const ROUNDS = 5;
const POLL_MS = 20;
/** As many clients as a batch takes. */
const TOGETHER = 64;
const TOGETHER_MS = 1_000;

/**
 * Counts the table and index buffers that each kind of request reads. The least of several rounds counts, because background
 * work reads too. A PostgreSQL backend reports its reads when it exits, so all connections are closed before each count.
 */
export async function countBuffers(
  { stage, product }: { stage: Stage; product: Served },
  sizes: { small: Asker; large: Asker },
): Promise<Record<string, BuffersRead>> {
  const sql = postgres(stage.database.ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    for (const asker of Object.values(sizes)) {
      await writeTogether(product, asker);
    }
    const counted: Record<string, BuffersRead> = {};
    for (const [name, ask] of Object.entries(ASKED)) {
      const count = name in PAGES ? countPage : countOne;
      const countFor = (asker: Asker) => count(sql, product, () => ask(asker));
      counted[name] = { small: await countFor(sizes.small), large: await countFor(sizes.large) };
    }
    return counted;
  } finally {
    await sql.end();
  }
}

/**
 * Writes an account's newest rows side by side. Each connection fills its own page of a table, so rows that came in one by
 * one lie on as many pages as connections wrote them, and a list of the newest reads all of these.
 */
async function writeTogether(product: Served, asker: Asker): Promise<void> {
  await driveHttp(product, { clients: TOGETHER, durationMs: TOGETHER_MS }, () =>
    toCredit({ key: asker.apiKey, cardId: asker.pickCard() }),
  );
}

/** A page that meets a connection which was closed at that moment is answered 500, so it is counted again, once. */
async function countPage(sql: Sql, product: Served, next: () => Buffer): Promise<number> {
  return countOne(sql, product, next).catch(() => countOne(sql, product, next));
}

async function countOne(sql: Sql, product: Served, next: () => Buffer): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    await closeConnections(sql);
    const before = await readBuffers(sql);
    await converseTimes(product, REQUESTS, next);
    await closeConnections(sql);
    least = Math.min(least, ((await readBuffers(sql)) - before) / REQUESTS);
  }
  return least;
}

async function closeConnections(sql: Sql): Promise<void> {
  const others = sql`from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
  const ended = await sql<{ pid: number }[]>`select pid, pg_terminate_backend(pid) ${others}`;
  const pids = ended.map(({ pid }) => pid);
  while ((await sql`select ${others} and pid = any(${pids})`).length > 0) {
    await sleep(POLL_MS);
  }
}

/** All tables except those of the API log, which are written in the background. */
async function readBuffers(sql: Sql): Promise<number> {
  const [row] = await sql<{ buffers: number }[]>`
    select sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0)
      + coalesce(toast_blks_read + toast_blks_hit, 0))::float8 as buffers
    from pg_statio_user_tables where relname not like 'api_log%'`;
  return row?.buffers ?? 0;
}
