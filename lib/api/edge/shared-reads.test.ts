import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { readPoolLoads } from "#db/client.ts";

const READS = 3;

let integrator: TestIntegrator;
let cardId: string;
let owner: Sql;

beforeAll(async () => {
  owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  integrator = await newIntegrator(50_000);
  cardId = (await newCard(integrator)).id;
});

afterAll(() => owner.end());

/** How many connections the same request takes at once while the cards cannot be read. */
async function countConnections(path: string): Promise<number> {
  const ask = () => call(`GET ${path}`, { key: integrator.apiKey });
  // The first one looks up the key.
  await ask();
  const { asked, taken } = await owner.begin(async (tx) => {
    await tx`lock table cards in access exclusive mode`;
    const sent = Array.from({ length: READS }, ask);
    await sleep(200);
    return { asked: sent, taken: readPoolLoads().reads.inUse };
  });
  for (const reply of await Promise.all(asked)) {
    expect(reply.status).toBe(200);
  }
  return taken;
}

test.each([
  ["look-ups of an id", () => `/cards/${cardId}`],
  ["pages of a list", () => "/cards?limit=5"],
])("%s share a connection", async (_, path) => {
  // On a busy machine, requests may be too far apart to share it.
  await vi.waitFor(async () => expect(await countConnections(path())).toBe(1), 20_000);
});

test.each([
  ["a filtered list", "/cards?limit=5&status=active"],
  ["a search", "/cards?search=a"],
])("%s has a connection of its own", async (_, path) => {
  expect(await countConnections(path)).toBe(READS);
});
