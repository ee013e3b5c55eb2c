import { expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { freezeCard, newCard, newIntegrator, write } from "#test/scene/fixtures.ts";

test("a client that has a card already gets 304 without a body, until the card changes", async () => {
  const integrator = await newIntegrator();
  const { id } = await newCard(integrator);
  const get = (ifNoneMatch?: string) =>
    call(`GET /cards/${id}`, {
      key: integrator.apiKey,
      headers: ifNoneMatch === undefined ? {} : { "If-None-Match": ifNoneMatch },
    });
  const first = await get();
  const tag = first.headers.get("etag") ?? "";
  expect(tag).toMatch(/^"[\w-]+"$/u);
  for (const given of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
    const again = await get(given);
    expect(again).toMatchObject({ status: 304, text: "" });
    expect(again.headers.get("etag")).toBe(tag);
    expect(again.headers.get("content-type")).toBeNull();
  }
  expect(await get('"other"')).toMatchObject({ status: 200, text: first.text });
  await write(integrator, (ctx) => freezeCard(ctx, id, { reason: null, comment: null }));
  const changed = await get(tag);
  expect(changed).toMatchObject({ status: 200, json: { status: "frozen" } });
  expect(changed.headers.get("etag")).not.toBe(tag);
});

test("a card of another integrator is unknown, whatever tag is sent", async () => {
  const { id } = await newCard(await newIntegrator());
  const { apiKey: key } = await newIntegrator();
  const reply = await call(`GET /cards/${id}`, { key, headers: { "If-None-Match": "*" } });
  expect(reply).toMatchObject({ status: 404, json: { code: "card_not_found" } });
});

test("lists have no entity tag", async () => {
  const { apiKey: key } = await newIntegrator();
  const reply = await call("GET /cards", { key, headers: { "If-None-Match": "*" } });
  expect(reply.status).toBe(200);
  expect(reply.headers.get("etag")).toBeNull();
});
