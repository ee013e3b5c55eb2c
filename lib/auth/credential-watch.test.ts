import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator, newProcessorKey, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { listApiKeys, revokeApiKey } from "#lib/access/api-keys.ts";
import { startCredentialWatch } from "#lib/auth/credential-watch.ts";
import { log } from "#lib/base/log.ts";
import { updateSettings } from "#lib/integrators/integrators.ts";
import { revokeProcessorKey } from "#lib/operator/operator.ts";
import { LISTEN_NAME } from "#db/listener.ts";
import { inTransaction } from "#db/transaction.ts";

/** A server that another one's changes reach. The changes here are made behind its back, as another server makes them. */
let watch: ReturnType<typeof startCredentialWatch>;

// The clock stands still, so that no cached key expires by itself. Fake timers would advance while a test polls.
beforeAll(async () => {
  vi.spyOn(Date, "now").mockReturnValue(Date.now());
  watch = startCredentialWatch(testDatabase().directUrl);
  await listening();
});

afterAll(async () => {
  vi.restoreAllMocks();
  await watch.stop();
  expect(await findListeners()).toEqual([]);
});

let mine: TestIntegrator;

beforeEach(async () => {
  mine = await newIntegrator();
  expect(await ask()).toBe(200);
});

async function ask(): Promise<number> {
  return (await call("GET /card-integrators/me", { key: mine.apiKey })).status;
}

async function findListeners(): Promise<number[]> {
  const rows = await testDatabase().db.execute<{ pid: number }>(sql`
    select pid from pg_stat_activity
    where datname = current_database() and application_name = ${LISTEN_NAME} and query ilike 'listen%' and state = 'idle'`);
  return rows.map(({ pid }) => pid);
}

/** Resolves once the server listens. */
async function listening(): Promise<void> {
  await vi.waitUntil(async () => (await findListeners()).length === 1, 30_000);
}

async function revoke(): Promise<void> {
  await write(mine, async (ctx) => {
    const [key] = await listApiKeys({ db: ctx.tx, actor: ctx.actor });
    await revokeApiKey(ctx, key?.id ?? "");
  });
}

test("a key that another server revokes is refused at once", async () => {
  await revoke();
  await expect.poll(ask).toBe(401);
});

test("a key that a change rolled back has not revoked still works, from the cache", async () => {
  const undone = new Error("Rolled back on purpose.");
  const change = write(mine, async (ctx) => {
    const [key] = await listApiKeys({ db: ctx.tx, actor: ctx.actor });
    await revokeApiKey(ctx, key?.id ?? "");
    throw undone;
  });
  await expect(change).rejects.toBe(undone);
  expect(await ask()).toBe(200);
});

test("a setting that another server changes applies at once", async () => {
  await write(mine, (ctx) => updateSettings(ctx, { idempotencyRequired: true }));
  const credit = () =>
    call("PATCH /card-integrators/top-up-float", { key: mine.apiKey, body: { amount: 1 } });
  await expect
    .poll(async () => (await credit()).json)
    .toMatchObject({
      code: "idempotency_key_required",
    });
});

test("a key of the card network that a command revokes is refused at once", async () => {
  const key = await newProcessorKey();
  const use = async () => (await call("GET /card-integrators/me", { key })).status;
  expect(await use()).toBe(403);
  const [row] = await testDatabase().db.execute<{ id: string }>(
    sql`select id from api_keys where integrator_id is null order by id desc limit 1`,
  );
  await inTransaction(testDatabase().db, (tx) => revokeProcessorKey(tx, row?.id ?? ""));
  await expect.poll(use).toBe(401);
});

test("what was revoked while the connection was cut is refused once it is back, and so is the next one", async () => {
  const warn = vi.spyOn(log, "warn");
  const [pid] = await findListeners();
  await testDatabase().db.execute(sql`select pg_terminate_backend(${pid}::int)`);
  await revoke();
  await expect.poll(ask).toBe(401);
  expect(warn).toHaveBeenCalledTimes(1);
  await listening();
  mine = await newIntegrator();
  expect(await ask()).toBe(200);
  await revoke();
  await expect.poll(ask).toBe(401);
});
