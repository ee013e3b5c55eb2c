import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import {
  approvalIn,
  asPerson,
  creditBy,
  decide,
  newTwoPeople,
  readBalances,
  reject,
} from "#test/scene/approvals.ts";
import type { TwoPeople } from "#test/scene/approvals.ts";
import { newCard, newScopedKey } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";
import { newId } from "#lib/base/ids.ts";

/** A decision finds everything as it is then, and performs what was asked or nothing. */

const THRESHOLD = 1_000;

let mine: TwoPeople;

beforeAll(async () => {
  mine = await newTwoPeople(THRESHOLD);
});

describe("decided as things are then", () => {
  test("an approver who is demoted meanwhile decides nothing", async () => {
    const of = await newTwoPeople(THRESHOLD);
    for (let round = 0; round < 4; round += 1) {
      const { id } = await newCard(of);
      const approval = approvalIn(await creditBy(asPerson(of.kim), id, THRESHOLD));
      const role = async (to: string) => {
        const change = { ...asPerson(of.ada), body: { role: to } };
        return call(`PATCH /staff/${of.noor.id}`, change);
      };
      const [demoted, decided] = await Promise.all([role("viewer"), decide(of.noor, approval.id)]);
      expect(demoted.status).toBe(200);
      expect([200, 401, 403]).toContain(decided.status);
      expect(await readBalances(of, id)).toMatchObject({
        card: decided.status === 200 ? THRESHOLD : 0,
      });
      expect([401, 403]).toContain((await decide(of.noor, approval.id)).status);
      of.noor = await newStaff(of.id, "owner");
    }
  });

  test("a refusal leaves it waiting: the float is empty, then it is not", async () => {
    const of = await newTwoPeople(THRESHOLD, { float: 5_000 });
    const { id } = await newCard(of);
    const approval = approvalIn(await creditBy(asPerson(of.kim), id, 4_000));
    expect((await creditBy({ key: of.apiKey }, (await newCard(of)).id, 5_000)).status).toBe(200);
    const key = { "idempotency-key": newId() };
    const refused = await call(`POST /approvals/${approval.id}/approve`, {
      headers: { ...of.noor.headers, ...key },
    });
    expect(refused).toMatchObject({ status: 422, json: { code: "insufficient_float" } });
    expect((await call(`GET /approvals/${approval.id}`, asPerson(of.noor))).json).toMatchObject({
      data: { status: "waiting" },
    });
    await call("PATCH /card-integrators/top-up-float", { key: of.apiKey, body: { amount: 4_000 } });
    expect((await decide(of.noor, approval.id)).status).toBe(200);
    expect(await readBalances(of, id)).toMatchObject({ card: 4_000, float: 0 });
  });

  test("a card that was closed meanwhile gets nothing", async () => {
    const { id } = await newCard(mine);
    const approval = approvalIn(await creditBy(asPerson(mine.kim), id, THRESHOLD));
    await call(`POST /cards/${id}/close`, { ...asPerson(mine.ada), body: {} });
    expect(await decide(mine.noor, approval.id)).toMatchObject({
      status: 409,
      json: { code: "card_closed" },
    });
  });

  test("more than was asked for does not move: a close of a card that got funds meanwhile", async () => {
    const { id } = await newCard(mine, 1_500);
    const approval = approvalIn(
      await call(`POST /cards/${id}/close`, { ...asPerson(mine.kim), body: {} }),
    );
    await creditBy({ key: mine.apiKey }, id, 1);
    expect(await decide(mine.noor, approval.id)).toMatchObject({
      status: 409,
      json: { code: "approval_outdated" },
    });
    expect(await readBalances(mine, id)).toMatchObject({ card: 1_501, status: "active" });
  });

  test("everything is the amount that it was when it was asked for", async () => {
    const { id } = await newCard(mine, 1_500);
    const body = { card_id: id, amount: "all" };
    const approval = approvalIn(
      await call("PATCH /cards/debit/balance", { ...asPerson(mine.kim), body }),
    );
    expect(approval).toMatchObject({ amount: 1_500, request: { amount: 1_500 } });
    await creditBy({ key: mine.apiKey }, id, 700);
    await decide(mine.noor, approval.id);
    expect(await readBalances(mine, id)).toMatchObject({ card: 700 });
  });

  test("a requester who was removed, or may no longer move funds, moves nothing", async () => {
    const of = await newTwoPeople(THRESHOLD);
    const { id } = await newCard(of);
    const approval = approvalIn(await creditBy(asPerson(of.kim), id, THRESHOLD));
    await call(`PATCH /staff/${of.kim.id}`, { ...asPerson(of.ada), body: { role: "viewer" } });
    const refused = { status: 409, json: { code: "requester_insufficient" } };
    expect(await decide(of.noor, approval.id)).toMatchObject(refused);
    await call(`DELETE /staff/${of.kim.id}`, asPerson(of.ada));
    expect(await decide(of.noor, approval.id)).toMatchObject(refused);
    expect(await readBalances(of, id)).toMatchObject({ card: 0 });
  });

  test("a key that was revoked moves nothing", async () => {
    const of = await newTwoPeople(THRESHOLD, { forKeys: true });
    const { id: keyId, key } = await newScopedKey(of.id, ["funds:write"]);
    const { id } = await newCard(of);
    const approval = approvalIn(await creditBy({ key }, id, THRESHOLD));
    await call(`DELETE /api-keys/${keyId}`, asPerson(of.noor));
    expect(await decide(of.noor, approval.id)).toMatchObject({
      json: { code: "requester_insufficient" },
    });
  });
});

describe("the idempotency key belongs to the approval", () => {
  test("repeats get the same bytes before and after, and the move is made once", async () => {
    const { id } = await newCard(mine);
    const key = newId();
    const by = { headers: { ...mine.kim.headers, "idempotency-key": key } };
    const replies = await Promise.all([
      creditBy(by, id, THRESHOLD),
      creditBy(by, id, THRESHOLD),
      creditBy(by, id, THRESHOLD),
    ]);
    const [first] = replies;
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    const approval = approvalIn(first);
    const state = async () => {
      const { json } = await call(`GET /idempotency-keys/${key}`, { key: mine.apiKey });
      return (json as { data: { state: string } }).data.state;
    };
    expect(await state()).toBe("waiting_for_approval");
    await decide(mine.noor, approval.id);
    expect(await state()).toBe("completed");
    const again = await creditBy(by, id, THRESHOLD);
    expect([again.status, again.text]).toEqual([202, first.text]);
    expect(await readBalances(mine, id)).toMatchObject({ card: THRESHOLD });
    expect(await creditBy(by, id, THRESHOLD + 1)).toMatchObject({
      json: { code: "idempotency_key_reused" },
    });
  });
});

describe("an end without a move", () => {
  test("its maker cancels it, and nobody else", async () => {
    const { id } = await newCard(mine);
    const approval = approvalIn(await creditBy(asPerson(mine.kim), id, THRESHOLD));
    expect(await decide(mine.ada, approval.id, "cancel")).toMatchObject({ status: 403 });
    expect(await decide(mine.kim, approval.id, "cancel")).toMatchObject({
      status: 200,
      json: { data: { status: "canceled" } },
    });
    expect((await decide(mine.noor, approval.id)).status).toBe(409);
    expect(await readBalances(mine, id)).toMatchObject({ card: 0 });
  });

  test("whoever rejects it says why", async () => {
    const { id } = await newCard(mine);
    const approval = approvalIn(await creditBy(asPerson(mine.kim), id, THRESHOLD));
    const comment = "Which order?";
    expect(await reject(mine.noor, approval.id, comment)).toMatchObject({
      status: 200,
      json: { data: { status: "rejected", comment, decided_by: { id: mine.noor.id } } },
    });
    expect((await decide(mine.ada, approval.id)).status).toBe(409);
  });
});
