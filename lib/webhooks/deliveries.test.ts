import { sql } from "drizzle-orm";
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
import { webhookDeliveries } from "#db/schema/webhooks.ts";
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
