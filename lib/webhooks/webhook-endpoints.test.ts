import { describe, expect, test } from "vitest";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { call } from "#test/scene/api-client.ts";
import {
  add,
  ask,
  dataOf,
  first,
  freeze,
  mine,
  second,
  useTwoReceivers,
} from "#test/outside/two-endpoints.ts";

useTwoReceivers();

describe("endpoints", () => {
  test("are listed with the account's first, which is neither changed nor deleted here", async () => {
    const { id } = await add();
    expect(await dataOf("GET /webhook-endpoints")).toMatchObject([
      { id: mine.id, webhook_url: first.url, events: null, headers: {} },
      { id, webhook_url: second.url, events: ["card.frozen"] },
    ]);
    for (const line of [
      `PATCH /webhook-endpoints/${mine.id}`,
      `DELETE /webhook-endpoints/${mine.id}`,
    ]) {
      const reply = await ask(
        line,
        line.startsWith("PATCH") ? { events: ["card.frozen"] } : undefined,
      );
      expect(reply).toMatchObject({ status: 409, json: { code: "endpoint_is_first" } });
    }
  });

  test("leave the account as it is: it shows its own webhook_url, or none", async () => {
    await add();
    expect(await dataOf("GET /card-integrators/me")).toMatchObject({ webhook_url: first.url });
    const { apiKey: key } = await newIntegrator();
    const body = { webhook_url: second.url, events: ["card.frozen"] };
    expect(await call("POST /webhook-endpoints", { key, body })).toMatchObject({ status: 201 });
    expect(await call("GET /card-integrators/me", { key })).toMatchObject({
      json: { data: { webhook_url: null } },
    });
  });

  test("are five at most, also when ten are created at once, and a place is free again after one is deleted", async () => {
    const body = { webhook_url: "https://hooks.example.com/", events: ["card.frozen"] };
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => ask("POST /webhook-endpoints", body)),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(4);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(6);
    const [, gone] = await dataOf("GET /webhook-endpoints");
    await dataOf(`DELETE /webhook-endpoints/${gone.id}`);
    expect((await ask("POST /webhook-endpoints", body)).status).toBe(201);
  });

  test.each([
    "Host",
    "content-length",
    "Transfer-Encoding",
    "connection",
    "Webhook-Signature",
    "webhook-anything",
    "Content-Type",
    "traceparent",
    "Proxy-Authorization",
    "bad name",
    "",
  ])("cannot have the header %j", async (name) => {
    const made = { webhook_url: "https://hooks.example.com/", events: ["card.frozen"] };
    const created = await ask("POST /webhook-endpoints", { ...made, headers: { [name]: "x" } });
    expect(created.status).toBe(422);
    const { id } = await add();
    const changed = await ask(`PATCH /webhook-endpoints/${id}`, { headers: { [name]: "x" } });
    expect(changed.status).toBe(422);
    expect(Object.keys(Object(changed.json).errors)[0]).toMatch(/^headers/u);
  });

  test.each(["a\r\nHost: b", "ünicode", " ", "", "[redacted]", 7])(
    "cannot have a header with the value %j",
    async (value) => {
      const { id } = await add();
      const changed = await ask(`PATCH /webhook-endpoints/${id}`, { headers: { "X-Team": value } });
      expect(changed.status).toBe(422);
    },
  );

  test("of another integrator are unknown, wherever they are named", async () => {
    const { id } = await add();
    await freeze();
    const [delivery] = await dataOf(`GET /webhook-deliveries?endpoint_id=${id}`);
    const stranger = await newIntegrator();
    const askAsStranger = (line: string, body?: unknown) =>
      call(line, { key: stranger.apiKey, body });
    const since = new Date().toISOString();
    for (const [line, body] of [
      ["POST /webhooks/test", {}],
      ["POST /webhooks/enable", {}],
      ["POST /webhooks/rotate-secret", {}],
      ["POST /webhook-deliveries/recover", { since }],
    ] as const) {
      const reply = await askAsStranger(line, { ...body, endpoint_id: id });
      expect(reply).toMatchObject({ status: 404, json: { code: "endpoint_not_found" } });
    }
    expect((await askAsStranger(`GET /webhook-deliveries?endpoint_id=${id}`)).json).toMatchObject({
      data: [],
    });
    expect(
      (await askAsStranger(`GET /webhook-deliveries/missed?endpoint_id=${id}`)).json,
    ).toMatchObject({
      data: { count: 0 },
    });
    expect((await askAsStranger(`GET /webhook-deliveries/${delivery.id}`)).status).toBe(404);
  });

  test.each([
    { events: [] },
    { events: ["card.misspelt"] },
    { events: ["webhook.test"] },
    { webhook_url: null },
    { webhook_url: "http://10.0.0.1/" },
    { name: "x" },
    {},
  ])("cannot be changed by %j", async (body) => {
    const { id } = await add();
    const reply = await ask(`PATCH /webhook-endpoints/${id}`, body);
    expect(reply.status).toBe(422);
    expect(await dataOf(`GET /webhook-endpoints/${id}`)).toMatchObject({
      webhook_url: second.url,
      events: ["card.frozen"],
    });
  });
});
