import { and, eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { createCardFor, newUser, pathOf, recordsOf } from "#test/scene/cardholders.ts";
import type { User } from "#test/scene/cardholders.ts";
import { move, newIntegrator, newScopedKey, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { readRecorded } from "#test/scene/recorded-events.ts";
import { buy, hold, refundPurchase } from "#test/scene/spending.ts";
import { makeStale, newStaff } from "#test/scene/staff.ts";
import { KEY_SCOPES } from "#lib/base/actor.ts";
import { newId } from "#lib/base/ids.ts";
import { completeErasures } from "#lib/cards/erasure-sweep.ts";
import { keepCardholder } from "#lib/cards/internal/cardholder-records.ts";
import { inTransaction } from "#db/transaction.ts";
import { withTimeLimits } from "#db/time-limits.ts";
import { events } from "#db/schema/events.ts";

let integrator: TestIntegrator;

beforeAll(async () => {
  integrator = await newIntegrator(10_000);
});

function ask(line: string, body?: unknown, key = integrator.apiKey): Promise<ApiReply> {
  return call(line, { key, body });
}

const erase = (user: User) => ask(`POST ${pathOf(user)}/erase`);

async function newCardOf(user: User): Promise<string> {
  const { json } = await createCardFor(integrator, user);
  return (json as { data: { id: string } }).data.id;
}

async function newClosedCardOf(user: User): Promise<string> {
  const cardId = await newCardOf(user);
  await ask(`POST /cards/${cardId}/close`);
  return cardId;
}

/** Lets all erasures run to their end. */
async function complete(): Promise<void> {
  await withTimeLimits({ erasureSettles: 0 }, async () => {
    await completeErasures(testDatabase().db);
    await completeErasures(testDatabase().db);
  });
}

test("takes what bulk jobs have kept of the cardholder's freezes, to undo them", async () => {
  const user = await newUser(integrator);
  const cardId = await newCardOf(user);
  const items = [{ card_id: cardId }];
  await ask(`PATCH /cards/${cardId}/freeze`, { level: "staff", comment: "Called from the island" });
  for (const operation of ["freeze", "unfreeze"]) {
    await ask("POST /bulk", { operation, items, comment: "Called from the island" });
  }
  const readKept = () =>
    testDatabase().db.execute(sql`
      select from bulk_items
      where card_id = ${cardId} and concat(restores::text, replaced::text) like '%island%'`);
  expect(await readKept()).toHaveLength(1);
  await ask(`POST /cards/${cardId}/close`);
  await erase(user);
  await complete();
  expect(await readKept()).toEqual([]);
});

describe("erasing is refused", () => {
  test("while a card is not closed, which is named", async () => {
    const user = await newUser(integrator);
    const cards = [await newCardOf(user), await newCardOf(user)];
    await newClosedCardOf(user);
    await ask(`PATCH /cards/${cards[1]}/freeze`);
    const refused = await erase(user);
    expect(refused).toMatchObject({
      status: 409,
      json: {
        code: "user_has_cards",
        errors: {
          cards: [
            expect.stringMatching(/^The card ending in \d{4} is active\.$/u),
            expect.stringMatching(/^The card ending in \d{4} is frozen\.$/u),
          ],
        },
      },
    });
    expect((await recordsOf(integrator, user)).audit).toEqual([]);
  });

  test("for another tenant's cardholder, as for one that does not exist", async () => {
    const stranger = await newUser(await newIntegrator());
    const [strange, unknown] = [await erase(stranger), await erase({ ...stranger, id: newId() })];
    expect(strange).toMatchObject({ status: 404, json: { code: "user_not_found" } });
    expect(unknown).toMatchObject({ status: 404, json: { code: "user_not_found" } });
  });

  test("to everyone but an owner with a fresh sign-in, and a key with the scope", async () => {
    const user = await newUser(integrator);
    const as = (headers: Record<string, string>) => call(`POST ${pathOf(user)}/erase`, { headers });
    const owner = await newStaff(integrator.id, "owner");
    const admin = await newStaff(integrator.id, "admin");
    const { key } = await newScopedKey(
      integrator.id,
      KEY_SCOPES.filter((scope) => scope !== "cardholders:erase"),
    );
    expect(await as(admin.headers)).toMatchObject({ json: { code: "scope_missing" } });
    expect(await ask(`POST ${pathOf(user)}/erase`, undefined, key)).toMatchObject({
      json: { code: "scope_missing" },
    });
    await makeStale(owner);
    expect(await as(owner.headers)).toMatchObject({ json: { code: "fresh_sign_in_required" } });
    expect((await recordsOf(integrator, user)).events).toEqual([]);
  });
});

describe("an erased cardholder", () => {
  test("is not changed, gets no card, and their closed cards get no metadata", async () => {
    const user = await newUser(integrator);
    const cardId = await newClosedCardOf(user);
    expect(await erase(user)).toMatchObject({ status: 202 });
    const refused = [
      await ask(`PATCH ${pathOf(user)}`, { first_name: "Kofi" }),
      await ask(`POST ${pathOf(user)}/unarchive`),
      await createCardFor(integrator, user),
      await ask(`PATCH /cards/${cardId}`, { metadata: { of: "Kofi" } }),
    ];
    for (const reply of refused) {
      expect(reply).toMatchObject({ status: 409, json: { code: "user_erased" } });
    }
  });

  test("frees their email for somebody else", async () => {
    const user = await newUser(integrator);
    await erase(user);
    expect(await newUser(integrator, { email: user.email })).toMatchObject({ email: user.email });
  });

  test("is still refunded, and declined, without the words of the merchant", async () => {
    const user = await newUser(integrator);
    const cardId = await newCardOf(user);
    await move(integrator, { kind: "credit", cardId, amount: 100 });
    const { transaction } = await buy(integrator, { cardId, amount: 60, narrative: "KOFI" });
    await ask(`POST /cards/${cardId}/close`);
    await erase(user);
    await refundPurchase(integrator, { cardId, transactionId: transaction.id, amount: 20 });
    await hold(integrator, { cardId, amount: 1, narrative: "KOFI" });
    await complete();
    const recorded = await readRecorded(
      and(eq(events.subjectId, cardId), sql`${events.event} like 'card.%transaction%'`),
    );
    expect(recorded.map(({ event, data }) => [event, data["amount"], data["narrative"]])).toEqual([
      ["card.transaction", 60, null],
      ["card.reverse-transaction", 20, null],
      ["card.transaction-declined", 1, null],
    ]);
  });
});

describe("an erasure and", () => {
  test("a change that stores a value wait for each other", async () => {
    const user = await newUser(integrator);
    await write(integrator, async (ctx) => {
      await keepCardholder(ctx, user.id);
      const erasing = erase(user);
      await expect.poll(countLockWaits).toBeGreaterThan(0);
      return { erasing };
    }).then(async ({ erasing }) => expect(await erasing).toMatchObject({ status: 202 }));
    const other = await newUser(integrator);
    const { renaming } = await inTransaction(testDatabase().db, async (tx) => {
      await tx.execute(sql`
        select from cardholders where integrator_id = ${integrator.id} and id = ${other.id} for update`);
      const pending = ask(`PATCH ${pathOf(other)}`, { first_name: "Renamed" });
      await expect.poll(countLockWaits).toBeGreaterThan(0);
      return { renaming: pending };
    });
    expect(await renaming).toMatchObject({ status: 200 });
  });

  test.each([
    ["a rename", (user: User) => ask(`PATCH ${pathOf(user)}`, { first_name: "Latecomer" })],
    ["a new card", (user: User) => createCardFor(integrator, user)],
    [
      "metadata of a closed card",
      async (user: User, cardId: string) =>
        ask(`PATCH /cards/${cardId}`, { metadata: { of: `Latecomer ${user.id}` } }),
    ],
    [
      "a note on a closed card",
      async (_user: User, cardId: string) =>
        ask(`POST /cards/${cardId}/notes`, { comment: "Latecomer" }),
    ],
  ])("%s at the same time leave nothing behind", async (_, act) => {
    for (let round = 0; round < 6; round += 1) {
      const user = await newUser(integrator, { last_name: "Latecomer" });
      const cardId = await newClosedCardOf(user);
      const acts = [() => erase(user), () => act(user, cardId)];
      const [first, second] = await Promise.all(
        (round % 2 === 0 ? acts : acts.toReversed()).map((each) => each()),
      );
      const [erased, acted] = round % 2 === 0 ? [first, second] : [second, first];
      const isErased = erased?.status === 202;
      // A new card keeps its cardholder from being erased.
      expect(isErased || acted?.status === 201).toBe(true);
      await complete();
      expect(await countLatecomers(user)).toBe(isErased ? 0 : 1);
    }
  });

  test("one that was interrupted begins anew, and is complete only after the second time", async () => {
    const user = await newUser(integrator);
    await newClosedCardOf(user);
    await erase(user);
    const stateOf = async () =>
      ((await ask(`GET ${pathOf(user)}`)).json as { data: { erasure: { status: string } } }).data
        .erasure.status;
    await inTransaction(testDatabase().db, async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(7203128)`);
      await complete();
    });
    await completeErasures(testDatabase().db);
    await completeErasures(testDatabase().db);
    expect(await stateOf()).toBe("in_progress");
    await complete();
    expect(await stateOf()).toBe("completed");
  });
});

async function countLockWaits(): Promise<number> {
  const rows = await testDatabase().db.execute(sql`
    select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`);
  return rows.length;
}

/** In how many tables the name is still stored about this cardholder; at most 1. */
async function countLatecomers({ id }: User): Promise<number> {
  const [row] = await testDatabase().db.execute<{ found: number }>(sql`
    select count(*)::int as found from (
      select 1 from cardholders c where id = ${id} and c::text like '%Latecomer%'
      union select 1 from cards c where cardholder_id = ${id} and c::text like '%Latecomer%'
      union select 1 from audit_log a join cards c on c.id = a.target_id where cardholder_id = ${id} and a::text like '%Latecomer%'
      union select 1 from personal_values c where cardholder_id = ${id} and content like '%Latecomer%'
    ) as found`);
  return row?.found ?? Number.NaN;
}
