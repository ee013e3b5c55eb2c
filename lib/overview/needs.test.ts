import { beforeEach, expect, test } from "vitest";
import { sql } from "drizzle-orm";
import { testDatabase } from "#test/database/database.ts";
import { call } from "#test/scene/api-client.ts";
import { UNKNOWN } from "#test/scene/bulk-account.ts";
import { move, newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { buy, holdId, refundPurchase } from "#test/scene/spending.ts";
import { setWebhookUrl } from "#test/scene/webhook-url.ts";
import { newStaff } from "#test/scene/staff.ts";
import { FREEZE_LEVELS } from "#lib/cards/card-state.ts";
import { replaceCard } from "#lib/funds/replace-card.ts";
import { runBulkJobs } from "#lib/bulk/bulk-runner.ts";
import { listNeeds } from "#lib/overview/needs.ts";
import type { Need, Needing } from "#lib/overview/needs.ts";
import { database } from "#db/client.ts";

let integrator: TestIntegrator;
let cardId: string;

beforeEach(async () => {
  integrator = await newIntegrator(10_000);
  cardId = (await newCard(integrator, 100)).id;
});

const HOUR_MS = 3_600_000;

const NEEDING = {
  timeZone: "UTC",
  clock: { clockOffsetS: 0 },
  mendsWebhooks: true,
  approverId: null,
};

async function needs(
  afterMs = 0,
  by = integrator,
  needing: Partial<Needing> = {},
): Promise<unknown[]> {
  const at = new Date(Date.now() + afterMs);
  const found = await listNeeds(reading(by), { ...NEEDING, ...needing }, at);
  return found.map(toFacts);
}

function toFacts(need: Need): unknown[] {
  const { kind } = need;
  if (kind === "refused_items") {
    return [kind, need.job.refused];
  }
  if (kind === "failing_webhooks") {
    return [kind, need.alert.kind];
  }
  if (kind === "low_float") {
    return [kind, need.day];
  }
  if (kind === "stray_refund") {
    return [kind, need.refund.amount, need.refund.replacementId];
  }
  if (kind === "expiring_holds") {
    return [kind, need.holds.count, need.holds.amount];
  }
  if (kind === "waiting_approval") {
    return [kind, need.approval.id];
  }
  return [kind, need.card.id, kind === "repeated_declines" ? need.times : need.freeze.reason];
}

const freeze = (reason: string) =>
  call(`PATCH /cards/${cardId}/freeze`, { key: integrator.apiKey, body: { reason } });

test("an account in order needs nothing, and a freeze on request nothing either", async () => {
  expect(await needs()).toEqual([]);
  await freeze("cardholder_request");
  expect(await needs()).toEqual([]);
});

test("a protective freeze needs somebody until a person has noted what they found", async () => {
  await freeze("suspected_fraud");
  expect(await needs()).toEqual([["unreviewed_freeze", cardId, "suspected_fraud"]]);
  expect(await needs(0, await newIntegrator(0))).toEqual([]);
  const { headers } = await newStaff(integrator.id, "operator");
  await call(`POST /cards/${cardId}/notes`, { headers, body: { comment: "Spoke with Lin." } });
  expect(await needs()).toEqual([]);
});

test("five declines of a card within an hour need somebody, four do not, nor do those that were forced", async () => {
  for (let times = 1; times <= 5; times += 1) {
    expect(await needs()).toEqual([]);
    await buy(integrator, { cardId, amount: 9_999 });
    await call(`POST /cards/${cardId}/mock-transaction`, {
      key: integrator.apiKey,
      body: { type: "deduct", amount: 1, decline_with: "card_expired" },
    });
  }
  expect(await needs()).toEqual([["repeated_declines", cardId, 5]]);
  expect(await needs(HOUR_MS + 1_000)).toEqual([]);
});

test("a job with refusals needs somebody for a day, a check never", async () => {
  for (const check of [true, false]) {
    const items = [{ card_id: cardId }, { card_id: UNKNOWN }];
    const body = { operation: "freeze", reason: "inactivity", check, items };
    await call("POST /bulk", { key: integrator.apiKey, body });
    await runBulkJobs(database());
    expect(await needs()).toEqual(check ? [] : [["refused_items", 1]]);
  }
  expect(await needs(25 * HOUR_MS)).toEqual([]);
});

test("holds that expire on this day of the account's clock and zone need somebody, later ones do not", async () => {
  await holdId(integrator, { cardId, amount: 40 });
  expect(await needs()).toEqual([]);
  // A hold expires after seven days. Of the day before it, and of the moments before midnight elsewhere.
  expect(await needs(6 * 24 * HOUR_MS)).toEqual([]);
  const ahead = { clock: { clockOffsetS: (7 * 24 * HOUR_MS) / 1_000 - 60 } };
  expect(await needs(0, integrator, ahead)).toEqual([["expiring_holds", 1, 40]]);
});

test("failing webhooks need those who may mend them", async () => {
  await setWebhookUrl(integrator, "https://hooks.example/");
  await testDatabase().db.execute(sql`
    update webhook_endpoints set failing_since = now() - interval '1 hour' where integrator_id = ${integrator.id}`);
  expect(await needs()).toEqual([["failing_webhooks", "webhooks_failing"]]);
  expect(await needs(0, integrator, { mendsWebhooks: false })).toEqual([]);
});

test("a refund to a replaced card needs somebody until the new card is credited, or a person has noted why not", async () => {
  const { id: transactionId } = (await buy(integrator, { cardId, amount: 60 })).transaction;
  const replace = (id: string) =>
    write(integrator, (ctx) =>
      replaceCard(ctx, id, { moveBalance: false, comment: null, mayLift: FREEZE_LEVELS }),
    );
  const { id: replacement } = await replace(cardId);
  expect(await needs()).toEqual([]);
  await refundPurchase(integrator, { cardId, transactionId, amount: 25 });
  expect(await needs()).toEqual([["stray_refund", 25, replacement]]);
  await move(integrator, { kind: "credit", cardId: replacement, amount: 25 });
  expect(await needs()).toEqual([]);
  await refundPurchase(integrator, { cardId, transactionId, amount: 5 });
  expect(await needs()).toEqual([["stray_refund", 5, replacement]]);
  expect(await needs(15 * 24 * HOUR_MS)).toEqual([]);
  const { headers } = await newStaff(integrator.id, "operator");
  await call(`POST /cards/${cardId}/notes`, { headers, body: { comment: "Paid by bank." } });
  expect(await needs()).toEqual([]);
});

test("a refund that came before its card was replaced is on its card", async () => {
  const { id: transactionId } = (await buy(integrator, { cardId, amount: 60 })).transaction;
  await refundPurchase(integrator, { cardId, transactionId, amount: 25 });
  await write(integrator, (ctx) =>
    replaceCard(ctx, cardId, { moveBalance: false, comment: null, mayLift: FREEZE_LEVELS }),
  );
  expect(await needs()).toEqual([]);
});
