import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { startCollector } from "#test/outside/collector.ts";
import type { CollectedSpan, Collector } from "#test/outside/collector.ts";
import { testDatabase } from "#test/database/database.ts";
import { move, newCard } from "#test/scene/fixtures.ts";
import { HERE, notified, until } from "#test/outside/notifications.ts";
import { startReceiver } from "#test/outside/receiver.ts";
import type { Receiver } from "#test/outside/receiver.ts";
import { countWaiting } from "#lib/api/commit/procedures.ts";
import { readEnv } from "#lib/base/env.ts";
import { startWorker } from "#lib/webhooks/worker.ts";
import { startTraces } from "./traces.ts";
import type { RunningTraces } from "./traces.ts";

/** A caller's span, and the header that names it. */
export const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
export const PARENT = "00f067aa0ba902b7";
export const TRACEPARENT = `00-${TRACE}-${PARENT}-01`;

/** A real collector and a real receiver of webhooks for each test of the file that imports this. */
export let collector: Collector;
export let receiver: Receiver;
let traces: RunningTraces | undefined;
const customers: string[] = [];

beforeEach(async () => {
  collector = await startCollector();
  receiver = await startReceiver();
});

afterEach(async () => {
  await stopTraces();
  vi.unstubAllEnvs();
  await collector.stop();
  await receiver.stop();
  // What is still to be sent would be a part of the next test's traces.
  await testDatabase().db.execute(sql`
    update webhook_deliveries set state = 'stopped', locked_by = null
    where endpoint_id in (
      select id from webhook_endpoints where integrator_id = any(${sql.param(customers)}::uuid[])
    ) and state = 'pending'`);
});

/** Traces this process as a server would that has these variables. */
export async function trace(variables: Readonly<Record<string, string>> = {}): Promise<void> {
  const all = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: "50",
    ...variables,
  };
  for (const [name, value] of Object.entries(all)) {
    vi.stubEnv(name, value);
  }
  traces = await startTraces("server", readEnv(process.env));
}

/** Exports what has ended, as a server does when it stops. */
export async function stopTraces(): Promise<void> {
  await traces?.stop();
  traces = undefined;
}

/** Someone with a funded float and a card, whose changes are sent to the receiver. */
export async function newCustomer() {
  const integrator = await notified(receiver);
  customers.push(integrator.id);
  await move(integrator, { kind: "top-up", amount: 1_000_000 });
  const card = await newCard(integrator);
  return { integrator, card, key: integrator.apiKey };
}

type Customer = Awaited<ReturnType<typeof newCustomer>>;

export function credit({ card, key }: Customer, headers: Record<string, string> = {}) {
  const body = { card_id: card.id, amount: 4_711 };
  return call("PATCH /cards/credit/balance", { key, headers, body });
}

/** Sends everything that the customer should hear of. */
export async function deliver({ integrator }: Customer): Promise<void> {
  const worker = startWorker(testDatabase().db, HERE);
  await until(integrator, ({ state }) => state === "delivered");
  await worker.stop();
}

/** Resolves once so many credits wait for the batch before theirs. */
export async function untilWaiting(count: number): Promise<void> {
  await expect
    .poll(() => countWaiting().find(({ queue }) => queue === "funds")?.waiting)
    .toBe(count);
}

/** The first span of this name that arrives. */
export async function named(name: string): Promise<CollectedSpan> {
  const [span] = await collector.waitFor(name);
  if (!span) {
    throw new Error("There is no such span.");
  }
  return span;
}
