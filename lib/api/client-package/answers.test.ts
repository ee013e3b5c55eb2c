import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { OK, problem, usePlannedServer } from "#test/scene/planned-server.ts";
import type { Planned } from "#test/scene/planned-server.ts";

const { newClient, plan, received, origin } = usePlannedServer();

const LINKED = {
  status: 200,
  body: [1],
  headers: { Link: '</api/cards?cursor=a%2Bb&limit=1>; rel="next"' },
} satisfies Planned;
const LAST = { status: 200, body: [2] } satisfies Planned;

interface Page {
  data: unknown[];
  next: object | undefined;
  response: { status: number };
  hasNextPage(): boolean;
  getNextPage(): Promise<Page | undefined>;
}

interface List extends Promise<unknown> {
  firstPage(): Promise<Page>;
  pages(): AsyncIterable<Page>;
}

const listCards = (...given: unknown[]) => newClient().listCards(...given) as unknown as List;

describe("a call", () => {
  test("is a promise, and tells its response as well", async () => {
    const requestId = { "X-Request-Id": "r1" };
    plan({ ...OK, status: 201, headers: requestId });
    const call = newClient().freeze("a", {}, { idempotencyKey: "mine" });
    expect(call).toBeInstanceOf(Promise);
    const { data, response } = await call.withResponse();
    expect(data).toEqual(OK.body);
    expect(response).toMatchObject({ status: 201, requestId: "r1", idempotencyKey: "mine" });
    expect(await call.finally(() => {})).toEqual(OK.body);
    expect(await Promise.all([call, call])).toEqual([OK.body, OK.body]);
    expect(received).toHaveLength(1);
  });

  test("that nobody awaits is sent all the same", async () => {
    plan();
    void newClient().freeze("a");
    await expect.poll(() => received.length).toBe(1);
  });

  test("is caught like any other promise", async () => {
    plan(problem("card_closed", 409), problem("card_closed", 409));
    const caught = newClient()
      .freeze("a")
      .catch((error: unknown) => error);
    expect(await caught).toMatchObject({ code: "card_closed" });
    await expect(newClient().freeze("a").withResponse()).rejects.toMatchObject({ status: 409 });
  });

  test("sends who calls and what the caller adds, which wins", async () => {
    plan();
    const headers = { "api-version": "0.2.0", "X-Team": "cards" };
    const client = newClient({ headers: { "X-Team": "none", "X-App": "back office" } });
    await client.freeze("a", {}, { headers });
    expect(received[0]?.headers).toMatchObject({
      authorization: "Bearer fd_test",
      "user-agent": expect.stringMatching(/^floatdeck\/0\.5\.0 Node\.js\/\d+$/u),
      "api-version": "0.2.0",
      "x-team": "cards",
      "x-app": "back office",
    });
  });

  test("has the time that it is given", async () => {
    plan(() => {});
    const call = newClient().freeze("a", {}, { timeoutMs: 20, maxRetries: 0 });
    await expect(call).rejects.toThrow("it took too long");
  });

  test("goes through one's own fetch", async () => {
    const sent: unknown[] = [];
    const own = (url: string, init: RequestInit) => {
      sent.push(url, init.method, init.body);
      return Promise.resolve(Response.json({ id: "own" }));
    };
    expect(await newClient({ fetch: own }).freeze("a", { reason: "lost" })).toEqual({ id: "own" });
    expect(sent).toEqual([`${origin()}/api/cards/a/freeze`, "PATCH", '{"reason":"lost"}']);
  });
});

describe("a list", () => {
  test("is read once, however often it is awaited and iterated", async () => {
    plan(LINKED, LAST);
    const list = newClient().listCards();
    expect(list).toBeInstanceOf(Promise);
    expect(await list).toEqual([1]);
    expect(await Promise.all([list, list])).toEqual([[1], [1]]);
    expect(await Array.fromAsync(list)).toEqual([1, 2]);
    expect(received).toHaveLength(2);
  });

  test("has pages, each of which leads to the next", async () => {
    plan(LINKED, LAST);
    const page = await listCards({ limit: 1 }).firstPage();
    expect(page).toMatchObject({ data: [1], response: { status: 200 } });
    expect(page.hasNextPage()).toBe(true);
    const last = await page.getNextPage();
    expect(last).toMatchObject({ data: [2], next: undefined });
    expect(last?.hasNextPage()).toBe(false);
    expect(await last?.getNextPage()).toBeUndefined();
    plan(LINKED, LAST);
    const pages = await Array.fromAsync(listCards({ limit: 1 }).pages());
    expect(pages.map(({ data }) => data)).toEqual([[1], [2]]);
  });

  test("goes on later from what a page says", async () => {
    plan(LINKED, LAST);
    const { next } = await listCards({ limit: 1 }).firstPage();
    expect(await listCards({ limit: 1, ...next })).toEqual([2]);
    expect(received[1]?.line).toBe("GET /api/cards?limit=1&cursor=a%2Bb");
  });
});

/** Answers with a file: whole, cut off, or hanging after its first part. */
const file =
  (parts: readonly string[], end: "whole" | "lost" | "hanging" = "whole"): Planned =>
  (response) => {
    response.writeHead(200, { "Content-Type": "text/csv" });
    for (const part of parts) {
      response.write(part);
    }
    if (end === "whole") {
      response.end();
    } else if (end === "lost") {
      setTimeout(() => response.destroy(), 50);
    }
  };

async function read(chunks: AsyncIterable<unknown>): Promise<string> {
  const bytes = await Array.fromAsync(chunks as AsyncIterable<Uint8Array>);
  return Buffer.concat(bytes).toString();
}

describe("a file", () => {
  test("is its text when it is awaited, and its bytes when it is iterated", async () => {
    plan(file(["id\r\n", "1\r\n"]), file(["id\r\n", "ü\r\n"]));
    expect(await newClient().exportCards()).toBe("id\r\n1\r\n");
    expect(await read(newClient().exportCards({ status: "active" }))).toBe("id\r\nü\r\n");
    expect(received.map(({ line }) => line)).toEqual([
      "GET /api/exports/cards",
      "GET /api/exports/cards?status=active",
    ]);
  });

  test("is asked for again until it begins, and not once it has", async () => {
    plan("lost", problem("overloaded", 503), file(["id\r\n"], "lost"));
    await expect(read(newClient().exportCards())).rejects.toMatchObject({
      name: "FloatdeckConnectionError",
    });
    expect(received).toHaveLength(3);
  });

  test("that is refused says why", async () => {
    plan(problem("scope_missing", 403));
    await expect(read(newClient().exportCards())).rejects.toMatchObject({ code: "scope_missing" });
  });

  test("that hangs is given up after the time for an answer", async () => {
    plan(file(["id\r\n"], "hanging"));
    const reading = read(newClient({ timeoutMs: 100 }).exportCards());
    await expect(reading).rejects.toThrow("it took too long");
  });

  test("waits for a caller who takes longer than that with a part", async () => {
    plan(file(["id\r\n"]));
    let parts = 0;
    for await (const part of newClient({ timeoutMs: 100 }).exportCards()) {
      parts += Number(part !== undefined);
      await sleep(300);
    }
    expect(parts).toBe(1);
  });

  test("is not read to its end when the caller stops", async () => {
    let isClosed = false;
    plan((response) => {
      response.on("close", () => (isClosed = true));
      response.writeHead(200, { "Content-Type": "text/csv" }).write("id\r\n");
    });
    for await (const part of newClient().exportCards()) {
      expect(part).toBeInstanceOf(Uint8Array);
      break;
    }
    await expect.poll(() => isClosed).toBe(true);
  });

  test("ends when its signal aborts", async () => {
    plan(file(["id\r\n"], "hanging"));
    const stop = new AbortController();
    const reading = read(newClient().exportCards({}, { signal: stop.signal }));
    await expect.poll(() => received.length).toBe(1);
    stop.abort();
    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
  });
});
