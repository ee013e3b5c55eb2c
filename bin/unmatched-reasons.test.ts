import { describe, expect, test } from "vitest";
import {
  cardId,
  floatdeck,
  key,
  listKept,
  matchKept,
  readBalance,
  report,
  useUnmatchedMessages,
} from "#test/scene/unmatched-messages.ts";
import { authorize, newScene } from "#test/scene/scene.ts";
import { newId } from "#lib/base/ids.ts";

/** Every message of the card network that is not booked, why, and what a match makes of it. */

useUnmatchedMessages();

const match = (reference: string, card = cardId) => matchKept(reference, card);

/** @param wanted the answer, and what the operator then sees. */
async function sendTwice(path: string, body: object, wanted: { status: number; code: string }) {
  const reference = newId();
  for (let sent = 0; sent < 2; sent += 1) {
    const { status, json } = await report(path, { reference, ...body });
    expect([status, (json as { code: string }).code]).toEqual([wanted.status, wanted.code]);
  }
  return listKept(reference);
}

describe("every message that is not booked is kept once", () => {
  const UNMATCHED = { status: 422, code: "fact_unmatched" };
  const NOT_FOUND = { status: 404, code: "authorization_not_found" };

  test("a capture, a reversal, and an increment by an unknown id", async () => {
    const at = `authorizations/${newId()}`;
    const narrative = "CAF\u0000É";
    expect(await sendTwice(`${at}/captures`, { amount: 5, narrative }, UNMATCHED)).toMatchObject([
      { reason: "authorization_not_found", can_match: true, message: { amount: 5, narrative } },
    ]);
    for (const path of [`${at}/reversals`, `${at}/increments`]) {
      expect(await sendTwice(path, { amount: 5 }, NOT_FOUND)).toMatchObject([
        { reason: "authorization_not_found", can_match: false },
      ]);
    }
  });

  test("a capture without an amount of an authorization that holds nothing, with its refusal", async () => {
    const scene = await newScene(key);
    const id = await authorize(scene, 10);
    await report(`authorizations/${id}/reversals`, { reference: newId() });
    const refused = { status: 409, code: "authorization_reversed" };
    expect(await sendTwice(`authorizations/${id}/captures`, {}, refused)).toMatchObject([
      { reason: "refused", refusal: "authorization_reversed", can_match: false, booked: null },
    ]);
  });

  test("a capture of another card than its authorization's, with both", async () => {
    const scene = await newScene(key);
    const authorizationReference = newId();
    const id = await authorize(scene, 10, { reference: authorizationReference });
    const body = { authorization_reference: authorizationReference, card_id: cardId, amount: 3 };
    const [kept] = await sendTwice("captures", body, UNMATCHED);
    expect(kept).toMatchObject({
      reason: "card_conflict",
      card_id: cardId,
      authorization: { id, cardId: scene.card },
    });
    const before = await readBalance();
    const matched = await match(kept?.reference ?? "", scene.card);
    expect(matched).toMatchObject({ code: 0 });
    expect(matched.out).toContain(id);
    expect(await readBalance()).toBe(before);
    const [again] = await sendTwice("captures", body, UNMATCHED);
    await match(again?.reference ?? "");
    expect(await readBalance()).toBe(before - 3);
  });

  test("a reference taken with another content, beside what was booked", async () => {
    const scene = await newScene(key);
    const reference = newId();
    const id = await authorize(scene, 10, { reference });
    const body = { reference, amount: 10 };
    for (let sent = 0; sent < 2; sent += 1) {
      expect(await report(`authorizations/${id}/captures`, body)).toMatchObject({
        status: 409,
        json: { code: "reference_reused" },
      });
    }
    expect(await listKept(reference)).toMatchObject([
      {
        reason: "reference_reused",
        what: "capture",
        can_match: false,
        booked: { operation: "createAuthorization", transaction_id: id },
      },
    ]);
    const [kept] = await listKept(reference);
    expect(await match(reference)).toMatchObject({
      code: 1,
      err: expect.stringContaining("cannot be matched"),
    });
    await floatdeck("unmatched", "dismiss", kept?.id ?? "");
    expect(await listKept(reference)).toEqual([]);
  });
});

test("a capture by an unknown id is matched with everything that it said", async () => {
  const reference = newId();
  const at = `authorizations/${newId()}/captures`;
  const clearing = {
    reference,
    amount: 5,
    narrative: "LATE",
    merchant: { name: "Kiosk", mcc: 742 },
  };
  expect((await report(at, clearing)).headers.get("retry-after")).toBe("1");
  await match(reference);
  expect(await report(at, clearing)).toMatchObject({
    status: 200,
    json: {
      data: {
        posted_as: "without_authorization",
        narrative: "LATE",
        merchant: { name: "Kiosk" },
        as_received: { "merchant.mcc": "742" },
      },
    },
  });
});

test("a capture that waited for its authorization is matched to that authorization", async () => {
  const scene = await newScene(key);
  const [reference, authorizationReference] = [newId(), newId()];
  const clearing = {
    reference,
    authorization_reference: authorizationReference,
    amount: 4,
    final: true,
  };
  await report("captures", clearing);
  const id = await authorize(scene, 10, { reference: authorizationReference });
  await match(reference, scene.card);
  expect(await report("captures", clearing)).toMatchObject({
    json: { data: { id, posted_as: "authorized", hold: { remaining: 0 } } },
  });
});
