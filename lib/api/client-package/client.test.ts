import { createServer } from "node:http";
import type { IncomingMessage, Server } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defineClient } from "#lib/api/client-package/source/client.ts";
import { verifyWebhook } from "#lib/api/client-package/source/verify-webhook.ts";
import { toSignatureHeaders } from "#lib/webhooks/internal/signature.ts";

interface Received {
  line: string;
  key: string | undefined;
  body: string;
}

/** What the server answers to a request; "lost" ends the connection without an answer. */
type Planned = "lost" | { status: number; body?: unknown; headers?: Record<string, string> };

const OK: Exclude<Planned, "lost"> = { status: 200, body: { id: "a card" } };

let server: Server;
let planned: Planned[] = [];
let received: Received[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const key = request.headers["idempotency-key"];
      received.push({ line: `${request.method} ${request.url}`, key: key?.toString(), body });
      const answer = planned.shift() ?? OK;
      if (answer === "lost") {
        return request.socket.destroy();
      }
      const headers = { "Content-Type": "application/json", ...answer.headers };
      return response.writeHead(answer.status, headers).end(JSON.stringify(answer.body ?? {}));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
});

afterAll(() => server.close());

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = await Array.fromAsync(request);
  return Buffer.concat(chunks).toString();
}

function newClient(options: object = {}) {
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const Client = defineClient({
    apiVersion: "0.5.0",
    baseUrl: `http://127.0.0.1:${port}`,
    operations: {
      "cards.freeze": "PATCH /cards/{id}/freeze body keyed",
      "cards.list": "GET /cards query cursor",
      "users.list": "GET /users query page",
      "events.list": "GET /events query after",
      "integrators.register": "POST /register body",
    },
  });
  const client = new Client({ apiKey: "fd_test", ...options });
  const perform =
    (noun: string, method: string) =>
    (...given: unknown[]) =>
      client[noun]?.[method]?.(...given) as Promise<unknown> & AsyncIterable<unknown>;
  return {
    freeze: perform("cards", "freeze"),
    listCards: perform("cards", "list"),
    listUsers: perform("users", "list"),
    listEvents: perform("events", "list"),
    register: perform("integrators", "register"),
  };
}

function plan(...answers: Planned[]): void {
  planned = answers;
  received = [];
}

const problem = (code: string, status: number) => ({
  status,
  body: { code, status, title: code, detail: "Why.", request_id: "r" },
});

/** A refusal that ends by itself, as the server says with `Retry-After`. */
const passing = (code: string, status = 409) => ({
  ...problem(code, status),
  headers: { "Retry-After": "0" },
});

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
    expect(first?.key).toMatch(/^[0-9a-f]{32}$/u);
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
    // The last request of the first client may arrive after it was given up.
    expect(received.filter(({ key }) => key !== "mine")).toHaveLength(2);
  });

  test("ends when its signal aborts, also while it waits to retry", async () => {
    plan({ ...problem("rate_limited", 429), headers: { "Retry-After": "60" } });
    const stop = new AbortController();
    const stopped = newClient().freeze("a", {}, { signal: stop.signal });
    await expect.poll(() => received.length).toBe(1);
    stop.abort(new Error("Enough."));
    await expect(stopped).rejects.toThrow("Enough.");
  });

  test("with an empty id is not sent: its path would be another operation's", () => {
    expect(() => newClient().freeze("")).toThrow("needs an id");
  });
});

const toPage = (page: number) => ({ status: 200, body: { data: [page], page, total_pages: 2 } });
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

  test("goes on by page, and the feed of events until it is empty", async () => {
    plan(toPage(1), toPage(2));
    expect(await rowsOf(newClient().listUsers())).toEqual([1, 2]);
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
});
