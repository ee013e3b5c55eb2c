import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { sendTest } from "#lib/webhooks/endpoints.ts";
import { webhookEndpoints } from "#db/schema/webhooks.ts";
import { testDatabase } from "#test/database/database.ts";
import { receiverOf, useWorkers, work } from "#test/outside/each-worker.ts";
import { endpointOf, notified, until } from "#test/outside/notifications.ts";
import { answer } from "#test/outside/receiver.ts";
import { newCard, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";
import { listTold } from "#test/scene/told.ts";

useWorkers();

/** Lets so many minutes pass since the first and the last failure. */
function wait({ id }: TestIntegrator, minutes: number) {
  const by = sql`make_interval(mins => ${minutes})`;
  return testDatabase()
    .db.update(webhookEndpoints)
    .set({
      failingSince: sql`${webhookEndpoints.failingSince} - ${by}`,
      lastFailureAt: sql`${webhookEndpoints.lastFailureAt} - ${by}`,
    })
    .where(eq(webhookEndpoints.id, id));
}

/** What the admins were told, and the operators, who get none of it. */
async function kinds({ id }: TestIntegrator): Promise<string[]> {
  const told = await listTold(id);
  return told.filter(({ role }) => role !== "owner").map(({ kind, role }) => `${kind} to ${role}`);
}

/** Sends one more event, which fails. */
async function failOnce(integrator: TestIntegrator): Promise<void> {
  const before = (await endpointOf(integrator)).lastFailureAt;
  await write(integrator, sendTest);
  await expect
    .poll(async () => (await endpointOf(integrator)).lastFailureAt?.getTime())
    .not.toBe(before?.getTime());
}

test("an endpoint that fails for an hour is told once, and again once it works", async () => {
  const receiver = await receiverOf(answer(500));
  work();
  const integrator = await notified(receiver);
  await newStaff(integrator.id, "admin");
  await newStaff(integrator.id, "operator");
  await newCard(integrator);
  await until(integrator, ({ failures, lockedBy }) => failures > 0 && lockedBy === null);
  await wait(integrator, 50);
  await failOnce(integrator);
  expect(await kinds(integrator)).toEqual([]);
  await wait(integrator, 11);
  await failOnce(integrator);
  await failOnce(integrator);
  const failing = "endpoint.failing to admin";
  expect(await kinds(integrator)).toEqual([failing]);
  receiver.behave(answer(204));
  await write(integrator, sendTest);
  await expect.poll(() => kinds(integrator)).toEqual([failing, "endpoint.back to admin"]);
  const { host } = new URL(receiver.url);
  const told = await listTold(integrator.id);
  expect(told.map(({ lines }) => lines[1]?.includes(host))).toEqual(told.map(() => true));
});

test("an endpoint that failed for less than an hour tells nobody when it works again", async () => {
  const receiver = await receiverOf(answer(500));
  work();
  const integrator = await notified(receiver);
  await newStaff(integrator.id, "admin");
  await newCard(integrator);
  await until(integrator, ({ failures, lockedBy }) => failures > 0 && lockedBy === null);
  await wait(integrator, 50);
  receiver.behave(answer(204));
  await write(integrator, sendTest);
  await expect.poll(async () => (await endpointOf(integrator)).failingSince).toBeNull();
  expect(await kinds(integrator)).toEqual([]);
});
