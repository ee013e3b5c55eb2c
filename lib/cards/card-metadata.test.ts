import { and, eq } from "drizzle-orm";
import { readAudit, readRecorded } from "#test/scene/recorded-events.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { readDocument } from "#test/scene/document.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { newId } from "#lib/base/ids.ts";
import { changedKeys, patchMetadata } from "#lib/cards/card-metadata.ts";
import { events } from "#db/schema/events.ts";

let integrator: TestIntegrator;

beforeAll(async () => {
  integrator = await newIntegrator(1_000);
});

function ask(line: string, body?: unknown, key = integrator.apiKey): Promise<ApiReply> {
  return call(line, { key, body });
}

async function newLabeled(metadata: Record<string, string | null>): Promise<string> {
  const { id } = await newCard(integrator);
  expect(await label(id, metadata)).toMatchObject({ status: 200 });
  return id;
}

const label = (id: string, metadata: unknown) => ask(`PATCH /cards/${id}`, { metadata });

async function metadataOf(id: string): Promise<Record<string, string>> {
  const { json } = await ask(`GET /cards/${id}`);
  return (json as { metadata: Record<string, string> }).metadata;
}

/** As much metadata as a card can have, nearly. */
function full(letter: string): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`k${index}`, `${letter}"`.repeat(120)]),
  );
}

async function recordsOf(id: string) {
  const recorded = await readRecorded(
    and(eq(events.subjectId, id), eq(events.event, "card.updated")),
  );
  const entries = await readAudit(integrator, { targetId: id, action: "card.updated" });
  return { events: recorded, audit: entries.map(({ before, after }) => ({ before, after })) };
}

async function find(query: string, key = integrator.apiKey): Promise<string[]> {
  const reply = await ask(`GET /cards?${query}`, undefined, key);
  expect(reply.status).toBe(200);
  return (reply.json as { id: string }[]).map(({ id }) => id);
}

describe("changing metadata", () => {
  test("a value sets its key, null removes it, other keys stay; each change is recorded", async () => {
    const card = await newLabeled({ order: "4711", team: "ops", note: "" });
    const reply = await label(card, { order: "4712", note: null, owner: "Ada", absent: null });
    expect(reply).toMatchObject({
      status: 200,
      json: { id: card, status: "active", metadata: { order: "4712", team: "ops", owner: "Ada" } },
    });
    const metadata = { order: "4712", team: "ops", owner: "Ada" };
    expect(await metadataOf(card)).toEqual(metadata);
    const records = await recordsOf(card);
    expect(records.events[1]).toMatchObject({ data: { id: card, metadata }, sequence: 3 });
    expect(records.audit[1]).toEqual({
      before: { metadata: { order: "4711", note: "", owner: null } },
      after: { metadata: { order: "4712", note: null, owner: "Ada" } },
    });
  });

  test("a patch that changes nothing leaves no trace", async () => {
    const id = await newLabeled({ order: "4711" });
    const before = await ask(`GET /cards/${id}`);
    expect((await label(id, { order: "4711", absent: null })).text).toBe(before.text);
    expect((await label(id, {})).text).toBe(before.text);
    expect((await recordsOf(id)).audit).toHaveLength(1);
  });

  test("concurrent patches of different keys all arrive", async () => {
    const { id } = await newCard(integrator);
    const keys = Array.from({ length: 12 }, (_, index) => `key-${index}`);
    const replies = await Promise.all(keys.map((key) => label(id, { [key]: key })));
    expect(replies.map(({ status }) => status)).toEqual(keys.map(() => 200));
    expect(Object.keys(await metadataOf(id)).toSorted()).toEqual(keys.toSorted());
    expect((await recordsOf(id)).events.map(({ sequence }) => sequence)).toEqual(
      keys.map((_, index) => index + 2),
    );
  });

  test("what a card cannot have is refused with the limit, for the whole of its metadata", async () => {
    const id = await newLabeled(
      Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}`, "x"])),
    );
    const refused = [
      [{ more: "x" }, "metadata", /at most 20 keys/u],
      [{ "0": null, more: "x", another: "x" }, "metadata", /at most 20 keys/u],
      [{ "0": 1 }, "metadata.0", /string/u],
      [{ "0": "x".repeat(256) }, "metadata.0", /255/u],
      [{ ["k".repeat(41)]: null }, `metadata.${"k".repeat(41)}`, /1 to 40/u],
    ] as const;
    for (const [patch, member, sentence] of refused) {
      expect(await label(id, patch)).toMatchObject({
        status: 422,
        json: { errors: { [member]: [expect.stringMatching(sentence)] } },
      });
    }
    expect(await label(id, { "0": null, more: "x" })).toMatchObject({ status: 200 });
    const wide = Object.fromEntries(
      Array.from({ length: 19 }, (_, index) => [`${index + 1}`, "\u0001".repeat(255)]),
    );
    expect(await label(id, wide)).toMatchObject({
      status: 422,
      json: { errors: { metadata: [expect.stringMatching(/10000 bytes/u)] } },
    });
  });

  test("the largest metadata can replace the largest", async () => {
    const { id } = await newCard(integrator);
    expect(await label(id, full("a"))).toMatchObject({ status: 200 });
    expect(await label(id, full("b"))).toMatchObject({ status: 200 });
    expect((await recordsOf(id)).events).toHaveLength(2);
  });

  test("a closed card can be labeled, a freeze and a repeat keep the labels", async () => {
    const id = await newLabeled({ order: "4711" });
    await ask(`PATCH /cards/${id}/freeze`);
    const headers = { "Idempotency-Key": newId() };
    const send = (team: string) =>
      call(`PATCH /cards/${id}`, {
        key: integrator.apiKey,
        body: { metadata: { team } },
        headers,
      });
    const first = await send("ops");
    expect(first).toMatchObject({ status: 200, json: { status: "frozen" } });
    expect((await send("ops")).text).toBe(first.text);
    expect((await recordsOf(id)).audit).toHaveLength(2);
    await ask(`POST /cards/${id}/close`, {});
    expect(await label(id, { archived: "2026" })).toMatchObject({
      status: 200,
      json: { metadata: { order: "4711", team: "ops", archived: "2026" } },
    });
  });

  test.each(["constructor", "__proto__", "toString"])("%s is a key like any other", (key) => {
    const patch = JSON.parse(`{"${key}": "x"}`);
    expect(changedKeys({}, patch)).toEqual([key]);
    const patched = patchMetadata({}, patch);
    expect(Object.entries(patched)).toEqual([[key, "x"]]);
    expect(Object.entries(patchMetadata(patched, JSON.parse(`{"${key}": null}`)))).toEqual([]);
  });
});

describe("finding cards by metadata", () => {
  let both: string;
  let one: string;

  beforeAll(async () => {
    both = await newLabeled({ Order: "47=11", desk: "ops" });
    one = await newLabeled({ desk: "ops", order: "47=11" });
    await newLabeled({ desk: "Ops" });
  });

  test("an entry matches exactly, and several must all match", async () => {
    expect(await find("metadata[desk]=ops")).toEqual([one, both]);
    expect(await find("metadata%5Bdesk%5D=ops&metadata[Order]=47%3D11")).toEqual([both]);
    expect(await find("Metadata[order]=47=11&metadata[desk]=ops&order=oldest")).toEqual([one]);
    expect(await find("metadata[desk]=op")).toEqual([]);
    expect(await find("metadata[desk]=ops&status=closed")).toEqual([]);
  });

  test("the search box's form finds the same", async () => {
    expect(await find(`search=${encodeURIComponent("desk = ops")}`)).toEqual([one, both]);
    expect(await find(`search=${encodeURIComponent("order=47=11")}`)).toEqual([one]);
  });

  test("another integrator's cards are not found", async () => {
    const stranger = await newIntegrator();
    expect(await find("metadata[desk]=ops", stranger.apiKey)).toEqual([]);
  });

  test("the next page has the same filter", async () => {
    const reply = await ask("GET /cards?metadata[desk]=ops&limit=1");
    const next = /<(?<path>[^>]+)>; rel="next"/u.exec(reply.headers.get("link") ?? "")?.groups?.[
      "path"
    ];
    expect(decodeURIComponent(next ?? "")).toContain("metadata[desk]=ops");
    const page = await ask(`GET ${String(next).replace("/api", "")}`);
    expect((page.json as { id: string }[]).map(({ id }) => id)).toEqual([both]);
    expect(page.headers.get("link")).toBeNull();
  });

  test("the export has the same filter", async () => {
    const reply = await ask("GET /exports/cards?metadata[Order]=47%3D11");
    expect(reply.text.trim().split("\r\n")).toHaveLength(2);
    expect(reply.text).toContain(both);
  });

  test.each([
    ["metadata=x", "metadata"],
    ["metadata[a]=1&metadata[a]=2", "metadata[a]"],
    ["metadata[a]=1&metadata=2", "metadata"],
    ["metadata=1&metadata[a]=2", "metadata[a]"],
    ["metadata[]=1", "metadata"],
    [`metadata[${"k".repeat(41)}]=1`, `metadata.${"k".repeat(41)}`],
    ["limit[a]=1", "limit"],
    ["unknown[a]=1", "unknown"],
  ])("%s is refused by name", async (query, member) => {
    const reply = await ask(`GET /cards?${query}`);
    expect(reply.status).toBe(422);
    expect(Object.keys((reply.json as { errors: object }).errors)).toEqual([member]);
  });

  test("the OpenAPI document says how the filter is written", async () => {
    const document = await readDocument();
    expect(document.paths["/cards"]?.["get"]?.parameters).toContainEqual(
      expect.objectContaining({ name: "metadata", style: "deepObject", explode: true }),
    );
  });
});
