import postgres from "postgres";
import type { Sql } from "postgres";
import { expect, test } from "vitest";
import { flushApiLog } from "#lib/api/edge/api-log.ts";
import { testDatabase } from "#test/database/database.ts";
import { keepWal } from "#test/database/kept-wal.ts";
import { measureWrittenBytes } from "#test/database/written-bytes.ts";
import { call } from "#test/scene/api-client.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { setWebhookUrl } from "#test/scene/webhook-url.ts";

const CLIENTS = 64;
const FIRST_ROUNDS = 10;
const ROUNDS = 30;
const CREDITS = CLIENTS * ROUNDS;

/** A tenth above what was measured, so that a change that adds to them is seen. */
const BOUNDS = [
  // Measured: 2,345, 3,750, and 5,200.
  { webhooks: "none", lasting: 2_580, all: 4_130, wal: 5_720 },
  // Measured: 2,283, 4,053, and 5,907. The rows of the first account have made the pages of indexes.
  { webhooks: "one endpoint", lasting: 2_510, all: 4_460, wal: 6_500 },
];

test.each(BOUNDS)(
  "a keyed credit without text writes no more bytes than it did, with indexes and $webhooks",
  async (bounds) => {
    const integrator = await newIntegrator(1_000_000);
    if (bounds.webhooks !== "none") {
      await setWebhookUrl(integrator, "https://hooks.example.com/");
    }
    const cards: string[] = [];
    for (let index = 0; index < CLIENTS; index += 1) {
      cards.push((await newCard(integrator)).id);
    }
    const sql = postgres(testDatabase().ownerUrl, { max: 1 });
    // The first pages of tables and indexes are there, and the buffer of rows to log is empty.
    for (let round = 0; round < FIRST_ROUNDS; round += 1) {
      await credit(integrator, cards, -round - 1);
    }
    await flushApiLog();
    const { lasting, all, wal } = await measureWrittenBytes(sql, async () => {
      const from = await keepWal(sql);
      for (let round = 0; round < ROUNDS; round += 1) {
        await credit(integrator, cards, round);
      }
      const written = await countWal(sql, from);
      await flushApiLog();
      return { wal: written };
    });
    await sql.end();
    expect(lasting / CREDITS).toBeLessThan(bounds.lasting);
    expect(all / CREDITS).toBeLessThan(bounds.all);
    expect(wal / CREDITS).toBeLessThan(bounds.wal);
  },
);

/** The bytes of WAL about this database since a position. Other files write into the same cluster, which writes no full pages. */
async function countWal(sql: Sql, from: string): Promise<number> {
  await sql`create extension if not exists pg_walinspect`;
  const [known] = await sql`select from pg_proc where proname = 'pg_get_wal_block_info'`;
  if (!known) {
    // Before PostgreSQL 16, nothing tells.
    return 0;
  }
  const [row] = await sql<{ bytes: number }[]>`
    select sum(length)::float8 as bytes from (
      select distinct start_lsn, record_length as length
      from pg_get_wal_block_info(${from}, pg_current_wal_insert_lsn())
      where reldatabase = (select oid from pg_database where datname = current_database())
    ) record`;
  return row?.bytes ?? Number.NaN;
}

async function credit(
  integrator: TestIntegrator,
  cards: readonly string[],
  round: number,
): Promise<void> {
  const replies = await Promise.all(
    cards.map((card_id, index) =>
      call("PATCH /cards/credit/balance", {
        key: integrator.apiKey,
        headers: { "Idempotency-Key": `credit-${round}-${index}`.padEnd(24, "x") },
        body: { card_id, amount: 1 },
      }),
    ),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
}
