import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { createCardFor, newUser, pathOf } from "#test/scene/cardholders.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { flushApiLog } from "#lib/api/edge/api-log.ts";
import { completeErasures } from "#lib/cards/erasure-sweep.ts";
import { withTimeLimits } from "#db/time-limits.ts";

/** Where an integrator may write somebody's name without being asked for it: in idempotency keys, paths, and member names. */

const [FIRST, LAST] = ["Zebulon", "Quartermain"];
const EMAIL = "zebulon.quartermain@quay.example";
const KEY = "pay-zebulon.quartermain@quay.example";
const OTHERS_KEY = "pay-somebody.else@quay.example";

let integrator: TestIntegrator;
let owner: TestStaff;
let cardId: string;
let paid: ApiReply;

function ask(line: string, body?: unknown, key?: string): Promise<ApiReply> {
  const headers: Record<string, string> = key === undefined ? {} : { "Idempotency-Key": key };
  return call(line, { key: integrator.apiKey, body, headers });
}

const pay = () => ask("PATCH /cards/credit/balance", { card_id: cardId, amount: 100 }, KEY);

beforeAll(async () => {
  integrator = await newIntegrator(1_000);
  owner = await newStaff(integrator.id, "owner");
  const user = await newUser(integrator, { first_name: FIRST, last_name: LAST, email: EMAIL });
  const made = await createCardFor(integrator, user);
  cardId = (made.json as { data: { id: string } }).data.id;
  paid = await pay();
  await ask("PATCH /cards/debit/balance", { card_id: cardId, amount: 50 }, OTHERS_KEY);
  await mention();
  await ask(`POST /cards/${cardId}/close`);
  await flushApiLog();
  expect(await findMentions()).not.toEqual([]);
  expect((await ask(`POST ${pathOf(user)}/erase`)).status).toBe(202);
  await withTimeLimits({ erasureSettles: 0 }, async () => {
    await completeErasures(testDatabase().db);
    await completeErasures(testDatabase().db);
  });
  await flushApiLog();
});

/** Requests that name the cardholder where nobody asks for a name, by a key and by a person. */
async function mention(): Promise<void> {
  const named = { [`${FIRST} ${LAST}`]: true, card_id: cardId };
  for (const send of [
    ask,
    (line: string, body?: unknown) => call(line, { headers: owner.headers, body }),
  ]) {
    await send("PATCH /cards/credit/balance", { ...named, amount: 1 });
    await send("PATCH /cards/credit/balance", `{"${EMAIL}": 1, "${EMAIL}": 1}`);
    await send("PATCH /card-integrators/settings", { [EMAIL]: 1, log_bodies: "no" });
    await send(`PATCH /cards/${cardId}`, { metadata: { [EMAIL]: 7 } });
    await send(`PATCH /cards/${FIRST}/freeze`);
    await send(`GET /cards?${FIRST}%20${LAST}=1`);
    await send(`GET /idempotency-keys/${KEY}`);
    await send("PATCH /card-integrators/settings", { emial: 1, time_zone: "UTC" });
  }
}

/** The tables in which any of it stands. */
async function findMentions(): Promise<string[]> {
  const { db } = testDatabase();
  const tables = await db.execute<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`);
  const found = [];
  for (const { name } of tables) {
    const rows = await db.execute(sql`
      select from ${sql.identifier(name)} as stored where stored::text ~* 'zebulon|quartermain'`);
    if (rows.length > 0) {
      found.push(name);
    }
  }
  return found;
}

test("after an erasure, no name stands in any column of any table, wherever it was written", async () => {
  expect(await findMentions()).toEqual([]);
});

test("the logs say what was refused, without the name", async () => {
  const audit = await call("GET /audit-log?action=refused", { headers: owner.headers });
  expect(audit.text).toContain("see log_bodies, 1 unknown member");
  expect(audit.text).toContain("The member [redacted] appears twice.");
  const log = await call("GET /api-log?limit=100", { headers: owner.headers });
  const { data } = log.json as { data: { path: string; detail: string | null }[] };
  const details = data.map(({ detail }) => detail);
  expect(details).toContain("The request is not valid for this operation: see emial.");
  const paths = data.map(({ path }) => path);
  expect(paths).toContain("/api/cards/{id}/freeze");
  expect(paths).toContain("/api/idempotency-keys/{key}");
});

test("a repeat with the key that named them moves nothing, and the key of somebody else is still shown", async () => {
  expect(paid.status).toBe(200);
  expect(await pay()).toMatchObject({ status: 410, json: { code: "response_erased" } });
  expect((await ask(`GET /idempotency-keys/${KEY}`)).json).toMatchObject({
    data: { key: KEY, state: "completed", operation: "creditCard" },
  });
  const log = await call("GET /api-log?limit=100", { headers: owner.headers });
  expect(log.text).toContain(OTHERS_KEY);
});

test("when its answer is no longer kept, the key is still known to have moved money", async () => {
  await testDatabase().db.execute(sql`
    delete from idempotent_requests where integrator_id = ${integrator.id}`);
  expect(await pay()).toMatchObject({ status: 409, json: { code: "idempotency_key_expired" } });
});
