import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { advance, HOUR_S } from "#test/database/clock.ts";
import { testDatabase } from "#test/database/database.ts";
import { ask, cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { call } from "#test/scene/api-client.ts";
import {
  freezeCard,
  newCard,
  newOrigin,
  newProcessorKey,
  reading,
  unfreezeCard,
  write,
} from "#test/scene/fixtures.ts";
import { readAudit } from "#test/scene/recorded-events.ts";
import { buy, declineFor, eventsOf, hold, increment, reverse } from "#test/scene/spending.ts";
import { newId } from "#lib/base/ids.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { performAll } from "#lib/group-commit/batch.ts";
import { authorize } from "#lib/purchases/authorizations.ts";
import { DECLINE_REASONS } from "#lib/transactions/decline-rules.ts";
import { HOLD_LIFE_S } from "#lib/transactions/transaction-kinds.ts";
import { inTransaction } from "#db/transaction.ts";

const RULE = { declines: 3, within_minutes: 10, reasons: null };

beforeEach(() => openCardAccount(100_000, 100));

function setRule(auto_freeze: object | null) {
  return ask("PATCH /card-integrators/settings", { auto_freeze });
}

const TOO_MUCH = 1_000;

/** @returns why it was declined. */
async function decline(amount = TOO_MUCH): Promise<string | null> {
  return (await hold(integrator, { cardId, amount })).transaction.declineReason;
}

const readCard = (id = cardId) => getCard(reading(integrator), id);

async function freezesOf(id = cardId) {
  return (await eventsOf(integrator, id)).filter(({ event }) => event === "card.frozen");
}

describe("the decline that completes the count", () => {
  test("freezes the card with itself, in the name of the rule", async () => {
    await setRule(RULE);
    expect([await decline(), await decline()]).toEqual([
      "insufficient_funds",
      "insufficient_funds",
    ]);
    expect(await readCard()).toMatchObject({ status: "active" });
    expect(await decline()).toBe("insufficient_funds");
    const actor = { type: "system", id: null, name: "Automatic freeze" };
    const comment = "3 declines within 10 minutes";
    expect(await readCard()).toMatchObject({
      status: "frozen",
      freezes: [{ level: "staff", reason: "too_many_declines", comment, actor, until: null }],
    });
    const recorded = await eventsOf(integrator, cardId);
    expect(recorded.slice(-2)).toMatchObject([
      { event: "card.transaction-declined" },
      {
        event: "card.frozen",
        data: {
          status: "frozen",
          amended: false,
          given_reason: "too_many_declines",
          given_level: "staff",
          rule: { auto_freeze: RULE },
        },
        previous: { status: "active" },
      },
    ]);
    expect((await readAudit(integrator, { targetId: cardId })).at(-1)).toMatchObject({
      action: "card.frozen",
      actor,
      before: { status: "active" },
      after: { status: "frozen", reason: "too_many_declines", comment, level: "staff" },
    });
    expect(await decline(1)).toBe("card_frozen");
    expect(await freezesOf()).toHaveLength(1);
  });

  test("may be one of an increment, of a purchase, or of a verification", async () => {
    const { transaction } = await hold(integrator, { cardId, amount: 10 });
    await setRule({ ...RULE, declines: 2 });
    await buy(integrator, { cardId, amount: TOO_MUCH });
    await increment(integrator, transaction.id, TOO_MUCH);
    expect(await readCard()).toMatchObject({ status: "frozen" });
    await write(integrator, (ctx) => unfreezeCard(ctx, cardId, { comment: null }));
    await hold(integrator, { cardId, amount: 0, currency: "EUR" });
    await buy(integrator, { cardId, amount: TOO_MUCH });
    expect(await readCard()).toMatchObject({ status: "frozen" });
    expect(await freezesOf()).toHaveLength(2);
  });

  test("freezes where the account requires a reason, and comes by every way of the network", async () => {
    await ask("PATCH /card-integrators/settings", { freeze_reason_required: true });
    await setRule({ ...RULE, declines: 2 });
    const key = await newProcessorKey();
    for (let sent = 0; sent < 2; sent += 1) {
      const body = { reference: newId(), card_id: cardId, amount: TOO_MUCH, currency: "USD" };
      await call("POST /processor/authorizations", { key, body });
    }
    expect(await readCard()).toMatchObject({ status: "frozen" });
  });
});

describe("what counts", () => {
  test("approvals do not, and other cards do not", async () => {
    await setRule({ ...RULE, declines: 2 });
    const other = await newCard(integrator, 100);
    await decline();
    await hold(integrator, { cardId: other.id, amount: TOO_MUCH });
    expect(await decline(1)).toBeNull();
    expect(await readCard()).toMatchObject({ status: "active" });
    expect(await readCard(other.id)).toMatchObject({ status: "active" });
  });

  test("forced declines do not, whatever their reason", async () => {
    await setRule({ ...RULE, declines: 2 });
    for (const reason of DECLINE_REASONS) {
      await declineFor(integrator, reason, { cardId, amount: 1 });
    }
    await decline();
    await declineFor(integrator, "insufficient_funds", { cardId, amount: 1 });
    expect(await readCard()).toMatchObject({ status: "active" });
  });

  test("those of a frozen card do not, not even when it has expired", async () => {
    await setRule({ ...RULE, declines: 2 });
    await write(integrator, (ctx) => freezeCard(ctx, cardId, { reason: "lost" }));
    await decline();
    await testDatabase().db.execute(sql`
      update ledger_accounts set expires_at = now() where integrator_id = ${integrator.id} and id = ${cardId}`);
    expect([await decline(), await decline(), await decline()]).toEqual(
      Array.from({ length: 3 }, () => "card_expired"),
    );
    expect(await readCard()).toMatchObject({ freezes: [{ reason: "lost" }] });
    expect(await freezesOf()).toHaveLength(1);
    await write(integrator, (ctx) => unfreezeCard(ctx, cardId, { comment: null }));
    await decline();
    expect(await readCard()).toMatchObject({ status: "active" });
    await decline();
    expect(await readCard()).toMatchObject({ status: "frozen" });
  });

  test("those of a closed card, of a suspended account, and of a reversed authorization do not", async () => {
    await setRule({ ...RULE, declines: 2 });
    const { transaction } = await hold(integrator, { cardId, amount: 10 });
    await reverse(integrator, transaction.id);
    const late = [1, 2, 3].map(() => increment(integrator, transaction.id, 1));
    expect((await Promise.all(late)).map((each) => each.transaction.declineReason)).toEqual(
      Array.from({ length: 3 }, () => "reversed_before"),
    );
    const { db } = testDatabase();
    const suspend = (at: Date | null) =>
      db.execute(sql`update integrators set suspended_at = ${at?.toISOString() ?? null}::timestamptz
        where id = ${integrator.id}`);
    await suspend(new Date());
    expect([await decline(), await decline()]).toEqual([
      "integrator_suspended",
      "integrator_suspended",
    ]);
    await suspend(null);
    await ask(`POST /cards/${cardId}/close`);
    expect([await decline(), await decline()]).toEqual(["card_closed", "card_closed"]);
    expect(await freezesOf()).toEqual([]);
  });

  test("only the reasons of the rule, if it names any", async () => {
    await setRule({ ...RULE, declines: 2, reasons: ["currency_mismatch"] });
    await decline();
    await decline();
    await hold(integrator, { cardId, amount: 1, currency: "EUR" });
    expect(await readCard()).toMatchObject({ status: "active" });
    await hold(integrator, { cardId, amount: 1, currency: "EUR" });
    expect(await readCard()).toMatchObject({
      freeze: { comment: "2 declines for currency mismatch within 10 minutes" },
    });
  });

  test("only what came within the minutes, by the account's clock", async () => {
    await setRule({ ...RULE, declines: 2, within_minutes: 60 });
    await decline();
    await advance(integrator, HOUR_S + 1);
    await decline();
    expect(await readCard()).toMatchObject({ status: "active" });
    await advance(integrator, HOUR_S - 60);
    await decline();
    expect(await readCard()).toMatchObject({ status: "frozen" });
  });

  test("what came before the setting does, and a lift starts the count anew", async () => {
    await decline();
    await setRule({ ...RULE, declines: 2 });
    await decline();
    expect(await readCard()).toMatchObject({ status: "frozen" });
    await write(integrator, (ctx) => unfreezeCard(ctx, cardId, { comment: "Looked into" }));
    await decline();
    expect(await readCard()).toMatchObject({ status: "active" });
    await decline();
    expect(await readCard()).toMatchObject({ status: "frozen" });
  });

  test("a freeze that somebody made and lifted in between starts it anew, too", async () => {
    await setRule({ ...RULE, declines: 2 });
    await decline();
    await write(integrator, (ctx) => freezeCard(ctx, cardId, { reason: "lost" }));
    await write(integrator, (ctx) => unfreezeCard(ctx, cardId, { comment: null }));
    await decline();
    expect(await readCard()).toMatchObject({ status: "active" });
  });
});

describe("declines at once", () => {
  test("of one batch: what follows the completing one is decided on a frozen card", async () => {
    await setRule(RULE);
    const amounts = [TOO_MUCH, 1, TOO_MUCH, TOO_MUCH, 1, TOO_MUCH];
    const results = await inTransaction(testDatabase().db, (tx) =>
      performAll(
        tx,
        authorize,
        amounts.map((amount) => ({
          actor: integrator.actor,
          request: newOrigin(),
          cardId,
          amount,
          currency: null,
          narrative: null,
          merchant: null,
          expiresInS: HOLD_LIFE_S,
        })),
      ),
    );
    const reasons = results.map((each) => "done" in each && each.done.transaction.declineReason);
    const funds = "insufficient_funds";
    expect(reasons).toEqual([funds, null, funds, funds, "card_frozen", "card_frozen"]);
    expect((await eventsOf(integrator, cardId)).slice(-7).map(({ event }) => event)).toEqual([
      "card.transaction-declined",
      "card.transaction",
      "card.transaction-declined",
      "card.transaction-declined",
      "card.frozen",
      "card.transaction-declined",
      "card.transaction-declined",
    ]);
    expect(await readCard()).toMatchObject({ status: "frozen", held: 1 });
  });

  test("32 of two servers freeze the card once, with exactly as many declines before as the rule says", async () => {
    await setRule({ ...RULE, declines: 10 });
    const key = await newProcessorKey();
    const send = (at: number) => {
      const body = { reference: newId(), card_id: cardId, amount: TOO_MUCH, currency: "USD" };
      return at % 2 === 0
        ? call("POST /processor/authorizations", { key, body })
        : hold(integrator, { cardId, amount: TOO_MUCH });
    };
    await Promise.all(Array.from({ length: 32 }, (_, at) => send(at)));
    expect(await freezesOf()).toHaveLength(1);
    const order = (await eventsOf(integrator, cardId))
      .filter(({ event }) => event === "card.frozen" || event === "card.transaction-declined")
      .map(({ event, data }) => (event === "card.frozen" ? "frozen" : data["decline_reason"]));
    expect(order).toEqual([
      ...Array.from({ length: 10 }, () => "insufficient_funds"),
      "frozen",
      ...Array.from({ length: 22 }, () => "card_frozen"),
    ]);
  });
});
