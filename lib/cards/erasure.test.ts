import { and, eq, inArray, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { HERE, until } from "#test/outside/notifications.ts";
import { startReceiver } from "#test/outside/receiver.ts";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { newIntegrator, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { PlantedLife } from "#test/scene/planted-life.ts";
import { TYPED } from "#test/scene/planted-values.ts";
import { readAudit, readRecorded } from "#test/scene/recorded-events.ts";
import { newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { flushApiLog } from "#lib/api/edge/api-log.ts";
import { completeErasures } from "#lib/cards/erasure-sweep.ts";
import { newId } from "#lib/base/ids.ts";
import { updateAccount } from "#lib/integrators/integrators.ts";
import { holdsPersonal } from "#lib/record/personal-values.ts";
import { keepNotification } from "#lib/webhooks/inbox-receive.ts";
import { startWorker } from "#lib/webhooks/worker.ts";
import { withTimeLimits } from "#db/time-limits.ts";
import { apiLogBodies, events } from "#db/schema/events.ts";

/** A cardholder with values planted everywhere, and another one whose values stay. */
let integrator: TestIntegrator;
let owner: TestStaff;
let life: PlantedLife;
let other: PlantedLife;
let before: Awaited<ReturnType<typeof readHistory>>;
let foundBefore: string[];
let erased: ApiReply;

const pathOf = ({ userId }: PlantedLife) => `/card-integrators/card-users/${userId}`;

beforeAll(async () => {
  integrator = await newIntegrator(100_000);
  owner = await newStaff(integrator.id, "owner");
  life = new PlantedLife(integrator, "plant");
  other = new PlantedLife(integrator, "other");
  await beEchoed(async () => {
    await life.live();
    await life.close();
    await other.live();
  });
  await life.askForApproval(owner);
  await receiveInInbox();
  await life.saveView(owner);
  await other.saveView(owner);
  await flushApiLog();
  await logUnredacted();
  foundBefore = await findStored(life.planted);
  before = await readHistory();
  erased = await erase();
  await withTimeLimits({ erasureSettles: 0 }, async () => {
    await completeErasures(testDatabase().db);
    await completeErasures(testDatabase().db);
  });
  await flushApiLog();
}, 120_000);

/** Webhooks go to a receiver that answers with what it was sent. */
async function beEchoed(work: () => Promise<void>): Promise<void> {
  const receiver = await startReceiver((response) => {
    response.writeHead(200).end(receiver.received.at(-1)?.body);
  });
  const worker = startWorker(testDatabase().db, HERE);
  await write(integrator, (ctx) => updateAccount(ctx, { webhookUrl: receiver.url }));
  await work();
  await until(integrator, ({ state }) => state === "delivered");
  await worker.stop();
  await receiver.stop();
}

async function receiveInInbox(): Promise<void> {
  await call("POST /sandbox/inbox", { key: integrator.apiKey });
  for (const { cardId } of [life, other]) {
    const [created] = await readRecorded(eq(events.subjectId, cardId));
    await keepNotification(
      testDatabase().db,
      { integratorId: integrator.id },
      {
        headers: { "content-type": "application/json", "webhook-id": cardId },
        body: Buffer.from(created?.body ?? ""),
      },
    );
  }
}

/** A body of the API log with a value that should have been redacted. */
async function logUnredacted(): Promise<void> {
  const answer = { id: life.cardId, card_name: life.planted[0] };
  await testDatabase()
    .db.insert(apiLogBodies)
    .values({
      id: newId(),
      integratorId: integrator.id,
      request: '{"form":"none","unknown_members":0}',
      response: JSON.stringify({ form: "redacted", unknown_members: 0, body: answer }),
    });
}

function erase(headers: Record<string, string> = owner.headers): Promise<ApiReply> {
  return call(`POST ${pathOf(life)}/erase`, {
    headers: { ...headers, "Idempotency-Key": "erase" },
  });
}

/** Which of the values are stored anywhere, in any column of any table. */
async function findStored(values: readonly string[]): Promise<string[]> {
  const { db } = testDatabase();
  const tables = await db.execute<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`);
  const found = new Set<string>();
  for (const { name } of tables) {
    const rows = await db.execute<{ value: string }>(sql`
      select distinct value from ${sql.identifier(name)} as stored, unnest(${sql.param([...values])}::text[]) as value
      where strpos(stored::text, value) > 0`);
    rows.forEach(({ value }) => found.add(`${value} in ${name}`));
  }
  return [...found];
}

/** All that was recorded about the cardholder and their card. */
async function readHistory() {
  const ids = [life.userId, life.cardId];
  const recorded = await readRecorded(
    and(eq(events.integratorId, integrator.id), inArray(events.subjectId, ids)),
  );
  const audit = await Promise.all(ids.map((targetId) => readAudit(integrator, { targetId })));
  const ask = (line: string) => call(line, { key: integrator.apiKey });
  return {
    events: recorded.map(({ body }): { event: string } => JSON.parse(body)),
    audit: audit.flat(),
    activity: (await ask(`GET /cards/${life.cardId}/activity`)).json,
    transactions: (await ask(`GET /cards/${life.cardId}/transactions`)).json,
    card: (await ask(`GET /cards/${life.cardId}`)).json,
  };
}

describe("an erasure", () => {
  test("is tried with a value in every text that the contract takes about a cardholder", () => {
    const sent = new Set(life.sent.map(({ id }) => id));
    expect(TYPED.map(({ id }) => id).filter((id) => !sent.has(id))).toEqual([]);
    // Of the identity number, only the end is stored.
    const values = life.planted.filter((value) =>
      foundBefore.some((found) => found.startsWith(`${value} `)),
    );
    expect(life.planted.length - values.length).toBe(1);
    const tables = new Set(foundBefore.map((found) => found.replace(/^.* in /u, "")));
    expect(tables).toEqual(
      new Set([
        "api_log_bodies",
        "approvals",
        "cardholders",
        "cards",
        "idempotent_requests",
        "inbox_notifications",
        "personal_values",
        "saved_views",
        "transactions",
        "unmatched_facts",
        "webhook_attempts",
      ]),
    );
  });

  test("is accepted at once, and has then erased the cardholder's own record", async () => {
    expect(erased.status).toBe(202);
    expect(erased.json).toMatchObject({
      data: {
        id: life.userId,
        first_name: "Erased",
        last_name: "cardholder",
        archived: true,
        erasure: { status: "in_progress" },
      },
    });
    const { json } = await call(`GET ${pathOf(life)}`, { key: integrator.apiKey });
    expect(json).toMatchObject({ data: { erasure: { status: "completed" } } });
  });

  test("leaves none of the values in any column of any table, and all of everybody else's", async () => {
    expect(await findStored(life.planted)).toEqual([]);
    const bodies = await findStored([life.cardId]);
    expect(bodies.join()).toContain("api_log_bodies");
    const kept = await findStored(other.planted);
    expect(kept.length).toBeGreaterThan(other.planted.length);
  });

  test("leaves none in any answer, and names the cardholder as erased", async () => {
    const lines = [
      `GET ${pathOf(life)}`,
      "GET /card-integrators/card-users",
      "GET /cards",
      `GET /cards/${life.cardId}`,
      `GET /cards/${life.cardId}/activity`,
      `GET /cards/${life.cardId}/transactions`,
      "GET /transactions",
      "GET /card-integrators/float/entries",
      `GET /events?subject_id=${life.cardId}`,
      `GET /events?subject_id=${life.userId}`,
      "GET /sandbox/inbox",
      "GET /exports/cards",
      "GET /exports/transactions",
      "GET /exports/float-entries",
    ];
    const staffLines = [
      "GET /views?list=cardholders",
      "GET /audit-log",
      "GET /exports/audit-log",
      "GET /api-log",
      "GET /webhook-deliveries",
    ];
    for (const line of lines) {
      const { status, text } = await call(line, { key: integrator.apiKey });
      expect([status, life.planted.filter((value) => text.includes(value))]).toEqual([200, []]);
    }
    for (const line of staffLines) {
      const { status, text } = await call(line, { headers: owner.headers });
      expect([status, life.planted.filter((value) => text.includes(value))]).toEqual([200, []]);
    }
    const card = await call(`GET /cards/${life.cardId}`, { key: integrator.apiKey });
    expect(card.json).toMatchObject({ card_name: "Erased cardholder", metadata: {} });
  });

  test("keeps every event and every entry of the logs, in their order, without the values", async () => {
    const after = await readHistory();
    const added = after.events.filter(({ event }) => event === "user.erased");
    expect(added).toMatchObject([{ data: { user_id: life.userId }, actor: { id: owner.id } }]);
    after.events = after.events.filter(({ event }) => event !== "user.erased");
    const audited = after.audit.filter(({ action }) => action === "cardholder.erased");
    expect(audited).toMatchObject([{ targetId: life.userId, actor: { id: owner.id } }]);
    after.audit = after.audit.filter(({ action }) => action !== "cardholder.erased");
    expect(withoutValues(after)).toEqual(withoutValues(before));
    const found = life.planted.filter((value) => JSON.stringify(after).includes(value));
    expect(found).toEqual([]);
  });
});

const PERSONAL =
  /^(?:as_received|card_name|metadata|comment|narrative|email|address|user_photo|checksum|(?:first|last)_name|phone_number)$/u;

/** The same with nothing where a cardholder's values may be. A checksum is computed from them. */
function withoutValues(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, inner: unknown) => (PERSONAL.test(name) ? null : inner)),
  );
}

describe("after an erasure", () => {
  test("a repeat of a key whose answer held values is refused and moves nothing; all others are answered as at first", async () => {
    const { rows } = await readBooks();
    for (const { id, repeat, reply } of life.sent) {
      const again = await repeat();
      expect([id, toOutcome(again)]).toEqual([id, toExpected(id, reply)]);
    }
    for (const { id, repeat, reply } of other.sent) {
      expect([id, (await repeat()).text]).toEqual([id, reply.text]);
    }
    expect((await readBooks()).rows).toEqual(rows);
  });

  test("a key whose answer was erased is still looked up, without the answer", async () => {
    const { json } = await call("GET /idempotency-keys/plant-0", { key: integrator.apiKey });
    expect(json).toMatchObject({
      data: { state: "completed", operation: "registerUser", body: null },
    });
  });

  test("a repeat of the erasure changes nothing, with its key and without", async () => {
    expect((await erase()).text).toBe(erased.text);
    const again = await call(`POST ${pathOf(life)}/erase`, { key: integrator.apiKey });
    expect(again).toMatchObject({
      status: 202,
      json: { data: { erasure: { status: "completed" } } },
    });
    expect(await readRecorded(eq(events.event, "user.erased"))).toHaveLength(1);
  });
});

/** What a repeat is answered: its code, or else everything but values. */
function toOutcome({ status, json }: ApiReply): unknown {
  return status === 410 ? (json as { code: string }).code : withoutValues(json);
}

const OF_NETWORK = new Set(TYPED.flatMap(({ id, kind }) => (kind === "processor" ? id : [])));

/** The network learns what it was told, without the text; all others whose answer held values learn that they are erased. */
function toExpected(id: string, { json }: ApiReply): unknown {
  return !OF_NETWORK.has(id) && holdsPersonal(json) ? "response_erased" : withoutValues(json);
}

async function readBooks() {
  const rows = await testDatabase().db.execute(sql`
    select id, balance, version, event_sequence from ledger_accounts
    where integrator_id = ${integrator.id} order by id`);
  return { rows: [...rows] };
}
