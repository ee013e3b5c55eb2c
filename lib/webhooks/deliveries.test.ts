import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import {
  HERE,
  attemptsOf,
  deliveriesOf,
  notified,
  ofTenant,
  until,
} from "#test/outside/notifications.ts";
import { startReceiver } from "#test/outside/receiver.ts";
import { write } from "#test/scene/fixtures.ts";
import { auditLog } from "#db/schema/events.ts";
import { webhookDeliveries } from "#db/schema/webhooks.ts";
import { resendDelivery } from "#lib/webhooks/deliveries.ts";
import { sendTest } from "#lib/webhooks/endpoints.ts";
import { removeExpired } from "#lib/operator/retention.ts";
import { startWorker } from "#lib/webhooks/worker.ts";

test("delivered deliveries are kept for 30 days with their attempts; pending ones stay", async () => {
  const { db } = testDatabase();
  const receiver = await startReceiver();
  const integrator = await notified(receiver);
  const worker = startWorker(db, HERE);
  await until(integrator, ({ state }) => state === "delivered");
  await worker.stop();
  await receiver.stop();
  const waiting = await write(integrator, sendTest);
  const age = (days: number) =>
    db
      .update(webhookDeliveries)
      .set({ createdAt: sql`clock_timestamp() - make_interval(days => ${days})` })
      .where(ofTenant(integrator));
  await age(29);
  await removeExpired(db);
  expect(await deliveriesOf(integrator)).toHaveLength(3);
  await age(31);
  await removeExpired(db);
  expect((await deliveriesOf(integrator)).map(({ eventId }) => eventId)).toEqual([waiting]);
  expect(await attemptsOf(integrator)).toEqual([]);
});

test("a resend while an attempt is in flight changes and records nothing", async () => {
  const { db } = testDatabase();
  const receiver = await startReceiver();
  const integrator = await notified(receiver);
  await receiver.stop();
  const id = await write(integrator, sendTest);
  const claim = (lockedBy: string | null) =>
    db.update(webhookDeliveries).set({ lockedBy, failures: 2 }).where(ofTenant(integrator));
  const resend = async () => {
    await write(integrator, (ctx) => resendDelivery(ctx, id));
    const isResent = and(
      eq(auditLog.integratorId, integrator.id),
      eq(auditLog.action, "webhooks.resent"),
    );
    const row = (await deliveriesOf(integrator)).find(({ eventId }) => eventId === id);
    return { recorded: await db.$count(auditLog, isResent), failures: row?.failures };
  };
  await claim(integrator.id);
  expect(await resend()).toEqual({ recorded: 0, failures: 2 });
  await claim(null);
  expect(await resend()).toEqual({ recorded: 1, failures: 0 });
});
