import { beforeAll, describe, expect, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { withoutColumns } from "#test/database/broken-database.ts";
import { newCard, newIntegrator, newScopedKey } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { log } from "#lib/base/log.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const UUID = /^[0-9a-f-]{36}$/u;

let integrator: TestIntegrator;

beforeAll(async () => {
  integrator = await newIntegrator(1_000);
});

function ask(headers: Record<string, string>, key = integrator.apiKey) {
  return call("GET /card-integrators/float", { key, headers });
}

describe("the caller's X-Request-Id", () => {
  test.each(["order-4711", "~".repeat(64)])("%s is returned beside ours", async (id) => {
    const { status, headers } = await ask({ "X-Request-Id": id });
    expect(status).toBe(200);
    expect(headers.get("x-client-request-id")).toBe(id);
    expect(headers.get("x-request-id")).toMatch(UUID);
  });

  test.each(["", "two words", "é", "x".repeat(65)])(
    "%j is ignored, and the request is answered",
    async (id) => {
      const { status, headers } = await ask({ "X-Request-Id": id });
      expect(status).toBe(200);
      expect(headers.has("x-client-request-id")).toBe(false);
    },
  );

  test("does not become the request id of a problem or of an event", async () => {
    const card = await newCard(integrator);
    const own = { "X-Request-Id": "mine" };
    const refused = await call("GET /cards/1", { key: integrator.apiKey, headers: own });
    expect(refused.json).toMatchObject({ request_id: refused.headers.get("x-request-id") });
    const frozen = await call(`PATCH /cards/${card.id}/freeze`, {
      key: integrator.apiKey,
      headers: own,
    });
    const requestId = frozen.headers.get("x-request-id");
    await vi.waitFor(async () => {
      const { json } = await call(`GET /events?event=card.frozen&card_id=${card.id}`, {
        key: integrator.apiKey,
      });
      expect(json).toMatchObject({ data: [{ request_id: requestId }] });
    }, 20_000);
    expect(requestId).toMatch(UUID);
  });
});

async function newKey(): Promise<string> {
  return (await newScopedKey(integrator.id, ["account:read"])).key;
}

test("a crash is logged with the trace and the request id of the caller, beside ours", async () => {
  const logged = vi.spyOn(log, "error").mockImplementation(() => undefined);
  const headers = { "X-Request-Id": "order-4711", traceparent: TRACEPARENT };
  // Keys that no cache knows.
  const [one, another] = await Promise.all([newKey(), newKey()]);
  const malformed = { traceparent: `00-${"0".repeat(32)}-00f067aa0ba902b7-01` };
  await withoutColumns(async () => {
    const reply = await ask(headers, one);
    const requestId = reply.headers.get("x-request-id");
    expect(reply.status).toBe(500);
    const names = { requestId, clientRequestId: "order-4711", traceId: TRACE };
    expect(logged).toHaveBeenLastCalledWith(expect.objectContaining(names), expect.any(String));
    await ask(malformed, another);
    const unnamed = { clientRequestId: null, traceId: null };
    expect(logged).toHaveBeenLastCalledWith(expect.objectContaining(unnamed), expect.any(String));
  });
  logged.mockRestore();
});
