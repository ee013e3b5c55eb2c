import { sql } from "drizzle-orm";
import postgres from "postgres";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { PASSWORD } from "#test/scene/people.ts";
import { makeStale, newPerson, newStaff } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { readCell } from "#lib/access/key-text.ts";
import { newId } from "#lib/base/ids.ts";

let mine: TestIntegrator;
let owner: TestStaff;

beforeAll(async () => {
  mine = await newIntegrator();
  owner = await newStaff(mine.id, "owner");
});

interface CreatedKey {
  data: {
    id: string;
    name: string;
    scopes: string[];
    created_by: string;
    created_at: string;
    expires_at: string | null;
  };
  api_key: string;
}

async function createKey(input: object = {}, by: TestStaff = owner): Promise<CreatedKey> {
  const reply = await requestKey(input, by);
  expect(reply.status).toBe(201);
  return reply.json as CreatedKey;
}

function requestKey(input: object = {}, by: TestStaff = owner): Promise<ApiReply> {
  const body = { name: "Billing", scopes: ["cards:read"], ...input };
  return call("POST /api-keys", { headers: by.headers, body });
}

/** Makes revocations commit slowly from now on, as on a busy disk. */
async function slowDownCommits(): Promise<void> {
  const owning = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  await owning.unsafe(`
    create function dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(0.1); return null; end $$;
    create constraint trigger dawdle after update of revoked_at on api_keys deferrable initially deferred
      for each row execute function dawdle();`);
  await owning.end();
}

/** Confirms the password of the signed-in person. */
function confirm(by: TestStaff, password: string): Promise<ApiReply> {
  return call("POST /staff/me/confirm", { headers: by.headers, body: { password } });
}

function revoke(id: string, by: TestStaff = owner): Promise<ApiReply> {
  return call(`DELETE /api-keys/${id}`, { headers: by.headers });
}

test("a key shows its environment, and a single wrong character is detected without a query", () => {
  const { apiKey } = mine;
  expect(apiKey).toMatch(/^fd_test_[0-9A-Za-z]{36}$/u);
  expect(readCell(apiKey, "sandbox")).toBe(1);
  expect(readCell(apiKey, "live")).toBeUndefined();
  const wrong = apiKey.slice(0, 12) + (apiKey[12] === "a" ? "b" : "a") + apiKey.slice(13);
  expect(readCell(wrong, "sandbox")).toBeUndefined();
});

describe("a key created by staff", () => {
  test("works at once with its scopes and no others, and shows who created it", async () => {
    const made = await createKey({ scopes: ["cards:read", "cards:read"] });
    expect(made.data).toMatchObject({ scopes: ["cards:read"], created_by: "Kim owner" });
    expect((await call("GET /cards", { key: made.api_key })).status).toBe(200);
    const beyond = await call("GET /card-integrators/me", { key: made.api_key });
    expect(beyond).toMatchObject({
      status: 403,
      json: { code: "scope_missing", detail: 'This needs the scope "account:read".' },
    });
    const staffOnly = await call("GET /api-keys", { key: made.api_key });
    expect(staffOnly).toMatchObject({
      status: 403,
      json: { detail: 'This needs the scope "keys:manage", which no API key can have.' },
    });
  });

  test("expires at the requested time", async () => {
    const { data, api_key: key } = await createKey({ expires_in_days: 1 });
    const left = Date.parse(data.expires_at ?? "") - Date.now();
    expect(Math.abs(left - 24 * 60 * 60_000)).toBeLessThan(60_000);
    await testDatabase().db.execute(sql`
      update api_keys set expires_at = clock_timestamp() where integrator_id = ${mine.id} and id = ${data.id}`);
    expect((await call("GET /cards", { key, address: "10.3.0.1" })).status).toBe(401);
  });

  test("is listed without its secret", async () => {
    const made = await createKey();
    const listed = await call("GET /api-keys", { headers: owner.headers });
    expect(listed.text).toContain(made.data.id);
    expect(listed.text).not.toContain(made.api_key);
    expect(listed.text).not.toContain("hash");
  });

  test.each(["processor", "keys:manage", "staff:manage", "audit:read"])(
    "is never granted %s",
    async (scope) => {
      const reply = await requestKey({ scopes: [scope] });
      expect(reply).toMatchObject({ status: 422, json: { code: "validation_failed" } });
    },
  );
});

describe("a revoked key", () => {
  test("is rejected from the moment its revocation is acknowledged, under any load and with slow commits", async () => {
    await slowDownCommits();
    const { data, api_key: key } = await createKey();
    let isAnswered = false;
    const responses: { late: boolean; status: number }[] = [];
    const busy = Array.from({ length: 4 }, async () => {
      while (!responses.some(({ late }) => late)) {
        const late = isAnswered;
        const { status } = await call("GET /cards", { key, address: "10.4.0.1" });
        responses.push({ late, status });
      }
    });
    expect((await revoke(data.id)).status).toBe(200);
    isAnswered = true;
    await Promise.all(busy);
    expect(responses.some(({ status }) => status === 200)).toBe(true);
    expect(responses.filter(({ late, status }) => late && status !== 401)).toEqual([]);
  });

  test("is unchanged when it is revoked again, and is audited once", async () => {
    const { data } = await createKey();
    const first = await revoke(data.id);
    expect((await revoke(data.id)).json).toEqual(first.json);
    const rows = await testDatabase().db.execute(sql`
      select before from audit_log
      where integrator_id = ${mine.id} and target_id = ${data.id} and action = 'api_key.revoked'`);
    expect(rows).toEqual([{ before: { name: "Billing" } }]);
  });

  test("of another integrator stays valid, and gets the same 404 as an unknown key", async () => {
    const stranger = await newIntegrator();
    const theirs = await createKey({}, await newStaff(stranger.id, "admin"));
    expect(await revoke(theirs.data.id)).toMatchObject({
      status: 404,
      json: { code: "api_key_not_found" },
    });
    expect((await revoke(newId())).status).toBe(404);
    expect((await call("GET /cards", { key: theirs.api_key })).status).toBe(200);
  });
});

function rotate(id: string, body: object): Promise<ApiReply> {
  return call(`POST /api-keys/${id}/rotate`, { headers: owner.headers, body });
}

async function rotated(id: string, overlap_days: number): Promise<CreatedKey> {
  const reply = await rotate(id, { overlap_days });
  expect(reply.status).toBe(201);
  return reply.json as CreatedKey;
}

async function tryOut(key: string): Promise<number> {
  return (await call("GET /cards", { key })).status;
}

async function readKey(id: string): Promise<CreatedKey["data"] | undefined> {
  const { json } = await call("GET /api-keys", { headers: owner.headers });
  return (json as { data: CreatedKey["data"][] }).data.find((each) => each.id === id);
}

/** The milliseconds of a time. */
function toMs(time: string | null | undefined): number {
  return Date.parse(time ?? "");
}

function toLifeMs(key: CreatedKey["data"]): number {
  return toMs(key.expires_at) - toMs(key.created_at);
}

describe("a rotated key", () => {
  test("works on for the days given, beside a new one of the same name and scopes", async () => {
    const { data, api_key: old } = await createKey({ scopes: ["cards:write", "cards:read"] });
    const next = await rotated(data.id, 7);
    const { name, scopes } = data;
    expect(next.data).toMatchObject({ name, scopes, expires_at: null });
    expect([await tryOut(old), await tryOut(next.api_key)]).toEqual([200, 200]);
    const end = toMs((await readKey(data.id))?.expires_at);
    expect(Math.abs(end - toMs(next.data.created_at) - 7 * 86_400_000)).toBeLessThan(1_000);
  });

  test("without days, is refused at once", async () => {
    const { data, api_key: old } = await createKey();
    const next = await rotated(data.id, 0);
    expect([await tryOut(old), await tryOut(next.api_key)]).toEqual([401, 200]);
    expect(await rotate(data.id, {})).toMatchObject({
      status: 409,
      json: { code: "api_key_inactive" },
    });
  });

  test("ends no later than it would have; the new one lives as long as it was made to live", async () => {
    const { data } = await createKey({ expires_in_days: 20 });
    const next = await rotated(data.id, 30);
    expect((await readKey(data.id))?.expires_at).toBe(data.expires_at);
    expect(Math.abs(toLifeMs(next.data) - toLifeMs(data))).toBeLessThan(1_000);
  });

  test("by two at once, has two successors, and each rotation is audited", async () => {
    const { data } = await createKey();
    const next = await Promise.all([rotated(data.id, 1), rotated(data.id, 1)]);
    const rows = await testDatabase().db.execute<{ next: string }>(sql`
      select after ->> 'replaced_by' as next from audit_log
      where integrator_id = ${mine.id} and target_id = ${data.id} and action = 'api_key.rotated'`);
    expect(rows.map((row) => row.next).toSorted()).toEqual(
      next.map((each) => each.data.id).toSorted(),
    );
  });

  test("of another integrator stays as it is", async () => {
    const stranger = await newIntegrator();
    const theirs = await createKey({}, await newStaff(stranger.id, "admin"));
    expect((await rotate(theirs.data.id, { overlap_days: 0 })).status).toBe(404);
    expect(await tryOut(theirs.api_key)).toBe(200);
  });
});

describe("a fresh sign-in", () => {
  test("is required to create a key; after five minutes the password renews it", async () => {
    const person = await newPerson(mine.id, "admin");
    await makeStale(person, "4 minutes 50 seconds");
    expect((await requestKey({}, person)).status).toBe(201);
    await makeStale(person, "5 minutes 1 second");
    expect(await requestKey({}, person)).toMatchObject({
      status: 403,
      json: { code: "fresh_sign_in_required" },
    });
    expect((await confirm(person, PASSWORD)).status).toBe(200);
    expect((await requestKey({}, person)).status).toBe(201);
  });

  test("is not granted for a wrong password, and repeated failures are throttled, even for the right one", async () => {
    const person = await newPerson(mine.id, "admin");
    await makeStale(person);
    for (let wrong = 0; wrong < 5; wrong += 1) {
      const reply = await confirm(person, "wrong horse battery");
      expect(reply).toMatchObject({
        status: 422,
        json: { errors: { password: [expect.any(String)] } },
      });
    }
    expect((await confirm(person, PASSWORD)).status).toBe(422);
    expect((await requestKey({}, person)).status).toBe(403);
    const [row] = await testDatabase().db.execute(sql`
      select count(*)::int as refused from audit_log
      where integrator_id = ${mine.id} and actor ->> 'id' = ${person.id} and action = 'confirmSelf.refused'`);
    expect(row).toEqual({ refused: 6 });
  });

  test("of one session does not extend to another session of the same person", async () => {
    const person = await newPerson(mine.id, "admin");
    const elsewhere = await person.signInAgain();
    await makeStale(person);
    expect((await confirm({ ...person, headers: elsewhere }, PASSWORD)).status).toBe(200);
    expect((await requestKey({}, person)).status).toBe(403);
  });
});
