import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";
import { connect } from "#db/connect.ts";
import { keepWal } from "#test/database/kept-wal.ts";
import { vacuumAnalyze } from "#test/database/scaled-books.ts";
import { measureWrittenBytes } from "#test/database/written-bytes.ts";
import { createFixture } from "./fixture.ts";
import { converseTimes } from "./http-load.ts";
import type { Figures } from "./report.ts";
import { toCreditOnce } from "./requests.ts";
import { serveProduct, setStage } from "./stage.ts";

const CLIENTS = 64;
const CREDITS_PER_CLIENT = 500;
const CREDITS = CLIENTS * CREDITS_PER_CLIENT;
const CARDS = 1_000;

/** The API log is written this long after a request, at most. */
const LOGGED_MS = 3_000;

/** The bytes and the WAL of a keyed credit without text, on a database of its own, from a checkpoint on. */
export async function measureCreditBytes(): Promise<Pick<Figures, "creditBytes">> {
  const stage = await setStage();
  const sql = connect(stage.database.ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    const product = await serveProduct(stage, "a");
    const fixture = await createFixture(stage, { cards: CARDS, transactionsPerCard: 1 });
    const credit = (times: number) =>
      Promise.all(
        Array.from({ length: CLIENTS }, () =>
          converseTimes(product, times, () => toCreditOnce(fixture)),
        ),
      );
    await credit(CREDITS_PER_CLIENT);
    await sleep(LOGGED_MS);
    await vacuumAnalyze(stage.database);
    const { lasting, all, tables, wal, walOf } = await measureWrittenBytes(sql, async () => {
      const from = await keepWal(sql);
      await credit(CREDITS_PER_CLIENT);
      await sleep(LOGGED_MS);
      const until = await readWalEnd(sql);
      const [{ bytes } = { bytes: Number.NaN }] = await sql<{ bytes: number }[]>`
        select (${until}::pg_lsn - ${from}::pg_lsn)::float8 as bytes`;
      return { wal: bytes, walOf: await readWalByTable(sql, { from, until }) };
    });
    await product.stop();
    const byTable = [...walOf].map(([name, bytes]) => ({
      name,
      kept: toPartitions(tables, name) / CREDITS,
      wal: bytes / CREDITS,
    }));
    return {
      creditBytes: { lasting: lasting / CREDITS, all: all / CREDITS, wal: wal / CREDITS, byTable },
    };
  } finally {
    await sql.end();
    await stage.destroy();
  }
}

async function readWalEnd(sql: Sql): Promise<string> {
  const [{ at } = { at: "" }] = await sql<{ at: string }[]>`
    select pg_current_wal_insert_lsn()::text as at`;
  return at;
}

/**
 * The bytes of the WAL's records by the table that they change, its indexes included; most first. A record about several
 * pages is counted for the first of them.
 */
async function readWalByTable(
  sql: Sql,
  { from, until }: { from: string; until: string },
): Promise<ReadonlyMap<string, number>> {
  await sql`create extension if not exists pg_walinspect`;
  const rows = await sql<{ name: string; bytes: number }[]>`
    select regexp_replace(coalesce(t.relname, c.relname, 'else'), ${PARTITION}, 'api_log') as name,
      sum(b.record_length)::float8 as bytes
    from pg_get_wal_block_info(${from}::pg_lsn, ${until}::pg_lsn, false) b
    left join pg_class c on pg_relation_filenode(c.oid) = b.relfilenode
    left join pg_index i on i.indexrelid = c.oid
    left join pg_class t on t.oid = i.indrelid
    where b.block_id = 0 group by 1 order by bytes desc`;
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

/** What partitions of the API log are called. */
const PARTITION = "^api_log_(earlier|default|[0-9_]+)$";

function toPartitions(tables: ReadonlyMap<string, number>, name: string): number {
  const pattern = new RegExp(PARTITION, "u");
  return [...tables]
    .filter(([table]) => table.replace(pattern, "api_log") === name)
    .reduce((sum, [, bytes]) => sum + bytes, 0);
}
