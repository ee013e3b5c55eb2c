import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { whileAway } from "#test/database/broken-database.ts";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator, newProcessorKey } from "#test/scene/fixtures.ts";
import { inTransaction } from "#db/transaction.ts";
import { createApiKey } from "#lib/access/api-keys.ts";
import { hashApiKey, newKey } from "#lib/access/key-text.ts";
import { authenticate } from "#lib/auth/authenticate.ts";
import { lookUpCounted } from "#lib/auth/internal/key-guesses.ts";
import { apiKeys } from "#db/schema/integrators.ts";

const BAD_KEYS_MAX = 20;

// Rate limits refill with time. The clock stands still here, so that a slow machine counts like a fast one.
beforeAll(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterAll(() => void vi.useRealTimers());

let network = 0;
/** Each test uses its own network, so that counts do not mix. */
let address = "";

beforeEach(() => {
  network += 1;
  address = `2001:db8:0:${network.toString(16)}::1`;
});

function ask(key: string, from = address): Promise<ApiReply> {
  return call("GET /card-integrators/me", { key, address: from });
}

/** A well-formed key with a valid checksum that belongs to no one: its creation is rolled back. */
async function newGuess(): Promise<string> {
  let made = "";
  const undone = new Error("Rolled back on purpose.");
  await inTransaction(testDatabase().db, async (tx) => {
    const { key } = await createApiKey(tx, {
      integratorId: null,
      environment: "sandbox",
      name: "Guess",
      scopes: ["processor"],
      expiresAt: null,
      createdBy: "test",
    });
    made = key;
    throw undone;
  }).catch((error: unknown) => {
    if (error !== undone) {
      throw error;
    }
  });
  return made;
}

const guesses = (length: number) => oneByOne(length, newGuess);

/** All at once, on a slow machine, the last of them would wait for a connection longer than a request may. */
async function oneByOne(length: number, create: () => Promise<string>): Promise<string[]> {
  const made: string[] = [];
  while (made.length < length) {
    made.push(await create());
  }
  return made;
}

describe("the scheme of a credential", () => {
  test.each([
    ["Basic", (key: string) => `Basic ${Buffer.from(`${key}:`).toString("base64")}`],
    ["Token", (key: string) => `Token ${key}`],
    ["none at all", (key: string) => key],
    ["Bearer without a key", () => "Bearer"],
  ])("%s: the 401 names the scheme to use, and not the key", async (_name, toHeader) => {
    const { apiKey } = await newIntegrator();
    const reply = await call("GET /cards", {
      headers: { Authorization: toHeader(apiKey) },
      address,
    });
    expect(reply).toMatchObject({
      status: 401,
      json: {
        code: "credential_invalid",
        detail: expect.stringContaining("Authorization: Bearer <API key>"),
      },
    });
    expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer/u);
    expect(reply.text).not.toContain(apiKey);
  });
});

/** Another host in the same network. */
function at(host: number): string {
  return `${address.replace(/1$/u, "")}${(host + 2).toString(16)}`;
}

describe("bad keys", () => {
  test("are counted before they are looked up: a hundred at once cost twenty lookups", async () => {
    const lookUp = vi.fn<() => Promise<undefined>>(() => Promise.resolve(undefined));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, () => lookUpCounted(address, lookUp)),
    );
    expect(lookUp).toHaveBeenCalledTimes(BAD_KEYS_MAX);
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(100 - BAD_KEYS_MAX);
  });

  test("many at once are answered as if sent one by one, and three seconds later one more is allowed", async () => {
    const replies = await Promise.all((await guesses(100)).map((key) => ask(key)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(BAD_KEYS_MAX);
    expect(statuses.filter((status) => status === 429)).toHaveLength(100 - BAD_KEYS_MAX);
    vi.advanceTimersByTime(3_000);
    const [later = ""] = await guesses(1);
    expect((await ask(later)).status).toBe(401);
    expect((await ask(later)).status).toBe(429);
  });

  test("are counted by network: the addresses of one /64 share a count, another network has its own", async () => {
    const keys = await guesses(BAD_KEYS_MAX);
    const replies = await Promise.all(keys.map((key, host) => ask(key, at(host))));
    expect(replies.map(({ status }) => status)).toEqual(keys.map(() => 401));
    const [guess = ""] = keys;
    expect((await ask(guess, at(99))).status).toBe(429);
    expect((await ask(guess, "2001:db8:ffff::1")).status).toBe(401);
  });

  test("of an IPv4 address and its IPv6-mapped form share one count", async () => {
    for (const key of await guesses(BAD_KEYS_MAX)) {
      expect((await ask(key, "10.9.0.1")).status).toBe(401);
    }
    const [guess = ""] = await guesses(1);
    expect((await ask(guess, "::ffff:10.9.0.1")).status).toBe(429);
  });
});

describe("good keys", () => {
  test("while the database is down, keys not seen before get its error, not a one-minute wait", async () => {
    const away = new Error("The database is down.");
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, () => lookUpCounted(address, () => Promise.reject(away))),
    );
    expect(outcomes).toEqual(outcomes.map(() => ({ status: "rejected", reason: away })));
    expect(await lookUpCounted(address, () => Promise.resolve("good"))).toBe("good");
  });

  test("any number at once from one address, none seen before, do not count as guesses", async () => {
    const keys = await oneByOne(60, newProcessorKey);
    const replies = await Promise.all(keys.map((key) => ask(key)));
    // The keys are known but lack the scope.
    expect(replies.map(({ status }) => status)).toEqual(keys.map(() => 403));
  });

  test("a key that has been verified works whatever else its address sends", async () => {
    const { apiKey } = await newIntegrator();
    expect((await ask(apiKey)).status).toBe(200);
    const replies = await Promise.all((await guesses(60)).map((key) => ask(key)));
    expect(replies.map(({ status }) => status)).toContain(429);
    expect((await ask(apiKey)).status).toBe(200);
  });
});

function elsewhere(cell: number): string {
  return newKey({ environment: "sandbox", cell });
}

describe("a key of another cell", () => {
  test("is refused without a look-up, any number of times, and the address may go on", async () => {
    const { apiKey } = await newIntegrator();
    const replies: ApiReply[] = [];
    await whileAway(async () => {
      replies.push(...(await Promise.all(Array.from({ length: 60 }, () => ask(elsewhere(2))))));
    });
    expect(replies.length).toBe(60);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 421));
    expect(replies[0]?.json).toMatchObject({
      code: "cell_elsewhere",
      detail: expect.stringContaining("belongs to cell 2, and this server to cell 1"),
    });
    expect((await ask(apiKey)).status).toBe(200);
  });

  test("is refused by the second cell, too, where keys of the first name none", async () => {
    const request = new Request("http://localhost", {
      headers: { Authorization: `Bearer ${elsewhere(1)}` },
    });
    const from = { environment: "sandbox" as const, cell: 2, address };
    await expect(authenticate(testDatabase().db, request, from)).rejects.toMatchObject({
      code: "cell_elsewhere",
      detail: expect.stringContaining("belongs to cell 1, and this server to cell 2"),
    });
  });

  test("counts as a guess if it is mistyped, or of the other environment", async () => {
    const key = elsewhere(2);
    const wrong = key.slice(0, -1) + (key.endsWith("a") ? "b" : "a");
    const live = newKey({ environment: "live", cell: 2 });
    expect((await ask(wrong)).json).toMatchObject({ detail: expect.stringContaining("mistyped") });
    expect((await ask(live)).json).toMatchObject({ detail: expect.stringContaining("live") });
    const replies = await Promise.all(Array.from({ length: BAD_KEYS_MAX }, () => ask(wrong)));
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(2);
  });
});

describe("a revoked key of which a server does not hear", () => {
  test("is refused five seconds later, also if reading it took part of that time", async () => {
    const { apiKey } = await newIntegrator();
    const { db } = testDatabase();
    const request = new Request("http://localhost", {
      headers: { Authorization: `Bearer ${apiKey}` },
    });
    const from = { environment: "sandbox" as const, cell: 1, address };
    const startedAt = Date.now();
    const clock = vi.spyOn(Date, "now").mockReturnValue(startedAt);
    const slow = new Proxy(db, {
      get: (target, name) => {
        clock.mockReturnValue(startedAt + 4_000);
        return Reflect.get(target, name);
      },
    });
    expect(await authenticate(slow, request, from)).toMatchObject({ actor: { kind: "member" } });
    await db
      .update(apiKeys)
      .set({ revokedAt: sql`clock_timestamp()` })
      .where(eq(apiKeys.hash, hashApiKey(apiKey)));
    clock.mockReturnValue(startedAt + 5_001);
    await expect(authenticate(db, request, from)).rejects.toThrow("unknown, expired, or revoked");
    clock.mockRestore();
  });
});
