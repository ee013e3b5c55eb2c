import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { receiverOf, useWorkers, work } from "#test/outside/each-worker.ts";
import { deliveriesOf, notified, ofTenant, until } from "#test/outside/notifications.ts";
import { answer } from "#test/outside/receiver.ts";
import type { Receiver } from "#test/outside/receiver.ts";
import { call } from "#test/scene/api-client.ts";
import { newCard, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { sendTest } from "#lib/webhooks/endpoints.ts";
import { webhookDeliveries, webhookEndpoints } from "#db/schema/webhooks.ts";

useWorkers();

const SINCE = new Date(Date.now() - 3_600_000).toISOString();

async function missedOf({ apiKey }: TestIntegrator) {
  const { json } = await call(`GET /webhook-deliveries/missed?since=${SINCE}`, { key: apiKey });
  return (json as { data: { count: number; waiting: number; complete: boolean } }).data;
}

async function recover({ apiKey }: TestIntegrator) {
  const body = { since: SINCE };
  const { json } = await call("POST /webhook-deliveries/recover", { key: apiKey, body });
  return (json as { data: unknown }).data;
}

/** An integrator whose endpoint has failed at every event so far, each of which waits for an hour. */
async function inOutage(receiver: Receiver): Promise<TestIntegrator> {
  const integrator = await notified(receiver);
  await newCard(integrator);
  await until(integrator, ({ failures, lockedBy }) => failures > 0 && lockedBy === null);
  await testDatabase()
    .db.update(webhookDeliveries)
    .set({ failures: 3, dueAt: new Date(Date.now() + 3_600_000) })
    .where(ofTenant(integrator));
  return integrator;
}

function failedFor({ id }: TestIntegrator, seconds: number) {
  return testDatabase()
    .db.update(webhookEndpoints)
    .set({ failingSince: sql`clock_timestamp() - make_interval(secs => ${seconds})` })
    .where(eq(webhookEndpoints.id, id));
}

test("a recovery sends now what waits for its next attempt, once, with all retries ahead of it", async () => {
  const receiver = await receiverOf(answer(500));
  work();
  const integrator = await inOutage(receiver);
  const { length } = await deliveriesOf(integrator);
  expect(await missedOf(integrator)).toMatchObject({ count: 0, waiting: length, complete: true });
  receiver.behave(answer(204));
  expect(await recover(integrator)).toEqual({ recovered: length, complete: true });
  expect(await missedOf(integrator)).toMatchObject({ count: 0, waiting: 0 });
  expect(await recover(integrator)).toEqual({ recovered: 0, complete: true });
  const arrived = await until(integrator, ({ state }) => state === "delivered");
  expect(arrived.map(({ failures }) => failures)).toEqual(arrived.map(() => 0));
});

test("the first success after an outage brings what failed in it, but for what the endpoint refused", async () => {
  const receiver = await receiverOf(answer(500));
  work();
  const integrator = await inOutage(receiver);
  const [refused] = await deliveriesOf(integrator);
  await testDatabase()
    .db.update(webhookDeliveries)
    .set({ lastFailure: "rejected" })
    .where(eq(webhookDeliveries.eventId, refused?.eventId ?? ""));
  await failedFor(integrator, 61);
  receiver.behave(answer(204));
  await write(integrator, sendTest);
  const rows = await until(
    integrator,
    ({ state, eventId }) => (state === "delivered") === (eventId !== refused?.eventId),
  );
  expect(rows.find(({ eventId }) => eventId === refused?.eventId)).toMatchObject({ failures: 3 });
});

test("a success after failures of less than a minute leaves retries at their pace", async () => {
  const receiver = await receiverOf(answer(500));
  work();
  const integrator = await inOutage(receiver);
  await failedFor(integrator, 1);
  receiver.behave(answer(204));
  await write(integrator, sendTest);
  await receiver.waitFor(receiver.received.length + 1);
  const states = async () => (await deliveriesOf(integrator)).map(({ state }) => state);
  await expect.poll(states).toContain("delivered");
  expect((await states()).filter((state) => state === "delivered")).toHaveLength(1);
});
