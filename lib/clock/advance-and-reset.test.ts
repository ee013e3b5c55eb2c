import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { cardId, integrator, openCardAccount } from "#test/scene/card-account.ts";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { begin, beginHold, DAY_S } from "#test/database/clock.ts";
import { testDatabase } from "#test/database/database.ts";
import { write } from "#test/scene/fixtures.ts";
import { TIME } from "#test/scene/shapes.ts";
import { reverse } from "#test/scene/spending.ts";
import { completeMove, completeMoves } from "#lib/clock/clock-move.ts";
import { beginReset } from "#lib/clock/clock-reset.ts";

beforeEach(() => openCardAccount(10_000, 5_000));

function send(line: string, body?: object, key?: string): Promise<ApiReply> {
  return call(line, {
    key: integrator.apiKey,
    ...(body ? { body } : {}),
    headers: key ? { "Idempotency-Key": key } : {},
  });
}

const advance = (body: object, key?: string) => send("POST /sandbox/clock/advance", body, key);
const credit = () =>
  send("PATCH /cards/credit/balance", { card_id: cardId, amount: 5 }, "credit-later");
const buy = () =>
  send(`POST /cards/${cardId}/mock-transaction`, { type: "deduct", amount: 5 }, "buy-later");
const readClock = () => send("GET /sandbox/clock");

function shows(offset: number) {
  return {
    status: 200,
    json: { data: { now: TIME, offset_seconds: offset, advancing_to: null } },
  };
}

describe("the sandbox clock", () => {
  test("advances by seconds or to a time, and returns to real time", async () => {
    expect(await readClock()).toMatchObject(shows(0));
    expect(await advance({ by_seconds: 3 * DAY_S })).toMatchObject(shows(3 * DAY_S));
    expect(await readClock()).toMatchObject(shows(3 * DAY_S));
    const to = new Date(Date.now() + 10 * DAY_S * 1_000).toISOString();
    const reached = (await advance({ to })).json as { data: { now: string } };
    expect(reached.data.now >= to).toBe(true);
    expect(await send("POST /sandbox/clock/reset")).toMatchObject(shows(0));
    expect(await readClock()).toMatchObject(shows(0));
  });

  test("day 8 is there when the advance is answered", async () => {
    const held = await send(`POST /cards/${cardId}/mock-transaction`, {
      type: "authorize",
      amount: 700,
    });
    const { id } = (held.json as { data: { id: string } }).data;
    await advance({ by_seconds: 8 * DAY_S });
    expect(await send(`GET /transactions/${id}`)).toMatchObject({
      json: { data: { status: "expired", hold: { released: 700, remaining: 0 } } },
    });
    expect(await send(`GET /cards/${cardId}`)).toMatchObject({ json: { held: 0 } });
  });

  test("advances once under one key, however often it is repeated", async () => {
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => advance({ by_seconds: 60 }, "advance-once")),
    );
    replies.push(await advance({ by_seconds: 60 }, "advance-once"));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(replies[0]).toMatchObject(shows(60));
    expect(await readClock()).toMatchObject(shows(60));
  });

  test("a repeat completes an advance whose server did not", async () => {
    const first = await advance({ by_seconds: 60 }, "advance-again");
    await begin(integrator, { byS: DAY_S });
    const repeated = await advance({ by_seconds: 60 }, "advance-again");
    expect(repeated.text).toBe(first.text);
    expect(await readClock()).toMatchObject(shows(60 + DAY_S));
  });

  test("a reset that gives way to what was decided meanwhile is refused, and so is its repeat", async () => {
    await advance({ by_seconds: DAY_S });
    const held = await beginHold(integrator, cardId);
    const resetting = send("POST /sandbox/clock/reset", undefined, "reset-once");
    const isMoving = { json: { data: { offset_seconds: DAY_S, advancing_to: TIME } } };
    await expect.poll(readClock).toMatchObject(isMoving);
    await held.commit();
    const refused = await resetting;
    expect(refused).toMatchObject({ status: 409, json: { code: "clock_in_use" } });
    const repeated = await send("POST /sandbox/clock/reset", undefined, "reset-once");
    expect(repeated).toMatchObject({ status: 409, text: refused.text });
    expect(repeated.headers.get("idempotent-replayed")).toBe("true");
    expect(await readClock()).toMatchObject(shows(DAY_S));
  });

  test("of several resets at once, each is answered as one of them decided", async () => {
    await advance({ by_seconds: DAY_S });
    const held = await beginHold(integrator, cardId);
    const resets = Array.from({ length: 4 }, (_, index) =>
      send("POST /sandbox/clock/reset", undefined, `reset-${index}`),
    );
    await expect.poll(readClock).toMatchObject({ json: { data: { advancing_to: TIME } } });
    await held.commit();
    for (const reply of await Promise.all(resets)) {
      expect(reply).toMatchObject({ status: 409, json: { code: "clock_in_use" } });
    }
    expect(await readClock()).toMatchObject(shows(DAY_S));
  });

  test("a reset whose server ended is decided by another, and its repeat is answered accordingly", async () => {
    const reset = () => send("POST /sandbox/clock/reset", undefined, "reset-once");
    const { db } = testDatabase();
    const advanced = await advance({ by_seconds: DAY_S }, "advance-once");
    const held = await beginHold(integrator, cardId);
    await write(integrator, beginReset);
    const id = await held.commit();
    expect(await advance({ by_seconds: DAY_S }, "advance-once")).toMatchObject({
      status: 200,
      text: advanced.text,
    });
    expect(await readClock()).toMatchObject(shows(DAY_S));
    expect(await reset()).toMatchObject({ status: 409, json: { code: "clock_in_use" } });
    await reverse(integrator, id);
    await write(integrator, beginReset);
    await completeMoves(db);
    expect(await send("POST /sandbox/clock/reset")).toMatchObject(shows(0));
    expect(await reset()).toMatchObject({ status: 409 });
    const rows = await db.execute(sql`
      select actor->>'name' as name from audit_log
      where integrator_id = ${integrator.id} and action = 'sandbox.clock-reset'`);
    expect(rows).toEqual([{ name: "Automatic expiry" }]);
  });

  test("a change refused meanwhile is performed when it is repeated under the same key", async () => {
    await begin(integrator, { byS: DAY_S });
    for (const act of [credit, buy]) {
      const refused = await act();
      expect(refused).toMatchObject({ status: 409, json: { code: "clock_advancing" } });
      expect(refused.headers.get("retry-after")).toBe("1");
    }
    expect(await readClock()).toMatchObject({
      json: { data: { offset_seconds: 0, advancing_to: TIME } },
    });
    await completeMove(testDatabase().db, integrator.id);
    for (const act of [credit, buy]) {
      expect(await act()).toMatchObject({ status: 200 });
    }
  });

  test.each([
    [{}, "by_seconds"],
    [{ by_seconds: 1, to: "2100-01-01T00:00:00Z" }, "to"],
    [{ by_seconds: 0 }, "by_seconds"],
    [{ by_seconds: -5 }, "by_seconds"],
    [{ by_seconds: 1.5 }, "by_seconds"],
    [{ by_seconds: 34_560_001 }, "by_seconds"],
    [{ to: "2020-01-01T00:00:00Z" }, "to"],
    [{ to: "2100-01-01T00:00:00Z" }, "to"],
    [{ to: "tomorrow" }, "to"],
    [{ by_days: 1 }, "by_days"],
  ])("%j names %s, and the clock stays", async (body, member) => {
    expect(await advance(body)).toMatchObject({
      status: 422,
      json: { code: "validation_failed", errors: { [member]: [expect.any(String)] } },
    });
    expect(await readClock()).toMatchObject(shows(0));
  });
});
