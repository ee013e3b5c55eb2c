import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiReply } from "#test/scene/api-client.ts";
import { approvalIn, creditBy, decide, newTwoPeople } from "#test/scene/approvals.ts";
import type { TwoPeople } from "#test/scene/approvals.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newScopedKey, reading } from "#test/scene/fixtures.ts";
import { makeStale } from "#test/scene/staff.ts";
import type { TestStaff } from "#test/scene/staff.ts";
import { listKeysUnderRule, MOVING_SCOPES } from "#lib/approvals/keys-under-rule.ts";
import { isGrantable } from "#lib/base/actor.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import { openDatabase } from "#db/client.ts";
import type { Db } from "#db/client.ts";

let mine: TwoPeople;

beforeEach(async () => {
  mine = await newTwoPeople(1_000);
});

function credit(key: string, cardId: string): Promise<ApiReply> {
  return creditBy({ key }, cardId, 1_000);
}

function exempt({ headers }: TestStaff, id: string): Promise<ApiReply> {
  return call(`POST /api-keys/${id}/exempt`, { headers });
}

/** Until somebody waits for what this transaction has locked. */
async function untilBlocking(tx: Pick<Db, "execute">): Promise<void> {
  const rows = await tx.execute(
    sql`select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))`,
  );
  if (rows.length === 0) {
    await untilBlocking(tx);
  }
}

/** As the page of API keys shows it. */
function underRule() {
  return listKeysUnderRule(reading(mine));
}

describe("an API key newer than the rule", () => {
  test("moves funds alone once two people exempt it, and its successor does not", async () => {
    const card = await newCard(mine);
    const { id, key } = await newScopedKey(mine.id, ["funds:write"]);
    expect((await credit(key, card.id)).status).toBe(202);
    expect(await underRule()).toEqual(new Set([id]));
    const approval = approvalIn(await exempt(mine.ada, id));
    expect((await decide(mine.ada, approval.id)).status).toBe(403);
    expect((await credit(key, card.id)).status).toBe(202);
    expect((await decide(mine.noor, approval.id)).status).toBe(200);
    expect((await credit(key, card.id)).status).toBe(200);
    expect(await underRule()).toEqual(new Set());
    const again = await exempt(mine.noor, id);
    expect([again.status, again.text]).toEqual([200, expect.stringContaining('"exempted_at":"2')]);

    const rotated = await call(`POST /api-keys/${id}/rotate`, { ...mine.ada, body: {} });
    const { api_key: next, data } = rotated.json as { api_key: string; data: { id: string } };
    expect((await credit(next, card.id)).status).toBe(202);
    expect(await underRule()).toEqual(new Set([data.id]));
  });

  test("is exempted by nobody who may not manage keys or has not signed in lately, nor by a key", async () => {
    const { id, key } = await newScopedKey(mine.id, ["funds:write"]);
    expect(await exempt(mine.kim, id)).toMatchObject({ status: 403 });
    expect(await call(`POST /api-keys/${id}/exempt`, { key })).toMatchObject({ status: 403 });
    await makeStale(mine.ada);
    expect(await exempt(mine.ada, id)).toMatchObject({ json: { code: "fresh_sign_in_required" } });
    const theirs = await newTwoPeople(1_000);
    expect(await exempt(theirs.ada, id)).toMatchObject({ json: { code: "api_key_not_found" } });
  });

  test("is not exempted if it is revoked before somebody approves", async () => {
    const { id } = await newScopedKey(mine.id, ["funds:write"]);
    const approval = approvalIn(await exempt(mine.ada, id));
    await call(`DELETE /api-keys/${id}`, mine.ada);
    expect(await decide(mine.noor, approval.id)).toMatchObject({
      json: { code: "api_key_inactive" },
    });
  });

  test("is exempted while its end is announced, which locks the account and then the key", async () => {
    const { id } = await newScopedKey(mine.id, ["funds:write"]);
    const other = openDatabase(testDatabase().ownerUrl, { max: 1 });
    const exempting = await other.db.transaction(async (tx) => {
      await tx.execute(sql`select from integrators where id = ${mine.id} for no key update`);
      const asked = exempt(mine.ada, id);
      await untilBlocking(tx);
      // A deadlock would end by itself, and the request be repeated.
      await tx.execute(sql`select from api_keys where id = ${id} for update nowait`);
      return { asked };
    });
    await other.close();
    expect((await exempting.asked).status).toBe(202);
  });

  test("waits like every key under a rule for all keys, also if it is exempt", async () => {
    const { id, key } = await newScopedKey(mine.id, ["funds:write"]);
    await decide(mine.noor, approvalIn(await exempt(mine.ada, id)).id);
    const body = { approval: { threshold: 1_000, for_keys: true } };
    await call("PATCH /card-integrators/settings", { ...mine.ada, body });
    expect((await credit(key, (await newCard(mine)).id)).status).toBe(202);
    expect(await underRule()).toBeNull();
  });
});

test("every scope with which a key can move funds puts it under the rule", () => {
  const moving = OPERATIONS.filter(
    ({ approval, scope }) => approval === "amount" && scope && isGrantable(scope),
  )
    .map(({ scope }) => scope)
    // Whoever only reads cards can create jobs, of which each asks for more.
    .filter((scope) => scope !== "cards:read");
  expect(new Set(moving)).toEqual(new Set(MOVING_SCOPES));
});
