import { beforeEach, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { newUser } from "#test/scene/cardholders.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { newId } from "#lib/base/ids.ts";

/** A change that takes `If-Match`, and the read that has the tag. */
interface Change {
  read: string;
  change: string;
  /** A body that changes something, whatever the number. */
  toBody: (turn: number) => object;
}

let mine: TestIntegrator;

beforeEach(async () => {
  mine = await newIntegrator(10_000);
});

const CHANGES: Readonly<Record<string, () => Promise<Change>>> = {
  settings: async () => ({
    read: "GET /card-integrators/me",
    change: "PATCH /card-integrators/settings",
    toBody: (turn) => ({ low_balance_threshold: turn + 1 }),
  }),
  account: async () => ({
    read: "GET /card-integrators/me",
    change: "PATCH /card-integrators/update",
    toBody: (turn) => ({ domain: `n${turn}.example` }),
  }),
  cardholder: async () => {
    const { id } = await newUser(mine);
    const at = `/card-integrators/card-users/${id}`;
    return {
      read: `GET ${at}`,
      change: `PATCH ${at}`,
      toBody: (turn) => ({ first_name: `Ama ${turn}` }),
    };
  },
  metadata: async () => {
    const { id } = await newCard(mine);
    return {
      read: `GET /cards/${id}`,
      change: `PATCH /cards/${id}`,
      // The database keeps shorter keys before longer ones.
      toBody: (turn) => ({ metadata: { longer: String(turn), id: "1" } }),
    };
  },
};

const CASES = Object.entries(CHANGES);

function send(line: string, ifMatch?: string, more: { body?: object; key?: string } = {}) {
  const headers = {
    ...(ifMatch === undefined ? {} : { "If-Match": ifMatch }),
    ...(more.key ? { "Idempotency-Key": more.key } : {}),
  };
  return call(line, { key: mine.apiKey, headers, ...(more.body ? { body: more.body } : {}) });
}

function tagOf({ headers }: ApiReply): string {
  return headers.get("etag") ?? "";
}

describe.each(CASES)("a change of %s", (_name, toChange) => {
  test("succeeds with the ETag of the current state, and answers with the next one", async () => {
    const { read, change, toBody } = await toChange();
    const seen = tagOf(await send(read));
    const first = await send(change, seen, { body: toBody(1) });
    expect([first.status, tagOf(first)]).toEqual([200, tagOf(await send(read))]);
    expect(tagOf(first)).not.toBe(seen);
    const second = await send(change, `"other", ${tagOf(first)}`, { body: toBody(2) });
    expect([second.status, tagOf(second)]).toEqual([200, tagOf(await send(read))]);
    expect(await send(change, "*", { body: toBody(3) })).toMatchObject({ status: 200 });
    expect(await send(change, undefined, { body: toBody(4) })).toMatchObject({ status: 200 });
  });

  test("changes nothing with the ETag of an earlier state, or a weak one", async () => {
    const { read, change, toBody } = await toChange();
    const earlier = tagOf(await send(read));
    await send(change, undefined, { body: toBody(1) });
    const current = await send(read);
    for (const [ifMatch, detail] of [
      [earlier, "has changed since you read it"],
      [`W/${tagOf(current)}`, "weak ETags"],
    ] as const) {
      const refused = await send(change, ifMatch, { body: toBody(2) });
      expect(refused).toMatchObject({ status: 412, json: { code: "precondition_failed" } });
      expect(refused.json).toMatchObject({ detail: expect.stringContaining(detail) });
    }
    expect((await send(read)).text).toBe(current.text);
  });

  test("is made once when many send the same ETag at once", async () => {
    const { read, change, toBody } = await toChange();
    const seen = tagOf(await send(read));
    const replies = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((turn) => send(change, seen, { body: toBody(turn) })),
    );
    const counts = [200, 412].map((each) => replies.filter(({ status }) => status === each).length);
    expect(counts).toEqual([1, 5]);
  });

  test("gets its answer again, although the state has changed by it", async () => {
    const { read, change, toBody } = await toChange();
    const seen = tagOf(await send(read));
    const request = { body: toBody(1), key: newId() };
    const first = await send(change, seen, request);
    await send(change, undefined, { body: toBody(2) });
    const again = await send(change, seen, request);
    expect(again).toMatchObject({ status: 200, text: first.text });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(tagOf(again)).toBe(tagOf(first));
  });

  test("that was refused is made by a repeat with the same key and the new ETag", async () => {
    const { read, change, toBody } = await toChange();
    const request = { body: toBody(1), key: newId() };
    expect(await send(change, '"other"', request)).toMatchObject({ status: 412 });
    const repeated = await send(change, tagOf(await send(read)), request);
    expect(repeated).toMatchObject({ status: 200 });
    expect(repeated.headers.get("idempotent-replayed")).toBeNull();
  });

  test.each(["", "abc", '"abc', '"a" "b"', "*, *", 'w/"a"'])(
    "is refused with the header %j, which says how to write it",
    async (ifMatch) => {
      const { change, toBody } = await toChange();
      const refused = await send(change, ifMatch, { body: toBody(1) });
      expect(refused).toMatchObject({ status: 400, json: { code: "request_malformed" } });
      expect(refused.json).toMatchObject({ detail: expect.stringContaining("with their quotes") });
    },
  );
});

test("a purchase changes the ETag of its card, so metadata read before it is not changed", async () => {
  const { id } = await newCard(mine);
  const seen = tagOf(await send(`GET /cards/${id}`));
  await send("PATCH /cards/credit/balance", undefined, { body: { card_id: id, amount: 500 } });
  const body = { metadata: { order_id: "1" } };
  expect(await send(`PATCH /cards/${id}`, seen, { body })).toMatchObject({ status: 412 });
});

test("freezes, unfreezes, and money take no notice of If-Match", async () => {
  const { id } = await newCard(mine);
  const old = '"other"';
  const body = { card_id: id, amount: 500 };
  for (const [line, sent] of [
    [`PATCH /cards/${id}/freeze`, {}],
    [`PATCH /cards/${id}/unfreeze`, {}],
    ["PATCH /cards/credit/balance", body],
    ["PATCH /cards/debit/balance", body],
  ] as const) {
    expect([line, (await send(line, old, { body: sent })).status]).toEqual([line, 200]);
  }
});
