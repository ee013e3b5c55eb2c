import { sql } from "drizzle-orm";
import postgres from "postgres";
import { beforeAll, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { whileAway } from "#test/database/broken-database.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";

// Keep errors that are caused on purpose out of the test output.
beforeAll(() => {
  log.level = "silent";
});

/** Runs a statement as the tables' owner, who may alter them. */
async function asOwner(statement: string): Promise<void> {
  const owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  await owner.unsafe(statement).finally(() => owner.end());
}

test("a crash answers only its request id, changes nothing, and leaves its key unused", async () => {
  const integrator = await newIntegrator(100);
  const card = await newCard(integrator);
  const credit = { card_id: card.id, amount: 10 };
  const headers = { "Idempotency-Key": newId() };
  const ask = () =>
    call("PATCH /cards/credit/balance", { key: integrator.apiKey, body: credit, headers });
  await asOwner("alter table transactions rename column actor to hidden");
  const reply = await ask().finally(() =>
    asOwner("alter table transactions rename column hidden to actor"),
  );
  expect(reply).toMatchObject({
    status: 500,
    json: { code: "internal_error", request_id: reply.headers.get("x-request-id") },
  });
  expect(reply.text).not.toMatch(/actor|column|transactions|insert|postgres/iu);
  const again = await ask();
  expect(again).toMatchObject({ status: 200, json: { balance: 10 } });
  const float = await call("GET /card-integrators/float", { key: integrator.apiKey });
  expect(float.json).toMatchObject({ balance: 90 });
});

test("funds are refused with a 503 while the account's books do not balance, and for that account only", async () => {
  const integrator = await newIntegrator(100);
  const card = await newCard(integrator);
  const { db } = testDatabase();
  await db.execute(
    sql`update integrators set books_unbalanced_at = now() where id = ${integrator.id}`,
  );
  const body = { card_id: card.id, amount: 10 };
  const stopped = await call("PATCH /cards/credit/balance", { key: integrator.apiKey, body });
  expect(stopped).toMatchObject({ status: 503, json: { code: "books_unbalanced" } });
  expect(stopped.headers.get("retry-after")).toMatch(/^\d+$/u);
  const frozen = await call(`PATCH /cards/${card.id}/freeze`, { key: integrator.apiKey });
  expect(frozen.status).toBe(200);
  const other = await newIntegrator(100);
  const theirs = await newCard(other);
  const moved = await call("PATCH /cards/credit/balance", {
    key: other.apiKey,
    body: { ...body, card_id: theirs.id },
  });
  expect(moved.status).toBe(200);
});

test("a database that no longer accepts connections is a 503 with Retry-After", async () => {
  const integrator = await newIntegrator(100);
  const card = await newCard(integrator);
  await call("GET /cards", { key: integrator.apiKey });
  let replies: ApiReply[] = [];
  let live: ApiReply | undefined;
  await whileAway(async () => {
    replies = await Promise.all([
      call("GET /cards", { key: integrator.apiKey }),
      call(`PATCH /cards/${card.id}/freeze`, { key: integrator.apiKey }),
      call("PATCH /cards/credit/balance", {
        key: integrator.apiKey,
        body: { card_id: card.id, amount: 1 },
      }),
      call("GET /health/ready"),
    ]);
    live = await call("GET /health/live");
  });
  expect(replies).toHaveLength(4);
  expect(live?.status).toBe(200);
  for (const reply of replies) {
    expect(reply).toMatchObject({ status: 503, json: { code: "database_unavailable" } });
    expect(reply.headers.get("retry-after")).toMatch(/^\d+$/u);
  }
});
