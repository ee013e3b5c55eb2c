import { sql } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator, newOrigin, newProcessorKey, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { PASSWORD } from "#test/scene/people.ts";
import { enter } from "#test/scene/sign-in.ts";
import { newPerson } from "#test/scene/staff.ts";
import { HERE, notified } from "#test/outside/notifications.ts";
import { startReceiver } from "#test/outside/receiver.ts";
import { sendTest } from "#lib/webhooks/endpoints.ts";
import { startWorker } from "#lib/webhooks/worker.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { startDeadlineSweep } from "#lib/clock/deadline-sweep.ts";
import { beginReadOnly, endReadOnly } from "#lib/operator/read-only.ts";
import { startIntegrator, stopIntegrator } from "#lib/operator/suspension.ts";
import { inTransaction, markCommit } from "#db/transaction.ts";

const WRITERS = 8;

let integrator: TestIntegrator;
let cards: string[];

vi.spyOn(log, "warn").mockImplementation(() => undefined);

beforeAll(async () => {
  await testDatabase().db.execute(sql`
    insert into installation (id, environment, secret_check) values ('installation', 'sandbox', '') on conflict do nothing`);
});

beforeEach(async () => {
  integrator = await newIntegrator(100_000);
  cards = await Promise.all(
    Array.from({ length: WRITERS }, async () => (await newCard(integrator)).id),
  );
});

afterEach(() => endReadOnly(testDatabase().db));

function credit(cardId: string) {
  const body = { card_id: cardId, amount: 1 };
  return call("PATCH /cards/credit/balance", { key: integrator.apiKey, body });
}

function freeze(cardId: string) {
  return call(`PATCH /cards/${cardId}/freeze`, { key: integrator.apiKey, body: {} });
}

/** Credits and freezes without a pause while something is stopped. @returns the codes that refused them. */
async function whileWriting(work: () => Promise<void>): Promise<Set<string>> {
  const over = new AbortController();
  const codes = new Set<string>();
  const keepWriting = async (cardId: string, index: number) => {
    while (!over.signal.aborted) {
      const { status, json } = await (index % 2 === 0 ? credit(cardId) : freeze(cardId));
      if (status >= 400) {
        codes.add((json as { code: string }).code);
      }
    }
  };
  const writing = Promise.all(cards.map(keepWriting));
  await work().finally(() => over.abort());
  await writing;
  return codes;
}

async function readTraces(): Promise<unknown> {
  const [row] = await testDatabase().db.execute(sql`
    select (select count(*) from transfers where integrator_id = ${integrator.id})::int as transfers,
      (select sum(sequence) from events where integrator_id = ${integrator.id})::text as events,
      (select count(*) from card_state_changes where integrator_id = ${integrator.id})::int as states`);
  return row;
}

async function countTransfers(): Promise<number> {
  const [row] = await testDatabase().db.execute<{ transfers: number }>(
    sql`select count(*)::int as transfers from transfers where integrator_id = ${integrator.id}`,
  );
  return row?.transfers ?? 0;
}

const STOPS = [
  ["read_only", () => beginReadOnly(testDatabase().db, "mei@app-1")],
  [
    "account_stopped",
    () => stopIntegrator(testDatabase().db, { request: newOrigin(), id: integrator.id }),
  ],
] as const;

test.each(STOPS)(
  "%s: nothing is written after it has resolved, whoever is writing",
  async (code, stop) => {
    const codes = await whileWriting(async () => {
      await expect.poll(countTransfers).toBeGreaterThan(WRITERS);
      await stop();
      const stopped = await readTraces();
      await Promise.all(cards.flatMap((card) => [credit(card), freeze(card)]));
      expect(await readTraces()).toEqual(stopped);
    });
    expect([...codes]).toEqual([code]);
  },
);

test.each(STOPS)("%s: waits for a change that has already been allowed", async (_code, stop) => {
  const { db } = testDatabase();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const changing = inTransaction(db, async (tx) => {
    markCommit(tx, sql`true`);
    await tx.execute(sql`select 1 from integrators where id = ${integrator.id}`);
    begin();
    await released;
  });
  await begun;
  const stopping = stop();
  await vi.waitFor(async () => expect((await credit(cards[0] ?? "")).status).toBeGreaterThan(400));
  const first = await Promise.race([
    stopping.then(() => "stopped"),
    credit(cards[0] ?? "").then(() => "writing"),
  ]);
  expect(first).toBe("writing");
  release();
  await changing;
  await stopping;
});

test("the sweeps wait, without a line in the log, and go on afterward", async () => {
  const { db } = testDatabase();
  const failed = vi.spyOn(log, "error");
  const [card = ""] = cards;
  await call(`PATCH /cards/${card}/freeze`, {
    key: integrator.apiKey,
    body: { until: new Date(Date.now() + 1_500).toISOString() },
  });
  await beginReadOnly(db, "mei@app-1");
  const sweep = startDeadlineSweep(db);
  const isLifted = async () => {
    const [row] = await db.execute<{ status: string }>(
      sql`select status from ledger_accounts where id = ${card}`,
    );
    return row?.status === "active";
  };
  await expect
    .poll(async () => (await call(`GET /cards/${card}`, { key: integrator.apiKey })).json, {
      timeout: 10_000,
    })
    .toMatchObject({ status: "active" });
  const asked = vi.spyOn(db, "execute");
  await expect.poll(() => asked.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(2);
  asked.mockRestore();
  expect(await isLifted()).toBe(false);
  await endReadOnly(db);
  await expect.poll(isLifted, { timeout: 20_000 }).toBe(true);
  sweep.stop();
  expect(failed).not.toHaveBeenCalled();
});

test("the card network is answered for a stopped account: questions are declined, and facts are booked", async () => {
  const { db } = testDatabase();
  const key = await newProcessorKey();
  const [card = ""] = cards;
  await credit(card);
  await credit(card);
  const authorize = (reference: string) =>
    call("POST /processor/authorizations", {
      key,
      body: { reference, card_id: card, amount: 1, currency: "USD" },
    });
  await stopIntegrator(db, { request: newOrigin(), id: integrator.id });
  expect((await authorize(newId())).json).toMatchObject({
    decision: "declined",
    decline_reason: "integrator_suspended",
  });
  const fact = await call("POST /processor/captures", {
    key,
    body: { reference: newId(), card_id: card, amount: 1 },
  });
  expect(fact).toMatchObject({ status: 200 });
  await startIntegrator(db, { request: newOrigin(), id: integrator.id });
  const reference = newId();
  await beginReadOnly(db, "mei@app-1");
  expect(await authorize(reference)).toMatchObject({ status: 503, json: { code: "read_only" } });
  await endReadOnly(db);
  expect((await authorize(reference)).json).toMatchObject({ decision: "approved" });
});

test("webhooks that were recorded before are sent, and people sign in", async () => {
  const { db } = testDatabase();
  const receiver = await startReceiver();
  const notifiedOne = await notified(receiver);
  const { email } = await newPerson(notifiedOne.id, "viewer");
  await write(notifiedOne, (ctx) => sendTest(ctx));
  await beginReadOnly(db, "mei@app-1");
  const worker = startWorker(db, HERE);
  await receiver.waitFor(1);
  expect(await enter({ email, password: PASSWORD })).toMatchObject({ signedIn: true });
  await worker.stop();
  await receiver.stop();
});

async function readiness(): Promise<unknown> {
  return (await call("GET /health/ready")).json;
}

test("the server stays ready, and warns for as long as changes are stopped", async () => {
  const { db } = testDatabase();
  await beginReadOnly(db, "mei@app-1");
  expect(await readiness()).toMatchObject({
    status: "ready",
    warnings: [expect.stringContaining("floatdeck read-only off")],
  });
  await endReadOnly(db);
  expect(await readiness()).toMatchObject({ status: "ready", warnings: [] });
});
