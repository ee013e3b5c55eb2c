import { inspect } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { OK, passing, problem, usePlannedServer } from "#test/scene/planned-server.ts";
import {
  FloatdeckAbortError,
  FloatdeckApprovalError,
  FloatdeckAuthenticationError,
  FloatdeckConflictError,
  FloatdeckConnectionError,
  FloatdeckError,
  FloatdeckInvalidRequestError,
  FloatdeckNotFoundError,
  FloatdeckPermissionError,
  FloatdeckRateLimitError,
  FloatdeckServerError,
  FloatdeckTimeoutError,
} from "#lib/api/client-package/source/problems.ts";
import { signWebhook } from "#lib/api/client-package/source/sign-webhook.ts";
import { verifyWebhook } from "#lib/api/client-package/source/verify-webhook.ts";

const { newClient, plan, received, origin } = usePlannedServer();

const failureOf = (call: Promise<unknown>) => call.catch((error: unknown) => error);

describe("a refusal", () => {
  test.each([
    [401, "FloatdeckAuthenticationError", FloatdeckAuthenticationError],
    [403, "FloatdeckPermissionError", FloatdeckPermissionError],
    [404, "FloatdeckNotFoundError", FloatdeckNotFoundError],
    [409, "FloatdeckConflictError", FloatdeckConflictError],
    [412, "FloatdeckConflictError", FloatdeckConflictError],
    [410, "FloatdeckInvalidRequestError", FloatdeckInvalidRequestError],
    [422, "FloatdeckInvalidRequestError", FloatdeckInvalidRequestError],
    [429, "FloatdeckRateLimitError", FloatdeckRateLimitError],
    [503, "FloatdeckServerError", FloatdeckServerError],
  ])("with %i is a %s, and still a FloatdeckError", async (status, name, kind) => {
    plan(problem("some_code", status));
    const error = await failureOf(newClient({ maxRetries: 0 }).freeze("a"));
    expect(error).toBeInstanceOf(kind);
    expect(error).toBeInstanceOf(FloatdeckError);
    expect(error).toMatchObject({ name: "FloatdeckError", code: "some_code" });
    expect(inspect(error)).toContain(`${name} [FloatdeckError]: some_code: Why.\n`);
  });
});

describe("a change that another person must approve", () => {
  const approval = { id: "an approval", status: "waiting" };

  test("is no success, has its approval, and is not sent again", async () => {
    plan({ status: 202, body: { data: { approval } }, headers: { "X-Request-Id": "r" } });
    const call = newClient().freeze("a", {}, { idempotencyKey: "mine" });
    const error = await failureOf(call);
    expect(error).toBeInstanceOf(FloatdeckApprovalError);
    const code = "waiting_for_approval";
    expect(error).toMatchObject({ code, status: 202, requestId: "r", isFinal: true });
    expect(error).toMatchObject({ approval, idempotencyKey: "mine" });
    expect(received).toHaveLength(1);
  });

  test.each([
    ["accepted work", { status: 202, body: { data: { id: "a job" } } }],
    ["the rule itself", { status: 200, body: { data: { approval: { threshold: 1 } } } }],
  ])("is not mistaken for %s", async (_what, answer) => {
    plan(answer);
    expect(await newClient().freeze("a")).toEqual(answer.body);
  });
});

describe("a call without an answer", () => {
  test("that took too long has a class of its own", async () => {
    plan(() => {});
    const error = await failureOf(newClient({ timeoutMs: 20, maxRetries: 0 }).freeze("a"));
    expect(error).toBeInstanceOf(FloatdeckTimeoutError);
    expect(error).toBeInstanceOf(FloatdeckConnectionError);
  });

  test.each([
    ["before it was sent", 0],
    ["while it was sent", 1],
  ])("that its signal ended %s tells its key and the reason", async (_when, sent) => {
    plan(() => {});
    const stop = new AbortController();
    const reason = new Error("Enough.");
    if (sent === 0) {
      stop.abort(reason);
    }
    const call = newClient().freeze("a", {}, { signal: stop.signal, idempotencyKey: "mine" });
    const failure = failureOf(call);
    await expect.poll(() => received.length).toBe(sent);
    stop.abort(reason);
    expect(await failure).toBeInstanceOf(FloatdeckAbortError);
    expect(await failure).toMatchObject({ cause: reason, idempotencyKey: "mine" });
    expect(received).toHaveLength(sent);
  });

  test("whose signal has aborted already is not sent", async () => {
    const own = vi.fn<() => Promise<Response>>();
    const call = newClient({ fetch: own }).freeze("a", {}, { signal: AbortSignal.abort() });
    expect(await failureOf(call)).toBeInstanceOf(FloatdeckAbortError);
    expect(own).not.toHaveBeenCalled();
  });
});

describe("what cannot work is not tried again:", () => {
  test.each([301, 302, 307, 308])("a redirect with %i, which is not followed", async (status) => {
    plan({ status, headers: { Location: "https://elsewhere.example/api" } });
    const error = await failureOf(newClient().freeze("a", { reason: "lost" }));
    expect(error).toMatchObject({ message: expect.stringContaining("https://elsewhere.example") });
    expect(received).toHaveLength(1);
  });

  test("an answer that is not JSON, where another server answers", async () => {
    plan((response) => void response.writeHead(200, { "Content-Type": "text/html" }).end("<p>"));
    await expect(newClient().freeze("a")).rejects.toThrow(`${origin()} answered 200`);
    expect(received).toHaveLength(1);
  });

  test.each([
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "ERR_SSL_WRONG_VERSION_NUMBER",
  ])("a connection that ends with %s", async (code) => {
    let attempts = 0;
    const own = () => {
      attempts += 1;
      const cause = Object.assign(new Error("no TLS"), { code });
      throw new TypeError("fetch failed", { cause });
    };
    await expect(newClient({ fetch: own }).freeze("a")).rejects.toThrow("no TLS");
    expect(attempts).toBe(1);
  });

  test.each([
    "floatdeck.example",
    "ftp://floatdeck.example",
    "https://me:secret@floatdeck.example",
  ])("the address %s, which makes no client", (baseUrl) => {
    expect(() => newClient({ baseUrl })).toThrow(/^baseUrl must be/u);
  });
});

describe("a key is never printed:", () => {
  const KEY = "fd_live_0123456789abcdef";

  test.each(["\n", "\r\n", "\u0000", "–"])(
    "with %j in it, it is refused before any request",
    (end) => {
      plan();
      let error: unknown;
      try {
        newClient({ apiKey: KEY + end });
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toBeInstanceOf(TypeError);
      expect(inspect(error)).not.toContain(KEY);
      expect(received).toEqual([]);
    },
  );

  test("a header or an idempotency key that cannot be sent is not quoted either", async () => {
    plan();
    const calls = [
      newClient().freeze("a", {}, { headers: { "X-Secret": `${KEY}\n` } }),
      newClient().freeze("a", {}, { idempotencyKey: `${KEY}\n` }),
    ];
    for (const call of calls) {
      const error = await failureOf(call);
      expect(error).toBeInstanceOf(TypeError);
      expect(inspect(error)).not.toContain(KEY);
    }
    expect(received).toEqual([]);
  });

  test("not with the client, its errors, nor the attempts for the log", async () => {
    plan("lost", problem("card_closed", 409), "lost");
    const attempts: unknown[] = [];
    const { client, freeze } = newClient({
      apiKey: KEY,
      log: (each: unknown) => attempts.push(each),
    });
    const errors = [
      await failureOf(freeze("a")),
      await failureOf(freeze("a", {}, { maxRetries: 0 })),
    ];
    const call = freeze("a");
    await call;
    const printed = [client, client["cards"], call, errors, attempts].map(
      (each) => inspect(each, { depth: null, showHidden: true }) + JSON.stringify(each),
    );
    expect(printed.join("\n")).toContain("card_closed");
    expect(printed.join("\n")).not.toContain(KEY);
    expect(client.constructor.name).toBe("Floatdeck");
    expect(client["cards"]?.["freeze"]?.name).toBe("freeze");
  });
});

const fail = () => {
  throw new Error("The log is full.");
};

describe("the log", () => {
  test("is told of each attempt", async () => {
    plan("lost", passing("rate_limited", 429), OK);
    const attempts: unknown[] = [];
    const { freeze } = newClient({ log: (each: unknown) => attempts.push(each) });
    await freeze("a", {}, { idempotencyKey: "mine" });
    const shared = {
      operation: "cards.freeze",
      path: "/api/cards/a/freeze",
      idempotencyKey: "mine",
      durationMs: expect.any(Number),
    };
    expect(attempts).toMatchObject([
      { ...shared, attempt: 1, response: undefined, retryInMs: expect.any(Number) },
      { ...shared, attempt: 2, response: { status: 429 }, error: { code: "rate_limited" } },
      { ...shared, attempt: 3, response: { status: 200 }, error: undefined, retryInMs: undefined },
    ]);
  });

  test("changes nothing when it fails", async () => {
    plan();
    expect(await newClient({ log: fail }).freeze("a")).toEqual(OK.body);
    expect(received).toHaveLength(1);
  });
});

test("a test signs notifications as the server does", async () => {
  const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
  const body = '{"event":"card.frozen"}';
  const headers = await signWebhook(secret, body, { id: "e" });
  expect(headers["webhook-id"]).toBe("e");
  expect(await verifyWebhook(secret, headers, body)).toEqual(JSON.parse(body));
  const old = await signWebhook(secret, body, { at: new Date(Date.now() - 600_000) });
  await expect(verifyWebhook(secret, old, body)).rejects.toThrow("300 seconds off");
});
