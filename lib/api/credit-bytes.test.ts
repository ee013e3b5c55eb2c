import postgres from "postgres";
import type { Sql } from "postgres";
import { expect, test } from "vitest";
import { flushApiLog } from "#lib/api/edge/api-log.ts";
import { testDatabase } from "#test/database/database.ts";
import { call } from "#test/scene/api-client.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";

const CLIENTS = 64;
const ROUNDS = 30;
const CREDITS = CLIENTS * ROUNDS;

/** What a credit leaves for ever. Beside these, its saved response and its log are removed after a while. */
const LASTING = new Set(["transfers", "entries", "transactions", "events", "audit_log"]);

/** A tenth above what was measured (2,420 and 3,820), so that a change that adds to them is seen. */
const BOUNDS = { lasting: 2_660, all: 4_200 };

test("a keyed credit without text leaves no more bytes than it did, with indexes", async () => {
  const integrator = await newIntegrator(1_000_000);
  const cards = [];
  for (let index = 0; index < CLIENTS; index += 1) {
    cards.push((await newCard(integrator)).id);
  }
  const sql = postgres(testDatabase().ownerUrl, { max: 1 });
  // The first pages of tables and indexes are there, and the buffer of rows to log is empty.
  await credit(integrator, cards, 10);
  await sql`vacuum`;
  const sizes = await readSizes(sql);
  await credit(integrator, cards, ROUNDS);
  await sql`vacuum`;
  const added = [...(await readSizes(sql))].map(([name, bytes]) => ({
    name,
    bytes: bytes - (sizes.get(name) ?? 0),
  }));
  await sql.end();
  const sum = (rows: typeof added) => rows.reduce((total, { bytes }) => total + bytes, 0) / CREDITS;
  expect(sum(added.filter(({ name }) => LASTING.has(name)))).toBeLessThan(BOUNDS.lasting);
  expect(sum(added)).toBeLessThan(BOUNDS.all);
});

async function credit(
  integrator: TestIntegrator,
  cards: readonly string[],
  rounds: number,
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const replies = await Promise.all(
      cards.map((card_id, index) =>
        call("PATCH /cards/credit/balance", {
          key: integrator.apiKey,
          headers: { "Idempotency-Key": `credit-${rounds}-${round}-${index}`.padEnd(24, "x") },
          body: { card_id, amount: 1 },
        }),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  }
  await flushApiLog();
}

/** The bytes of each table, with its indexes. */
async function readSizes(sql: Sql): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ name: string; bytes: number }[]>`
    select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'`;
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}
