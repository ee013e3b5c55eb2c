import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { receiverOf, useWorkers, work } from "#test/outside/each-worker.ts";
import { write } from "#test/scene/fixtures.ts";
import {
  HERE,
  attemptsOf,
  deliveriesOf,
  endpointOf,
  notified,
  ofTenant,
  until,
} from "#test/outside/notifications.ts";
import { hang } from "#test/outside/receiver.ts";
import { webhookDeliveries, webhookWorkers } from "#db/schema/webhooks.ts";
import { sendTest } from "#lib/webhooks/endpoints.ts";
import { newId } from "#lib/base/ids.ts";
import { updateAccount } from "#lib/integrators/integrators.ts";
import { claimDue } from "#lib/webhooks/internal/claim.ts";
import { beat, releaseDead } from "#lib/webhooks/internal/liveness.ts";
import type { Claim } from "#lib/webhooks/internal/claim.ts";
import { recordAttempts } from "#lib/webhooks/internal/record.ts";
import { startWorker } from "#lib/webhooks/worker.ts";
import { timeLimit } from "#db/time-limits.ts";

useWorkers();

/** Records failures for a worker whose claims are no longer its own. */
async function failLate(workerId: string, claims: readonly Claim[]): Promise<void> {
  await record(workerId, claims, { failures: claims.length, durationMs: 1 });
}

/** Records answers that all took this long, except the first few, which failed. */
async function record(
  workerId: string,
  claims: readonly Claim[],
  { failures, durationMs }: { failures: number; durationMs: number },
): Promise<void> {
  await recordAttempts(
    testDatabase().db,
    workerId,
    claims.map((claim, index) => ({
      claim,
      startedAt: claim.claimedAt,
      requestHeaders: {},
      result: {
        failure: index < failures ? "timed_out" : null,
        durationMs,
        detail: null,
        address: null,
        status: null,
        responseHeaders: null,
        responseBody: null,
        retryAfterS: null,
      },
    })),
  );
}

const claimAs = (workerId: string) =>
  claimDue(testDatabase().db, { workerId, room: 256, roomForFurther: 256, after: null });

/** Moves a worker's last heartbeat into the past. */
async function silence(workerId: string, seconds: number): Promise<void> {
  await testDatabase()
    .db.update(webhookWorkers)
    .set({ seenAt: sql`clock_timestamp() - make_interval(secs => ${seconds})` })
    .where(eq(webhookWorkers.id, workerId));
}

describe("workers", () => {
  test("attempt five at a time per endpoint, however many workers there are, and no other endpoint waits", async () => {
    const slow = await receiverOf(hang);
    const stuck = await notified(slow);
    for (let sent = 0; sent < 20; sent += 1) {
      await write(stuck, sendTest);
    }
    work(3);
    await slow.waitFor(5);
    const quick = await receiverOf();
    const other = await notified(quick);
    await quick.waitFor(2);
    // The five still hang, so it was not their end that let the others proceed.
    expect(await attemptsOf(stuck)).toEqual([]);
    await until(other, ({ state }) => state === "delivered");
    expect(slow.received).toHaveLength(5);
  });

  test("never attempt the same delivery twice at once", async () => {
    const receiver = await receiverOf();
    const integrator = await notified(receiver);
    for (let sent = 0; sent < 40; sent += 1) {
      await write(integrator, sendTest);
    }
    work(4);
    await until(integrator, ({ state }) => state === "delivered");
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(42);
    expect(ids).toHaveLength(42);
  });

  test("take over from a dead worker when its claim expires, and its late result changes nothing", async () => {
    const receiver = await receiverOf();
    const integrator = await notified(receiver);
    const { db } = testDatabase();
    const deadId = newId();
    const { claims } = await claimAs(deadId);
    const claimMs = timeLimit("webhookClaim");
    expect(claims.map(({ number }) => number)).toEqual([1, 1]);
    const leases = (await deliveriesOf(integrator)).map(
      ({ dueAt }) => dueAt.getTime() - Date.now(),
    );
    expect(Math.min(...leases)).toBeGreaterThan(claimMs - 5_000);
    expect(Math.max(...leases)).toBeLessThan(claimMs + 5_000);
    await db
      .update(webhookDeliveries)
      .set({ dueAt: sql`clock_timestamp()` })
      .where(ofTenant(integrator));
    work(1);
    await until(integrator, ({ state }) => state === "delivered");
    await failLate(deadId, claims);
    const rows = await deliveriesOf(integrator);
    expect(rows).toMatchObject([
      { state: "delivered", attempts: 2, failures: 0 },
      { state: "delivered", attempts: 2, failures: 0 },
    ]);
    expect(await attemptsOf(integrator)).toHaveLength(4);
    expect((await endpointOf(integrator)).failingSince).toBeNull();
  });

  test("take over from a worker without a heartbeat for too long, and leave a live one its claims", async () => {
    const receiver = await receiverOf();
    const integrator = await notified(receiver);
    const { db } = testDatabase();
    const [deadId, livingId] = [newId(), newId()];
    await beat(db, deadId);
    await beat(db, livingId);
    const [first] = (await deliveriesOf(integrator)).map(({ eventId }) => eventId);
    expect((await claimAs(deadId)).claims).toHaveLength(2);
    await db
      .update(webhookDeliveries)
      .set({ lockedBy: livingId })
      .where(and(ofTenant(integrator), eq(webhookDeliveries.eventId, first ?? "")));
    await silence(livingId, (timeLimit("workerSilence") * 2) / 3_000);
    await releaseDead(db);
    expect((await deliveriesOf(integrator)).map(({ lockedBy }) => lockedBy)).toEqual([
      livingId,
      deadId,
    ]);
    await silence(deadId, timeLimit("workerSilence") / 1_000 + 1);
    work(1);
    await receiver.waitFor(1);
    await until(
      integrator,
      ({ eventId, state }) => (state === "delivered") === (eventId !== first),
    );
    expect(receiver.received).toHaveLength(1);
    const workers = await db.select({ id: webhookWorkers.id }).from(webhookWorkers);
    expect(workers.map(({ id }) => id)).not.toContain(deadId);
  });

  test("raise the concurrency while answers arrive in time, halve it after a failure, and send one at a time while it keeps failing", async () => {
    const integrator = await notified(await receiverOf());
    for (let sent = 0; sent < 350; sent += 10) {
      await write(integrator, async (ctx) => {
        for (let inOne = 0; inOne < 10; inOne += 1) {
          await sendTest(ctx);
        }
      });
    }
    const workerId = newId();
    const round = async (failures = 0, durationMs = 300) => {
      const { claims } = await claimAs(workerId);
      await record(workerId, claims, { failures, durationMs });
      return claims.length;
    };
    const sizes: number[] = [];
    for (const failures of [0, 0, 0, 0, 0, 0, 1]) {
      sizes.push(await round(failures));
    }
    expect(sizes).toEqual([5, 10, 20, 40, 64, 64, 64]);
    // A slow answer does not raise the concurrency.
    expect([await round(0, 3_000), await round(32), await round(), await round()]).toEqual([
      32, 32, 1, 17,
    ]);
  });

  test("skip deliveries that are not due yet", async () => {
    const receiver = await receiverOf();
    const integrator = await notified(receiver);
    const [later, now] = await deliveriesOf(integrator);
    await testDatabase()
      .db.update(webhookDeliveries)
      .set({ dueAt: sql`clock_timestamp() + interval '1 minute'` })
      .where(and(ofTenant(integrator), eq(webhookDeliveries.eventId, later?.eventId ?? "")));
    const { claims } = await claimAs(newId());
    expect(claims.map(({ eventId }) => eventId)).toEqual([now?.eventId]);
  });

  test("distinguish two claims of their own, and have no effect after the address has changed", async () => {
    const receiver = await receiverOf();
    const integrator = await notified(receiver);
    const { db } = testDatabase();
    const workerId = newId();
    const { claims } = await claimAs(workerId);
    await db
      .update(webhookDeliveries)
      .set({ dueAt: sql`clock_timestamp()` })
      .where(ofTenant(integrator));
    const again = await claimAs(workerId);
    expect(again.claims.map(({ number }) => number)).toEqual([2, 2]);
    await failLate(workerId, claims);
    expect(await deliveriesOf(integrator)).toMatchObject([
      { lockedBy: workerId, failures: 0 },
      { lockedBy: workerId, failures: 0 },
    ]);
    await write(integrator, (ctx) => updateAccount(ctx, { webhookUrl: `${receiver.url}/new` }));
    await failLate(workerId, again.claims);
    for (const row of await deliveriesOf(integrator)) {
      expect(row).toMatchObject({ state: "pending", lockedBy: null, failures: 0 });
    }
    expect((await endpointOf(integrator)).failingSince).toBeNull();
    work(1);
    await until(integrator, ({ state }) => state === "delivered");
    expect(new Set(receiver.received.map(({ path }) => path))).toEqual(new Set(["/hook/new"]));
  });

  test("that stop let attempts in flight arrive, and claim nothing more", async () => {
    const late: (() => void)[] = [];
    const receiver = await receiverOf((response) => {
      late.push(() => void response.writeHead(200).end());
    });
    const integrator = await notified(receiver);
    const worker = startWorker(testDatabase().db, HERE);
    await receiver.waitFor(2);
    const stopped = worker.stop();
    await write(integrator, sendTest);
    await sleep(200);
    for (const finish of late) {
      finish();
    }
    await stopped;
    expect(await testDatabase().db.select().from(webhookWorkers)).toEqual([]);
    expect(
      (await deliveriesOf(integrator)).map(({ state, attempts }) => [state, attempts]),
    ).toEqual([
      ["delivered", 1],
      ["delivered", 1],
      ["pending", 0],
    ]);
  });
});
