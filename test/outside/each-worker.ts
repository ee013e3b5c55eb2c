import { eq } from "drizzle-orm";
import { afterEach } from "vitest";
import { startWorker } from "#lib/webhooks/worker.ts";
import { webhookDeliveries, webhookWorkers } from "#db/schema/webhooks.ts";
import { testDatabase } from "#test/database/database.ts";
import { HERE } from "#test/outside/notifications.ts";
import { startReceiver } from "#test/outside/receiver.ts";
import type { Behavior, Receiver } from "#test/outside/receiver.ts";

const cleanUps: (() => Promise<void>)[] = [];

/** Stops the receivers and workers after each test, and discards pending deliveries and workers that a test made up. */
export function useWorkers(): void {
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0)) {
      await cleanUp();
    }
    const { db } = testDatabase();
    await db
      .update(webhookDeliveries)
      .set({ state: "stopped", lockedBy: null })
      .where(eq(webhookDeliveries.state, "pending"));
    await db.delete(webhookWorkers);
  });
}

export async function receiverOf(behavior?: Behavior): Promise<Receiver> {
  const receiver = await startReceiver(behavior);
  // Stop the receiver before the workers, so that hanging attempts end.
  cleanUps.unshift(receiver.stop);
  return receiver;
}

/** Starts workers until the test ends. */
export function work(count = 1): void {
  for (let started = 0; started < count; started += 1) {
    cleanUps.push(startWorker(testDatabase().db, HERE).stop);
  }
}
