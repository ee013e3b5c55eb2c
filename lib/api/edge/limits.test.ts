import { expect, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { newIntegrator, newScopedKey } from "#test/scene/fixtures.ts";

const settings = vi.hoisted((): Record<string, string> => ({}));

vi.mock("#lib/base/env.ts", async (original) => {
  const { withSettings } = await import("#test/run/settings.ts");
  return withSettings(original, settings);
});

const LIMITED = { "Simulate-Limit": "1" };

async function ask(key: string, headers: Record<string, string> = {}) {
  const reply = await call("GET /cards", { key, headers });
  return { ...reply, policy: reply.headers.get("RateLimit-Policy") };
}

test("a request to the sandbox meets the limit that it asks for, and no other request does", async () => {
  const { apiKey: key } = await newIntegrator();
  for (const r of [1, 0]) {
    const { status, policy, headers } = await ask(key, LIMITED);
    expect({ status, policy }).toEqual({ status: 200, policy: '"default";q=2;w=2' });
    expect(headers.get("RateLimit")).toContain(`r=${r};`);
  }
  const refused = await ask(key, LIMITED);
  expect(refused).toMatchObject({ status: 429, json: { code: "rate_limited" } });
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(await ask(key)).toMatchObject({ status: 200, policy: null });
  expect(await ask(key, { "Simulate-Limit": "100" })).toMatchObject({ status: 200 });
  expect(await ask((await newIntegrator()).apiKey, LIMITED)).toMatchObject({ status: 200 });
});

test("a request that its key may not send counts as well", async () => {
  const { id } = await newIntegrator();
  const { key } = await newScopedKey(id, ["audit:read"]);
  const replies = [await ask(key, LIMITED), await ask(key, LIMITED), await ask(key, LIMITED)];
  expect(replies.map(({ status }) => status)).toEqual([403, 403, 429]);
});

test.each(["0", "101", "1.5", "-1", "two", ""])(
  "a simulated limit of %j is refused with what is allowed",
  async (value) => {
    const { apiKey: key } = await newIntegrator();
    expect(await ask(key, { "Simulate-Limit": value })).toMatchObject({
      status: 422,
      json: { errors: { "Simulate-Limit": [expect.stringContaining("1 to 100")] } },
    });
  },
);

test("the operator's limit holds, whatever a request simulates", async () => {
  settings["SANDBOX_RATE_LIMIT"] = "1";
  const { apiKey: key } = await newIntegrator();
  const high = { "Simulate-Limit": "100" };
  const replies = [await ask(key, high), await ask(key, high), await ask(key, high)];
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
  settings["SANDBOX_RATE_LIMIT"] = "";
});

test("the state of an endpoint names the addresses that the operator sends from", async () => {
  const { apiKey: key } = await newIntegrator();
  const read = async () => (await call("GET /webhooks", { key })).json;
  expect(await read()).toMatchObject({ data: { source_addresses: null } });
  settings["WEBHOOK_ADDRESSES"] = "203.0.113.7, 2001:db8::/48";
  expect(await read()).toMatchObject({
    data: { source_addresses: ["203.0.113.7", "2001:db8::/48"] },
  });
});
