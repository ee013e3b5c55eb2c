import { gunzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { createFetchApi } from "#test/scene/api-client.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";

const CARDS = 20;

let mine: TestIntegrator;
let api: ReturnType<typeof createFetchApi>;

beforeAll(async () => {
  mine = await newIntegrator();
  for (let made = 0; made < CARDS; made += 1) {
    await newCard(mine);
  }
  api = createFetchApi();
});

/** Reads as a client that decompresses nothing by itself. */
async function read(path: string, headers: Record<string, string>) {
  const response = await api(new Request(`http://127.0.0.1:3000/api${path}`, { headers }));
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, encoding: response.headers.get("content-encoding"), bytes };
}

const byKey = (encoding: string) => ({
  authorization: `Bearer ${mine.apiKey}`,
  "accept-encoding": encoding,
});

test("a long list is compressed for a program that accepts it, and says the same", async () => {
  const plain = await read("/cards?limit=100", byKey("identity"));
  const packed = await read("/cards?limit=100", byKey("gzip, deflate"));
  expect([plain.encoding, packed.encoding]).toEqual([null, "gzip"]);
  expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 5);
  expect(gunzipSync(packed.bytes)).toEqual(plain.bytes);
});

test("a short list, and a refusal, are sent as they are", async () => {
  expect(await read("/cards?limit=1", byKey("gzip"))).toMatchObject({ encoding: null });
  const refused = await read(`/cards?limit=${"9".repeat(5_000)}`, byKey("gzip"));
  expect(refused).toMatchObject({ status: 422, encoding: null });
});

test("nothing is compressed for a session, which other sites can have a browser send", async () => {
  const { headers } = await newStaff(mine.id, "owner");
  const reply = await read("/cards?limit=100", { ...headers, "accept-encoding": "gzip" });
  expect(reply).toMatchObject({ status: 200, encoding: null });
  expect(reply.bytes.length).toBeGreaterThan(4_096);
});
