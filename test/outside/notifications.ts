import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { updateAccount } from "#lib/integrators/integrators.ts";
import { unseal } from "#lib/base/seal.ts";
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from "#db/schema/webhooks.ts";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import type { Receiver } from "./receiver.ts";

/** Allows notifications to receivers on this machine. */
export const HERE = { environment: "sandbox", loopback: true } as const;

/** An integrator with a webhook URL. Setting the URL itself already sends notifications. */
export async function notified(receiver: Receiver): Promise<TestIntegrator> {
  const integrator = await newIntegrator();
  await write(integrator, (ctx) => updateAccount(ctx, { webhookUrl: receiver.url }));
  return integrator;
}

export const ofTenant = ({ id }: TestIntegrator) => eq(webhookDeliveries.endpointId, id);

export function deliveriesOf(integrator: TestIntegrator) {
  return testDatabase()
    .db.select()
    .from(webhookDeliveries)
    .where(ofTenant(integrator))
    .orderBy(webhookDeliveries.eventId);
}

export function attemptsOf({ id }: TestIntegrator) {
  return testDatabase()
    .db.select()
    .from(webhookAttempts)
    .where(eq(webhookAttempts.endpointId, id))
    .orderBy(webhookAttempts.eventId, webhookAttempts.number);
}

export async function endpointOf({ id }: TestIntegrator) {
  const [row] = await testDatabase()
    .db.select()
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, id));
  if (!row) {
    throw new Error("There is no endpoint.");
  }
  return row;
}

export async function secretOf(integrator: TestIntegrator): Promise<string> {
  return unseal((await endpointOf(integrator)).secret, "signing secret", integrator.id);
}

/** Less than a test's timeout, so that a failed wait can report the actual state. */
const UNTIL_TRIES_MAX = 1_200;

/** Waits until every delivery of an integrator satisfies the condition. */
export async function until(
  integrator: TestIntegrator,
  satisfied: (row: typeof webhookDeliveries.$inferSelect) => boolean,
) {
  for (let tried = 0; tried < UNTIL_TRIES_MAX; tried += 1) {
    const rows = await deliveriesOf(integrator);
    if (rows.length > 0 && rows.every(satisfied)) {
      return rows;
    }
    await sleep(20);
  }
  throw new Error(`Not so: ${JSON.stringify(await deliveriesOf(integrator))}`);
}

/** The checksum for older receivers, computed from its published description only: sorted members, keyed with the integrator's id. */
export function toPublishedChecksum(integratorId: string, body: string): string {
  const { event, data } = JSON.parse(body);
  const sorted = (value: unknown): unknown =>
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(
          Object.keys(value)
            .toSorted()
            .map((name) => [name, sorted((value as Record<string, unknown>)[name])]),
        )
      : value;
  return createHmac("sha256", integratorId)
    .update(`${event}|${JSON.stringify(sorted(data))}`)
    .digest("hex")
    .toUpperCase();
}
