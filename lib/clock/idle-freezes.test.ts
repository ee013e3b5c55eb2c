import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { advance, DAY_S, reset } from "#test/database/clock.ts";
import { testDatabase } from "#test/database/database.ts";
import { ask, cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { call } from "#test/scene/api-client.ts";
import {
  freezeCard,
  move,
  newCard,
  newScopedKey,
  reading,
  unfreezeCard,
  write,
} from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { readAudit } from "#test/scene/recorded-events.ts";
import { buy, eventsOf, hold, refundPurchase } from "#test/scene/spending.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { freezeIdleCards } from "#lib/clock/internal/idle-freezes.ts";

/** No sweeper runs unless a test calls it. */
beforeEach(() => openCardAccount(100_000, 100));

const sweep = () => freezeIdleCards(testDatabase().db);
const days = (count: number) => advance(integrator, count * DAY_S);

function setDays(idle_freeze_days: number | null) {
  return ask("PATCH /card-integrators/settings", { idle_freeze_days });
}

const readCard = (id = cardId) => getCard(reading(integrator), id);

/** When cards are looked at, by id. */
async function readDues(of: TestIntegrator = integrator) {
  const rows = await testDatabase().db.execute<{ id: string; due: boolean }>(sql`
    select id, idle_due_at is not null as due from ledger_accounts
    where integrator_id = ${of.id} and kind = 'card' order by id`);
  return new Map(rows.map(({ id, due }) => [id, due]));
}

/** Lets what the account has recorded be older, in real time, and the times at which its cards are looked at. */
async function age(ms: number): Promise<void> {
  const { db } = testDatabase();
  await db.execute(sql`
    update ledger_accounts set idle_due_at = idle_due_at - make_interval(secs => ${ms / 1_000})
    where integrator_id = ${integrator.id}`);
}

describe("an idle card", () => {
  test("is frozen once it was not used for so long, at the level of the cardholder, in the name of the rule", async () => {
    await setDays(30);
    await days(30 - 1);
    expect(await readCard()).toMatchObject({ status: "active" });
    await days(1);
    const actor = { type: "system", id: null, name: "Automatic freeze" };
    const comment = "Not used for 30 days";
    expect(await readCard()).toMatchObject({
      status: "frozen",
      freezes: [{ level: "cardholder", reason: "inactivity", comment, actor, until: null }],
    });
    expect((await eventsOf(integrator, cardId)).at(-1)).toMatchObject({
      event: "card.frozen",
      data: {
        given_reason: "inactivity",
        rule: { auto_freeze: null, idle_freeze_days: 30 },
      },
    });
    expect((await readAudit(integrator, { targetId: cardId })).at(-1)).toMatchObject({
      action: "card.frozen",
      actor,
      after: { reason: "inactivity", comment, level: "cardholder" },
    });
  });

  test("is lifted by a key that freezes for cardholders, and counts anew from then on", async () => {
    await setDays(30);
    await days(31);
    const { key } = await newScopedKey(integrator.id, ["cards:freeze"]);
    expect(await call(`PATCH /cards/${cardId}/unfreeze`, { key })).toMatchObject({ status: 200 });
    await days(29);
    expect(await readCard()).toMatchObject({ status: "active" });
    await days(1);
    expect(await readCard()).toMatchObject({ status: "frozen" });
  });

  test.each([
    ["an approved purchase", () => buy(integrator, { cardId, amount: 1 })],
    ["an authorization", () => hold(integrator, { cardId, amount: 1 })],
    ["a verification", () => hold(integrator, { cardId, amount: 0 })],
    ["a credit", () => move(integrator, { kind: "credit", cardId, amount: 1 })],
    ["a debit", () => move(integrator, { kind: "debit", cardId, amount: 1 })],
    [
      "a lift",
      async () => {
        await write(integrator, (ctx) => freezeCard(ctx, cardId, { reason: null }));
        await write(integrator, (ctx) => unfreezeCard(ctx, cardId, { comment: null }));
      },
    ],
  ])("%s is a use", async (_, use) => {
    await setDays(30);
    await days(20);
    await use();
    await days(29);
    expect(await readCard()).toMatchObject({ status: "active" });
    await days(1);
    expect(await readCard()).toMatchObject({ status: "frozen" });
  });

  test.each([
    ["a decline", () => buy(integrator, { cardId, amount: 1_000 })],
    ["a refund", () => refundPurchase(integrator, { cardId, amount: 1 })],
    ["a note", () => ask(`POST /cards/${cardId}/notes`, { comment: "Still here" })],
  ])("%s is none", async (_, act) => {
    await setDays(30);
    await days(20);
    await act();
    await days(10);
    expect(await readCard()).toMatchObject({ status: "frozen" });
  });

  test("that somebody froze or closed is left alone", async () => {
    await setDays(30);
    const closed = await newCard(integrator);
    await ask(`POST /cards/${closed.id}/close`);
    await write(integrator, (ctx) => freezeCard(ctx, cardId, { reason: "lost" }));
    await days(31);
    expect(await readCard()).toMatchObject({ freezes: [{ reason: "lost" }] });
    expect(await readCard(closed.id)).toMatchObject({ status: "closed" });
    expect(await readDues()).toEqual(
      new Map([
        [cardId, false],
        [closed.id, false],
      ]),
    );
  });

  test("that has expired is left alone, also if it was idle before", async () => {
    const soon = await newCard(integrator, 0, { validityDays: 20 });
    const later = await newCard(integrator, 0, { validityDays: 35 });
    await setDays(30);
    await days(31);
    expect(await readCard(soon.id)).toMatchObject({ status: "active" });
    expect(await readCard(later.id)).toMatchObject({ status: "frozen" });
    expect((await readDues()).get(soon.id)).toBe(false);
    await setDays(7);
    await days(1);
    expect(await readCard(soon.id)).toMatchObject({ status: "active" });
  });

  test("is frozen within one move of the clock, although it was used after it was first due", async () => {
    await setDays(30);
    await days(29);
    await buy(integrator, { cardId, amount: 1 });
    await days(60);
    expect(await readCard()).toMatchObject({ status: "frozen" });
  });

  test("is frozen by real time, by the sweep", async () => {
    await setDays(7);
    await sweep();
    expect(await readDues()).toEqual(new Map([[cardId, true]]));
    await age(8 * DAY_S * 1_000);
    await sweep();
    // It was used just now: it is due later.
    expect(await readCard()).toMatchObject({ status: "active" });
    expect(await readDues()).toEqual(new Map([[cardId, true]]));
    await begunAhead(8 * DAY_S);
    await sweep();
    expect(await readCard()).toMatchObject({ status: "frozen" });
  });
});

/** Lets a sandbox's clock be ahead without having looked at what was due on the way. */
async function begunAhead(seconds: number): Promise<void> {
  await testDatabase().db.execute(sql`
    update integrators set clock_offset_s = ${seconds}, clock_since = now() where id = ${integrator.id}`);
  await testDatabase().db.execute(sql`
    insert into audit_log (integrator_id, id, actor, action, target_type, target_id, before, after, request_id)
    values (${integrator.id}, '09999999-0000-7000-8000-000000000000', '{"type":"system","id":null,"name":"Test"}',
      'sandbox.clock-advanced', 'account', ${integrator.id}, '{"offset_seconds":0}', ${`{"offset_seconds":${seconds}}`}::text::jsonb, 'test')`);
}

describe("the setting", () => {
  test("reaches every active card, however many, also those that come while it does and afterward", async () => {
    const ids = [cardId];
    for (let made = 0; made < 4; made += 1) {
      ids.push((await newCard(integrator)).id);
    }
    expect([...(await readDues()).values()]).toEqual(ids.map(() => false));
    await setDays(30);
    ids.push((await newCard(integrator)).id);
    await sweep();
    ids.push((await newCard(integrator)).id);
    expect([...(await readDues()).values()]).toEqual(ids.map(() => true));
    const [row] = await testDatabase().db.execute(
      sql`select idle_fill_after from integrators where id = ${integrator.id}`,
    );
    expect(row).toEqual({ idle_fill_after: null });
  });

  test("with fewer days, cards are due earlier; switched off, none is frozen", async () => {
    await setDays(100);
    await days(40);
    await setDays(50);
    await days(10);
    expect(await readCard()).toMatchObject({ status: "frozen" });
    await write(integrator, (ctx) => unfreezeCard(ctx, cardId, { comment: null }));
    await setDays(null);
    await days(200);
    expect(await readCard()).toMatchObject({ status: "active" });
    expect(await readDues()).toEqual(new Map([[cardId, false]]));
  });

  test("after a reset of the clock, cards are due by real time again", async () => {
    await setDays(30);
    await days(10);
    // From then on, it is due 40 days ahead of real time.
    await write(integrator, (ctx) => freezeCard(ctx, cardId, { reason: null }));
    await write(integrator, (ctx) => unfreezeCard(ctx, cardId, { comment: null }));
    await days(10);
    await reset(integrator);
    await sweep();
    await days(29);
    expect(await readCard()).toMatchObject({ status: "active" });
    await days(1);
    expect(await readCard()).toMatchObject({ status: "frozen" });
  });

  test("is in the account, and each change of it is an event and in the audit log", async () => {
    expect(await setDays(90)).toMatchObject({ json: { data: { idle_freeze_days: 90 } } });
    const changes = await readAudit(integrator, { targetId: integrator.id });
    expect(changes.at(-1)).toMatchObject({
      before: { idle_freeze_days: null },
      after: { idle_freeze_days: 90 },
    });
    expect((await eventsOf(integrator, integrator.id)).at(-1)).toMatchObject({
      data: { idle_freeze_days: 90 },
      previous: { idle_freeze_days: null },
    });
  });

  test.each([6, 731, 0, "30"])(
    "%j is refused, and the error says what is allowed",
    async (given) => {
      expect(
        await ask("PATCH /card-integrators/settings", { idle_freeze_days: given }),
      ).toMatchObject({
        status: 422,
        json: {
          errors: {
            idle_freeze_days: [expect.stringContaining("must be a whole number from 7 to 730.")],
          },
        },
      });
    },
  );
});
