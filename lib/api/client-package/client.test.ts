import { describe, expect, test } from "vitest";
import { OK, passing, problem, usePlannedServer } from "#test/scene/planned-server.ts";
import type { Planned } from "#test/scene/planned-server.ts";
import { verifyWebhook } from "#lib/api/client-package/source/verify-webhook.ts";
import { toSignatureHeaders } from "#lib/webhooks/internal/signature.ts";

const { newClient, plan, received } = usePlannedServer();

describe("a change", () => {
  test.each<[string, Planned]>([
    ["a lost connection", "lost"],
    ["408", passing("request_timeout", 408)],
    ["429", passing("rate_limited", 429)],
    ["a request in progress", passing("idempotency_in_progress")],
    ["an advancing sandbox clock", passing("clock_advancing")],
    ["503", problem("database_unavailable", 503)],
    ["a proxy's 502", { status: 502 }],
  ])("is repeated with its key and body after %s", async (_what, failure) => {
    plan(failure, OK);
    expect(await newClient().freeze("a/b", { reason: "lost" })).toEqual(OK.body);
    const [first, second] = received;
    expect(first).toMatchObject({
      line: "PATCH /api/cards/a%2Fb/freeze",
      body: '{"reason":"lost"}',
    });
    expect(first?.key).toMatch(/^\d{1,10}(?:-\d{1,10}){3}$/u);
    expect(second).toEqual(first);
  });

  test("has a key of its own, or the given one", async () => {
    plan();
    const client = newClient();
    await client.freeze("a");
    await client.freeze("a");
    await client.freeze("a", undefined, { idempotencyKey: "mine" });
    const keys = received.map(({ key }) => key);
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe("mine");
  });

  test("is not repeated when it is refused, and the error says why", async () => {
    plan(problem("card_closed", 409));
    await expect(newClient().freeze("a")).rejects.toMatchObject({
      name: "FloatdeckError",
      code: "card_closed",
      status: 409,
      requestId: "r",
      isFinal: true,
    });
    expect(received).toHaveLength(1);
  });

  test.each<[string, Planned]>([
    ["Retry-After", passing("idempotency_in_progress")],
    ["a 5xx", problem("database_unavailable", 503)],
  ])(
    "says that an answer with %s is not final, once the retries are used up",
    async (_what, answer) => {
      plan(answer, answer);
      await expect(newClient({ maxRetries: 1 }).freeze("a")).rejects.toMatchObject({
        isFinal: false,
      });
      expect(received).toHaveLength(2);
    },
  );

  test("without a key is not repeated: it may have happened", async () => {
    plan("lost", OK);
    const failed = newClient().register({});
    await expect(failed).rejects.toMatchObject({ name: "FloatdeckConnectionError" });
    expect(received).toHaveLength(1);
    expect(received[0]?.key).toBeUndefined();
  });

  test("waits as long as Retry-After says", async () => {
    plan({ ...problem("rate_limited", 429), headers: { "Retry-After": "1" } }, OK);
    const startedAt = performance.now();
    await newClient().freeze("a");
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
  });

  test("is given up at the deadline and after the most retries, with the key to go on with", async () => {
    plan(...Array.from({ length: 20 }, (): Planned => "lost"));
    const late = newClient({ deadlineMs: 600 }).freeze("a", {}, { idempotencyKey: "mine" });
    await expect(late).rejects.toMatchObject({ idempotencyKey: "mine" });
    expect(received.length).toBeLessThan(5);
    plan("lost", "lost", "lost");
    await expect(newClient({ maxRetries: 1 }).freeze("a")).rejects.toThrow("No answer");
    expect(received).toHaveLength(2);
  });

  test("ends when its signal aborts, also while it waits to retry", async () => {
    plan({ ...problem("rate_limited", 429), headers: { "Retry-After": "60" } });
    const stop = new AbortController();
    const stopped = newClient().freeze("a", {}, { signal: stop.signal });
    await expect.poll(() => received.length).toBe(1);
    stop.abort(new Error("Enough."));
    await expect(stopped).rejects.toThrow("Enough.");
    const [{ key } = {}] = received;
    await expect(stopped).rejects.toMatchObject({ name: "AbortError", idempotencyKey: key });
  });

  test.each(["", ".", ".."])(
    "with the id %j is not sent: its path would be another operation's",
    (id) => {
      expect(() => newClient().freeze(id)).toThrow("needs an id");
    },
  );
});

const toFeed = (data: number[]) => ({ status: 200, body: { data, next_cursor: "9.a" } });

const rowsOf = (list: AsyncIterable<unknown>) => Array.fromAsync(list);
const lines = () => received.map(({ line }) => line);

describe("a list", () => {
  test("goes on by the Link header, with the same filters", async () => {
    const link = { Link: '</api/cards?status=active&cursor=c1>; rel="next"' };
    plan({ status: 200, body: [1, 2], headers: link }, { status: 200, body: [3] });
    const filter = { status: ["active", "frozen"], page: 1, metadata: { order: "7" } };
    expect(await rowsOf(newClient().listCards(filter))).toEqual([1, 2, 3]);
    expect(lines()).toEqual([
      "GET /api/cards?status=active%2Cfrozen&page=1&metadata%5Border%5D=7",
      "GET /api/cards?status=active%2Cfrozen&metadata%5Border%5D=7&cursor=c1",
    ]);
  });

  test("of events goes on until it is empty", async () => {
    plan(toFeed([1]), toFeed([]));
    expect(await rowsOf(newClient().listEvents({ after: "now" }))).toEqual([1]);
    expect(lines()).toEqual(["GET /api/events?after=now", "GET /api/events?after=9.a"]);
  });

  test("is its first page when it is awaited, and sends nothing before", async () => {
    plan({ status: 200, body: [1] });
    const list = newClient().listCards();
    expect(received).toEqual([]);
    expect(await list).toEqual([1]);
  });
});

describe("verifyWebhook", () => {
  const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
  const other = `whsec_${Buffer.alloc(32, 2).toString("base64")}`;
  const body = '{"event":"card.frozen","data":{"name":"Zoë"}}';
  const sign = (secrets: string[], at = new Date()) =>
    toSignatureHeaders({ id: "e", at, body, secrets });

  test("returns the event that the server signed, from headers of any kind and a body of any kind", async () => {
    const headers = sign([secret]);
    const expected = JSON.parse(body);
    expect(await verifyWebhook(secret, headers, body)).toEqual(expected);
    expect(await verifyWebhook(secret, new Headers(headers), Buffer.from(body))).toEqual(expected);
    const capitals = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]);
    expect(await verifyWebhook(secret, Object.fromEntries(capitals), body)).toEqual(expected);
  });

  test("accepts either signature during a rotation, and either secret of the receiver", async () => {
    const expected = JSON.parse(body);
    expect(await verifyWebhook(other, sign([secret, other]), body)).toEqual(expected);
    expect(await verifyWebhook([other, secret], sign([secret]), body)).toEqual(expected);
  });

  test.each([
    ["another secret", { secret: other }],
    ["another body", { raw: `${body} ` }],
    ["an old timestamp", { headers: sign([secret], new Date(Date.now() - 302_000)) }],
    ["a timestamp of the future", { headers: sign([secret], new Date(Date.now() + 330_000)) }],
    ["no headers", { headers: {} }],
    [
      "a signature that is not base64",
      { headers: { ...sign([secret]), "webhook-signature": "v1,%" } },
    ],
  ])("refuses %s", async (_what, changed) => {
    const given = { secret, headers: sign([secret]), raw: body, ...changed };
    const refused = verifyWebhook(given.secret, given.headers, given.raw);
    await expect(refused).rejects.toMatchObject({ name: "WebhookVerificationError" });
  });

  test("says so of a body that was parsed, also if it was written anew", async () => {
    const parsed: unknown = JSON.parse(body);
    // @ts-expect-error -- The types refuse it. JavaScript does not.
    await expect(verifyWebhook(secret, sign([secret]), parsed)).rejects.toThrow(
      /^The body was parsed\. Pass the raw body: .*\/docs\/client#raw-body$/u,
    );
    const written = JSON.stringify(parsed, null, 1);
    await expect(verifyWebhook(secret, sign([secret]), written)).rejects.toThrow("raw body");
  });
});
