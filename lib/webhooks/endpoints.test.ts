import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { freezeCard, newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { secretOf } from "#test/outside/notifications.ts";
import { auditLog, events } from "#db/schema/events.ts";
import { webhookDeliveries } from "#db/schema/webhooks.ts";
import { inTransaction } from "#db/transaction.ts";
import { enableNotifications, getEndpoint, sendTest, switchOff } from "#lib/webhooks/endpoints.ts";
import { lockEndpoint } from "#lib/webhooks/internal/endpoint-row.ts";
import { revealSigningSecret, rotateSigningSecret } from "#lib/webhooks/endpoint-secret.ts";
import { updateAccount } from "#lib/integrators/integrators.ts";
import { onWake } from "#lib/base/wake.ts";

const URL = "https://hooks.example.com/in";

async function deliveriesOf({ id }: TestIntegrator) {
  return testDatabase()
    .db.select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.endpointId, id))
    .orderBy(webhookDeliveries.eventId);
}

const setUrl = (integrator: TestIntegrator, webhookUrl: string | null) =>
  write(integrator, (ctx) => updateAccount(ctx, { webhookUrl }));

function giveUp({ id }: TestIntegrator): Promise<void> {
  return inTransaction(testDatabase().db, async (tx) => {
    await lockEndpoint(tx, id);
    await switchOff(tx, id, "gone");
  });
}

/** Whether a session of this test's database waits for a lock. */
async function isAnyoneWaiting(): Promise<boolean> {
  const rows = await testDatabase().db.execute(
    sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
}

async function actionsOf({ id }: TestIntegrator): Promise<string[]> {
  const rows = await testDatabase()
    .db.select({ action: auditLog.action })
    .from(auditLog)
    .where(eq(auditLog.integratorId, id))
    .orderBy(auditLog.id);
  return rows.map(({ action }) => action);
}

describe("the outbox", () => {
  test("without an address events are recorded without deliveries", async () => {
    const integrator = await newIntegrator(100);
    await newCard(integrator, 10);
    expect(await deliveriesOf(integrator)).toEqual([]);
    const recorded = await testDatabase()
      .db.select()
      .from(events)
      .where(eq(events.integratorId, integrator.id));
    expect(recorded.length).toBeGreaterThan(2);
  });

  test("with an address each event's delivery is committed with it, and the commit wakes the worker", async () => {
    const integrator = await newIntegrator();
    const card = await newCard(integrator);
    await setUrl(integrator, URL);
    let woken = 0;
    const forget = onWake(() => {
      woken += 1;
    });
    try {
      await write(integrator, async (ctx) => {
        await freezeCard(ctx, card.id, { reason: null, comment: null });
        expect(woken).toBe(0);
      });
      expect(woken).toBe(1);
      const gone = write(integrator, async (ctx) => {
        await sendTest(ctx);
        throw new Error("changed my mind");
      });
      await expect(gone).rejects.toThrow("changed my mind");
      expect(woken).toBe(1);
    } finally {
      forget();
    }
    expect(await deliveriesOf(integrator)).toMatchObject([
      { event: "integrator.updated", state: "pending", cardId: null },
      { event: "webhook.test", state: "pending" },
      { event: "card.frozen", state: "pending", cardId: card.id, attempts: 0, lockedBy: null },
    ]);
  });
});

describe("a change of the address", () => {
  test("to none stops pending deliveries, and later events are recorded but not sent", async () => {
    const integrator = await newIntegrator();
    await setUrl(integrator, URL);
    await setUrl(integrator, null);
    await newCard(integrator);
    const rows = await deliveriesOf(integrator);
    expect(rows.map(({ event, state }) => [event, state])).toEqual([
      ["integrator.updated", "stopped"],
      ["webhook.test", "stopped"],
    ]);
    expect(await getEndpoint(reading(integrator))).toMatchObject({ state: "off" });
  });

  test("to another one releases deliveries in flight, restarts their retries, and keeps the secret", async () => {
    const integrator = await newIntegrator();
    await setUrl(integrator, URL);
    const { db } = testDatabase();
    const before = await secretOf(integrator);
    await db
      .update(webhookDeliveries)
      .set({
        dueAt: new Date(Date.now() + 3_600_000),
        lockedBy: integrator.id,
        failures: 4,
        attempts: 4,
      })
      .where(eq(webhookDeliveries.endpointId, integrator.id));
    await giveUp(integrator);
    await db
      .update(webhookDeliveries)
      .set({ state: "pending" })
      .where(eq(webhookDeliveries.endpointId, integrator.id));
    await setUrl(integrator, "https://other.example.com/");
    const rows = await deliveriesOf(integrator);
    expect(rows).toHaveLength(4);
    for (const row of rows) {
      expect(row).toMatchObject({ state: "pending", failures: 0, lockedBy: null });
      expect(row.dueAt.getTime()).toBeLessThanOrEqual(Date.now());
    }
    expect(await getEndpoint(reading(integrator))).toMatchObject({ state: "on" });
    expect(await secretOf(integrator)).toBe(before);
  });
});

describe("notifications that we switched off", () => {
  test("stop pending deliveries with an audit row, refuse a test, and resume when enabled", async () => {
    const integrator = await newIntegrator();
    await setUrl(integrator, URL);
    await giveUp(integrator);
    expect((await deliveriesOf(integrator)).map(({ state }) => state)).toEqual([
      "stopped",
      "stopped",
    ]);
    await expect(write(integrator, sendTest)).rejects.toMatchObject({
      code: "notifications_switched_off",
    });
    await newCard(integrator);
    expect(await deliveriesOf(integrator)).toHaveLength(2);
    expect(await getEndpoint(reading(integrator))).toMatchObject({
      state: "switched_off",
      switchedOffReason: "gone",
    });
    expect(await write(integrator, enableNotifications)).toMatchObject({ state: "on" });
    await write(integrator, sendTest);
    expect(await deliveriesOf(integrator)).toHaveLength(3);
    expect(await actionsOf(integrator)).toEqual(
      expect.arrayContaining(["webhooks.switched-off", "webhooks.enabled"]),
    );
  });

  test("while a test is being sent, are switched off after it, so that it has its delivery", async () => {
    const integrator = await newIntegrator();
    await setUrl(integrator, URL);
    const order: string[] = [];
    let switched = Promise.resolve();
    await write(integrator, async (ctx) => {
      await sendTest(ctx);
      switched = giveUp(integrator).then(() => void order.push("switched off"));
      await expect.poll(async () => order.length > 0 || (await isAnyoneWaiting())).toBe(true);
      order.push("sent");
    });
    await switched;
    expect(order).toEqual(["sent", "switched off"]);
    const states = (await deliveriesOf(integrator)).map(({ state }) => state);
    expect(states).toEqual(["stopped", "stopped", "stopped"]);
  });

  test("cannot be enabled or tested without an address", async () => {
    const integrator = await newIntegrator();
    for (const act of [enableNotifications, sendTest]) {
      await expect(write<unknown>(integrator, act)).rejects.toMatchObject({
        code: "webhook_url_missing",
      });
    }
  });
});

describe("the signing secret", () => {
  test("is revealed, and each access is audited", async () => {
    const integrator = await newIntegrator();
    const rotated = await write(integrator, rotateSigningSecret);
    expect(rotated).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/u);
    expect(await write(integrator, revealSigningSecret)).toBe(rotated);
    expect(await actionsOf(integrator)).toEqual(
      expect.arrayContaining(["webhooks.secret-rotated", "webhooks.secret-revealed"]),
    );
  });

  test("after a rotation is kept alongside the new one for a day", async () => {
    const integrator = await newIntegrator();
    await write(integrator, rotateSigningSecret);
    const { previousSecretUntil } = await getEndpoint(reading(integrator));
    const hours = ((previousSecretUntil?.getTime() ?? 0) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
  });

  test("is rotated five times within a day; a sixth is refused, and changes nothing", async () => {
    const integrator = await newIntegrator();
    for (let rotated = 0; rotated < 5; rotated += 1) {
      await write(integrator, rotateSigningSecret);
    }
    const before = await secretOf(integrator);
    await expect(write(integrator, rotateSigningSecret)).rejects.toMatchObject({
      code: "signing_secrets_exhausted",
    });
    expect(await secretOf(integrator)).toBe(before);
    await testDatabase().db.execute(sql`
      update webhook_previous_secrets set created_at = created_at - interval '24 hours'
      where endpoint_id = ${integrator.id} and id = (
        select id from webhook_previous_secrets where endpoint_id = ${integrator.id} order by id limit 1)`);
    expect(await write(integrator, rotateSigningSecret)).not.toBe(before);
  });

  test("is rotated at most five times by ten requests at once", async () => {
    const integrator = await newIntegrator();
    const rotated = await Promise.allSettled(
      Array.from({ length: 10 }, () => write(integrator, rotateSigningSecret)),
    );
    expect(rotated.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  });
});
