import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { performAll } from "#lib/group-commit/batch.ts";
import { authorize } from "#lib/purchases/authorizations.ts";
import { openDatabase } from "#db/client.ts";
import type { Database } from "#db/client.ts";
import { inTransaction } from "#db/transaction.ts";
import { newClient } from "./load.ts";
import type { Client } from "./load.ts";
import { startRig } from "./rig.ts";
import type { Rig } from "./rig.ts";

const HOLDS = 1_000;
const BATCH = 200;
const HOUR_S = 3_600;
const DAYS_S = 60 * 24 * HOUR_S;

/** Only ends what hangs. */
const HANGS_MS = 60_000;

let rig: Rig;
let opened: Database;
let client: Client;

beforeEach(async () => {
  rig = await startRig();
  opened = openDatabase(rig.database.appUrl, { max: 2 });
  client = await newClient(rig);
});

afterEach(async () => {
  await opened.close();
  expect(await rig.sweep()).toEqual([]);
  await rig.stop();
});

/** Authorizes 1 a thousand times, to expire an hour apart. */
async function authorizeAll(): Promise<void> {
  const { integratorId, cardId, headers } = client;
  await fetch(`${rig.baseUrl}/cards/credit/balance`, {
    method: "PATCH",
    headers,
    body: JSON.stringify({ card_id: cardId, amount: HOLDS }),
  });
  const ref = { type: "system", id: null, name: "Fault" } as const;
  for (let first = 0; first < HOLDS; first += BATCH) {
    const requests = Array.from({ length: BATCH }, (_, index) => ({
      actor: { integratorId, ref },
      request: { id: newId(), address: null, agent: null },
      cardId,
      amount: 1,
      currency: null,
      narrative: null,
      merchant: null,
      expiresInS: (first + index + 1) * HOUR_S,
    }));
    await inTransaction(opened.db, (tx) => performAll(tx, authorize, requests));
  }
}

async function countOpen(): Promise<number> {
  const [row] = await opened.db.execute<{ count: number }>(sql`
    select count(*)::int as count from transactions
    where integrator_id = ${client.integratorId} and status = 'authorized'`);
  return row?.count ?? 0;
}

async function until(done: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + HANGS_MS;
  while (!(await done())) {
    if (Date.now() > deadline) {
      throw new Error("It did not happen in time.");
    }
    await sleep(5);
  }
}

async function readClock(
  baseUrl: string,
): Promise<{ offset_seconds: number; advancing_to: string | null }> {
  const answer = await fetch(`${baseUrl}/sandbox/clock`, { headers: client.headers });
  return (await answer.json()).data;
}

test(
  "a server killed in the middle of an advance: another one completes it, each expiry once and in order",
  async () => {
    const other = await rig.startAnother();
    await authorizeAll();
    const headers = { ...client.headers, "Idempotency-Key": newId() };
    const body = JSON.stringify({ by_seconds: DAYS_S });
    const advance = (baseUrl: string) =>
      fetch(`${baseUrl}/sandbox/clock/advance`, { method: "POST", headers, body });
    const answered = advance(rig.baseUrl).then(
      () => "answered",
      () => "lost",
    );
    await until(async () => (await countOpen()) < HOLDS);
    const gone = once(rig.server, "exit");
    rig.server.kill("SIGKILL");
    await gone;
    expect(await answered).toBe("lost");
    const left = await countOpen();
    expect(left).toBeGreaterThan(0);
    process.stdout.write(`killed with ${left} of ${HOLDS} still open\n`);
    expect(await readClock(other.baseUrl)).toMatchObject({
      offset_seconds: 0,
      advancing_to: expect.any(String),
    });
    // Nobody repeats the request: the other server's own run finds what is left.
    await until(async () => (await readClock(other.baseUrl)).advancing_to === null);
    expect(await readClock(other.baseUrl)).toMatchObject({ offset_seconds: DAYS_S });
    expect(await countOpen()).toBe(0);
    const rows = await opened.db.execute<{ due: string; reference: string }>(sql`
    select content::jsonb->'data'->>'due_at' as due, content::jsonb->'data'->>'reference' as reference
    from events
    where integrator_id = ${client.integratorId} and event = 'card.reverse-transaction'
    order by sequence`);
    expect(rows).toHaveLength(HOLDS);
    expect(new Set(rows.map(({ reference }) => reference)).size).toBe(HOLDS);
    const due = rows.map((row) => row.due);
    expect(due).toEqual(due.toSorted());
    const repeated = await advance(other.baseUrl);
    expect(repeated.headers.get("idempotent-replayed")).toBe("true");
    expect(await readClock(other.baseUrl)).toMatchObject({ offset_seconds: DAYS_S });
  },
  3 * HANGS_MS,
);
