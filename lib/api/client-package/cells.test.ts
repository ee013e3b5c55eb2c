import { describe, expect, test } from "vitest";
import { OK, problem, usePlannedServer } from "#test/scene/planned-server.ts";

const { newClient, plan, received, origin } = usePlannedServer();

/** `fetch` itself sends a request once more that was answered 421, over another connection, as its standard says. */
const ELSEWHERE = [problem("cell_elsewhere", 421), problem("cell_elsewhere", 421)];
const KEY = "fd_live_c2_0123456789abcdef";

const failureOf = (call: Promise<unknown>) => call.catch((error: unknown) => error);

describe("a key of another cell", () => {
  test("goes to its cell, once told, with the same idempotency key, and later calls go there at once", async () => {
    plan(...ELSEWHERE, OK, OK);
    const tried: unknown[] = [];
    const log = (attempt: unknown) => tried.push(attempt);
    const cells = { c1: "https://unused.example", c2: `${origin()}/second/` };
    const { freeze } = newClient({ apiKey: KEY, cells, log, maxRetries: 0 });
    expect(await freeze("a")).toEqual(OK.body);
    await freeze("b");
    const [first, , second, third] = received;
    expect([first?.line, second?.line, third?.line]).toEqual([
      "PATCH /api/cards/a/freeze",
      "PATCH /second/api/cards/a/freeze",
      "PATCH /second/api/cards/b/freeze",
    ]);
    expect(second?.key).toBe(first?.key);
    expect(second?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(tried).toMatchObject([
      { attempt: 1, retryInMs: 0, error: { code: "cell_elsewhere" } },
      { attempt: 2, error: undefined },
      { attempt: 1, error: undefined },
    ]);
  });

  test("goes to the first cell, if it names none", async () => {
    plan(...ELSEWHERE, OK);
    const { freeze } = newClient({ cells: { c1: `${origin()}/first` } });
    await freeze("a");
    expect(received.map(({ line }) => line)).toEqual([
      "PATCH /api/cards/a/freeze",
      "PATCH /api/cards/a/freeze",
      "PATCH /first/api/cards/a/freeze",
    ]);
  });

  test("goes on once only, and each of several calls at the same time does", async () => {
    plan(...Array.from({ length: 5 }, () => ELSEWHERE).flat());
    const { freeze } = newClient({ apiKey: KEY, cells: { c2: `${origin()}/second` } });
    const errors = await Promise.all([failureOf(freeze("a")), failureOf(freeze("b"))]);
    expect(errors).toMatchObject([{ code: "cell_elsewhere" }, { code: "cell_elsewhere" }]);
    expect(received).toHaveLength(4 * ELSEWHERE.length);
  });

  test("is refused where its cell's address is not known, whatever the answer says", async () => {
    const headers = { Location: `${origin()}/elsewhere` };
    plan(...ELSEWHERE.map((each) => ({ ...each, headers })), OK);
    const cells = { c1: `${origin()}/first` };
    const error = await failureOf(newClient({ apiKey: KEY, cells }).freeze("a"));
    expect(error).toMatchObject({ code: "cell_elsewhere", status: 421, isFinal: true });
    expect(received).toHaveLength(ELSEWHERE.length);
  });

  test.each(["", "c2.example", "https://user@c2.example"])(
    "takes no address %j for its cell",
    (c2) => {
      expect(() => newClient({ apiKey: KEY, cells: { c2 } })).toThrow(
        "cells.c2 must be http(s), without a password.",
      );
    },
  );
});
