import type { Delivery } from "#lib/webhooks/deliveries.ts";

/** The polling interval of a page while an attempt is near, and how near the attempt must be. */
const WATCHED_MS = 1_000;
const NEAR_MS = 30_000;

/** How a page that shows a delivery stays up to date. */
export function toLiveProps(delivery: Delivery): { everyMs?: number } {
  return isNear(delivery) ? { everyMs: WATCHED_MS } : {};
}

/** How a page that lists deliveries stays up to date. */
export function toListLiveProps(deliveries: readonly Delivery[]): { everyMs?: number } {
  return deliveries.some(isNear) ? { everyMs: WATCHED_MS } : {};
}

function isNear(delivery: Delivery): boolean {
  const { state, lockedBy } = delivery;
  return state === "pending" && (lockedBy !== null || isWithin(NEAR_MS, delivery));
}

/** Whether the next attempt is due within this time. */
export function isWithin(ms: number, { dueAt }: Delivery): boolean {
  return dueAt.getTime() - Date.now() <= ms;
}
