import { beforeAll, describe, expect, test } from "vitest";
import { toCardSummary } from "./card-summary.ts";
import { FREEZE_REASON_NAMES, FREEZE_REASONS } from "#lib/cards/card-state.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { listCardActivity } from "#lib/transactions/card-activity.ts";
import type { Activity } from "#lib/transactions/card-activity.ts";
import { database } from "#db/client.ts";
import { call } from "#test/scene/api-client.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";

const COMMENT = "The police asked us to";
const NOTE = "Sounded unsure about it";

let summary: string;
let activity: readonly Activity[];

beforeAll(async () => {
  const integrator = await newIntegrator(100_000);
  const operator = await newStaff(integrator.id, "operator");
  const { id } = await newCard(integrator, 5_000);
  const send = async (line: string, body?: object) => {
    const reply = await call(line, { headers: operator.headers, body });
    expect(reply.status).toBeLessThan(500);
  };
  const simulate = (body: object) => send(`POST /cards/${id}/mock-transaction`, body);
  const merchant = { name: "Café Ada" };
  await simulate({ type: "deduct", amount: 1_250, merchant, narrative: "internal note" });
  await simulate({ type: "authorize", amount: 2_000, merchant });
  await simulate({ type: "verification", merchant });
  await simulate({ type: "verification", merchant, decline_with: "card_expired" });
  for (const reason of FREEZE_REASONS) {
    await send(`PATCH /cards/${id}/freeze`, { reason, comment: COMMENT });
    await send(`PATCH /cards/${id}/unfreeze`, { comment: COMMENT });
  }
  await send(`PATCH /cards/${id}/freeze`, { reason: "suspected_fraud", comment: COMMENT });
  await simulate({ type: "deduct", amount: 300, merchant });
  await send(`POST /cards/${id}/notes`, { comment: NOTE });
  await send(`PATCH /cards/credit/balance`, { card_id: id, amount: 10_000_000 });
  const ref = { type: "system", id: null, name: "Test" } as const;
  const ctx = { db: database(), actor: { integratorId: integrator.id, ref } };
  activity = (await listCardActivity(ctx, id, { limit: 100 })).rows;
  summary = toCardSummary(await getCard(ctx, id), activity, "UTC");
});

describe("the account of a card for its holder", () => {
  test("says what happened in plain words, oldest first, with amounts, and times with their zone", () => {
    const lines = summary.split("\n");
    expect(lines[0]).toMatch(/^Recent activity on .+’s card ending in \d{4}$/u);
    const told = lines
      .filter((line) => line.includes(" UTC: "))
      .map((line) => line.split(" UTC: ").at(1));
    expect(told.slice(0, 6)).toEqual([
      "The card was created.",
      "$50.00 was added to the card.",
      "$12.50 was paid at Café Ada.",
      "A purchase of $20.00 at Café Ada was approved. $20.00 is on hold until the merchant collects it.",
      "The card was checked by Café Ada. Nothing was charged.",
      "A check of the card by Café Ada was declined because the card had expired.",
    ]);
    expect(told.slice(-3)).toEqual([
      "The card was unfrozen and can be used again.",
      "The card was frozen. New purchases are declined until it is unfrozen.",
      "A purchase of $3.00 at Café Ada was declined because the card was frozen.",
    ]);
    expect(lines.at(-1)).toBe(
      "The card is frozen, so new purchases are declined. Available balance: $17.50.",
    );
  });

  test("never says why a card was frozen, who did it, what was refused or noted, or an id", () => {
    const types = activity.map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(["state_change", "note"]));
    const reasons = FREEZE_REASONS.flatMap((reason) => [reason, FREEZE_REASON_NAMES[reason]]);
    for (const secret of [...reasons, COMMENT, NOTE, "internal note", "Kim"]) {
      // "Lost" is not in "closed", and "other" is not in "another": whole words.
      expect(summary).not.toMatch(new RegExp(`\\b${secret}\\b`, "iu"));
    }
    expect(summary).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/u);
  });
});
