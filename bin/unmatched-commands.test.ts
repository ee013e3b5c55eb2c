import { describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { authorize, newScene, sendDamaged } from "#test/scene/scene.ts";
import { testDatabase } from "#test/database/database.ts";
import { newId } from "#lib/base/ids.ts";
import { readFigures } from "#lib/operator/figures.ts";
import { readAudit } from "#test/scene/recorded-events.ts";
import {
  cardId,
  findWaiting,
  floatdeck,
  integrator,
  key,
  listKept,
  matchKept,
  readBalance,
  report,
  useUnmatchedMessages,
} from "#test/scene/unmatched-messages.ts";

/** What the card network reports about an unknown card: kept, shown to the operator, matched, and then repeated. */

useUnmatchedMessages();

const match = (reference: string, card = cardId, ...more: string[]) =>
  matchKept(reference, card, ...more);

describe("a purchase on an unknown card", () => {
  const reference = newId();
  const clearing = {
    reference,
    card_id: newId(),
    amount: 250,
    narrative: "SHOES",
    merchant: { name: "Shoe shop", mcc: "5661", city: "Oakland", country: "US" },
  };

  test("is refused, kept once however often it is sent, and its reference is taken", async () => {
    const before = await readFigures(testDatabase().db);
    for (let sent = 0; sent < 3; sent += 1) {
      expect(await report("captures", clearing)).toMatchObject({
        status: 422,
        json: { code: "fact_unmatched", detail: expect.stringContaining("no such card") },
      });
    }
    expect(await report("captures", { ...clearing, amount: 251 })).toMatchObject({
      status: 409,
      json: { code: "reference_reused" },
    });
    const after = await readFigures(testDatabase().db);
    const waiting = before.unmatchedFacts.card_not_found;
    expect(after.unmatchedFacts).toMatchObject({
      card_not_found: waiting + 1,
      reference_reused: before.unmatchedFacts.reference_reused + 1,
    });
  });

  test("is shown to the operator", async () => {
    const { code, out } = await floatdeck("unmatched");
    expect(code).toBe(0);
    expect(out).toMatch(
      /purchase {12}250 {2}unknown card \(card [-\da-f]+\) {2}reference \S+, Shoe shop\n/u,
    );
    expect((await floatdeck("doctor", "--egress-url", "http://127.0.0.1:9")).out).toContain(
      "Reports of the card network that are not in the books: 1 wait to be matched to a card, 1 were refused for good.",
    );
  });

  test("is not matched to another unknown card", async () => {
    for (const card of [newId(), "nonsense"]) {
      expect(await match(reference, card)).toMatchObject({
        code: 1,
        err: expect.stringContaining("There is no such card"),
      });
    }
    expect(await findWaiting(reference)).toMatchObject({ reason: "card_not_found" });
  });

  test("is recorded where the operator matches it, and a repeat by the network gets that answer", async () => {
    expect(await match(reference)).toMatchObject({ code: 0, err: "" });
    expect(await listKept(reference)).toMatchObject([{ reason: "reference_reused" }]);
    expect(await readBalance()).toBe(750);
    const repeated = await report("captures", clearing);
    expect(repeated).toMatchObject({
      status: 200,
      json: {
        data: {
          amount: 250,
          posted_as: "without_authorization",
          merchant: { name: "Shoe shop" },
          narrative: "SHOES",
          actor: { type: "processor", name: "Test network" },
        },
      },
    });
    expect(await readBalance()).toBe(750);
    const [audited] = await readAudit(integrator, {
      targetId: cardId,
      action: "card.fact-matched",
    });
    expect(audited).toMatchObject({ after: { network_reference: reference } });
  });
});

test("a refund of an unknown transaction is matched to the purchase that the operator names", async () => {
  const reference = newId();
  const before = await readBalance();
  const clearing = { reference, card_id: cardId, transaction_id: newId(), amount: 40 };
  expect(await report("refunds", clearing)).toMatchObject({ json: { code: "fact_unmatched" } });
  expect(await findWaiting(reference)).toMatchObject({ reason: "transaction_not_found" });
  const path = `GET /cards/${cardId}/transactions?type=deduct&status=settled`;
  const { json } = await call(path, { key: integrator.apiKey });
  const bought = (json as { data: { id: string }[] }).data.at(-1)?.id ?? "";
  await match(reference, cardId, "--transaction", bought);
  expect(await report("refunds", clearing)).toMatchObject({
    status: 200,
    json: { data: { refund_of: bought, refund_exceeds: false } },
  });
  expect(await readBalance()).toBe(before + 40);
});

test("a purchase that names nothing but an unknown authorization is kept", async () => {
  const reference = newId();
  const clearing = { reference, authorization_reference: newId(), amount: 10 };
  expect(await report("captures", clearing)).toMatchObject({ json: { code: "fact_unmatched" } });
  expect(await findWaiting(reference)).toMatchObject({ reason: "authorization_not_found" });
  expect(await match(reference)).toMatchObject({ code: 0 });
});

test("a capture that meets damaged records is kept, and recorded by the next repeat after their repair", async () => {
  const scene = await newScene(key);
  const at = await authorize(scene, 10);
  const reference = newId();
  const body = { reference, amount: 10 };
  expect(await sendDamaged(scene, "createCapture", { at, body })).toMatchObject({
    status: 422,
    json: { code: "fact_unmatched", detail: expect.stringContaining("damaged") },
  });
  expect(await findWaiting(reference)).toMatchObject({ reason: "not_recorded" });
  expect(await report(`authorizations/${at}/captures`, body)).toMatchObject({ status: 200 });
  expect(await findWaiting(reference)).toBeUndefined();
});

test("a clearing message is matched once, whoever tries, and never beside a repeat that succeeds", async () => {
  const reference = newId();
  const clearing = { reference, card_id: newId(), amount: 5 };
  await report("captures", clearing);
  const before = await readBalance();
  const id = (await findWaiting(reference))?.id ?? "";
  const tried = await Promise.all(
    Array.from({ length: 4 }, () => floatdeck("unmatched", "match", id, "--card", cardId)),
  );
  expect(tried.filter(({ code }) => code === 0)).toHaveLength(1);
  expect(await readBalance()).toBe(before - 5);
});
