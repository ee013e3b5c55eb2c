import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { webhookDeliveries } from "#db/schema/webhooks.ts";
import { getEndpointHealth } from "#lib/webhooks/endpoint-health.ts";
import { getEndpoint, sendTest } from "#lib/webhooks/endpoints.ts";
import { listRecentEvents } from "#lib/webhooks/event-reads.ts";
import { updateAccount } from "#lib/integrators/integrators.ts";

const setUrl = (integrator: TestIntegrator, webhookUrl: string | null) =>
  write(integrator, (ctx) => updateAccount(ctx, { webhookUrl }));

function setState(integrator: TestIntegrator, state: "exhausted" | "stopped") {
  return testDatabase()
    .db.update(webhookDeliveries)
    .set({ state })
    .where(eq(webhookDeliveries.endpointId, integrator.id));
}

const recent = (integrator: TestIntegrator, filter: { event?: string; cursor?: string } = {}) =>
  listRecentEvents(reading(integrator), { limit: 100, ...filter });

async function healthOf(integrator: TestIntegrator) {
  const ctx = reading(integrator);
  return getEndpointHealth(ctx, await getEndpoint(ctx));
}

const nameOf = ({ body }: { body: string }) => String(JSON.parse(body).event);

test("the feed finds events by several names and by their subject, and deliveries by several states", async () => {
  const mine = await newIntegrator(1_000);
  const card = await newCard(mine, 100);
  await newCard(mine, 200);
  // Which sends a test of its own.
  await setUrl(mine, "https://hooks.example.com/mine");
  await write(mine, sendTest);
  await setState(mine, "stopped");
  await write(mine, sendTest);
  const list = async (path: string): Promise<{ event: string; subject?: { id: string } }[]> => {
    const { status, json } = await call(`GET ${path}`, { key: mine.apiKey });
    expect(status).toBe(200);
    return (json as { data: { event: string }[] }).data;
  };
  const names = async (path: string) => (await list(path)).map(({ event }) => event);
  // An event is listed once no older transaction of the cluster can precede it.
  await vi.waitUntil(async () => (await names("/events?event=webhook.test")).length === 3, 20_000);
  expect(await names(`/events?subject_id=${card.id}`)).toEqual(["card.created", "card.credited"]);
  expect(await names(`/events?subject_id=${card.id}&event=card.credited,card.frozen`)).toEqual([
    "card.credited",
  ]);
  expect(await names("/events?event=card.created,webhook.test")).toEqual([
    "card.created",
    "card.created",
    "webhook.test",
    "webhook.test",
    "webhook.test",
  ]);
  expect(await names(`/events?subject_id=${mine.id}&event=integrator.updated`)).toHaveLength(1);
  expect(await names(`/events?subject_id=${mine.id}&card_id=${card.id}`)).toEqual([]);
  expect(await names("/webhook-deliveries?state=pending,exhausted")).toEqual(["webhook.test"]);
  const stopped = "/webhook-deliveries?state=pending,stopped&event=webhook.test,card.created";
  expect(await names(stopped)).toEqual(["webhook.test", "webhook.test", "webhook.test"]);
  const stranger = await newIntegrator();
  const theirs = await call(`GET /events?subject_id=${card.id}`, { key: stranger.apiKey });
  expect(theirs.json).toMatchObject({ data: [] });
});

test("the health of an endpoint counts its own pending and missed deliveries only", async () => {
  const stranger = await newIntegrator();
  await setUrl(stranger, "https://hooks.example.com/theirs");
  const mine = await newIntegrator();
  expect(await healthOf(mine)).toMatchObject({
    endpoint: { state: "off", webhookUrl: null },
    pending: 0,
    missed: 0,
  });
  await setUrl(mine, "https://hooks.example.com/mine");
  expect(await healthOf(mine)).toMatchObject({
    endpoint: { state: "on", webhookUrl: "https://hooks.example.com/mine", failingSince: null },
    pending: 2,
    missed: 0,
    missedSince: null,
  });
  const oldest =
    (await recent(mine)).rows.findLast(({ deliveries }) => deliveries.length > 0)?.body ?? "";
  for (const state of ["exhausted", "stopped"] as const) {
    await setState(mine, state);
    expect(await healthOf(mine)).toMatchObject({
      pending: 0,
      missed: 2,
      missedSince: new Date(JSON.parse(oldest).created_at),
    });
  }
  await write(mine, sendTest);
  expect(await healthOf(mine)).toMatchObject({ pending: 1, missed: 2 });
  expect(await healthOf(stranger)).toMatchObject({ pending: 2, missed: 0 });
});

test("recent events are listed newest first with the state of their notification, page by page", async () => {
  const stranger = await newIntegrator();
  await newCard(stranger);
  const mine = await newIntegrator();
  const card = await newCard(mine);
  await setUrl(mine, "https://hooks.example.com/mine");
  const { rows } = await recent(mine);
  expect(rows.map(({ id }) => id)).toEqual(
    rows
      .map(({ id }) => id)
      .toSorted()
      .toReversed(),
  );
  expect(rows.map((row) => [nameOf(row), ...row.deliveries.map(({ state }) => state)])).toEqual([
    ["webhook.test", "pending"],
    ["integrator.updated", "pending"],
    ["card.created"],
    ["user.kyc-verification"],
  ]);
  expect(rows.every(({ body }) => JSON.parse(body).integrator_id === mine.id)).toBe(true);

  const first = await listRecentEvents(reading(mine), { limit: 3 });
  const cursor = first.nextCursor ?? "";
  const second = await listRecentEvents(reading(mine), { limit: 3, cursor });
  expect([...first.rows, ...second.rows]).toEqual(rows);
  expect(second.nextCursor).toBeNull();

  const [created, ...others] = (await recent(mine, { event: "card.created" })).rows;
  expect(JSON.parse(created?.body ?? "")).toMatchObject({ subject: { type: "card", id: card.id } });
  expect(others).toEqual([]);
});

test("an unknown event name and a cursor that no list returned are refused", async () => {
  const mine = await newIntegrator();
  for (const filter of [{ event: "card.eaten" }, { event: "toString" }, { cursor: "tomorrow" }]) {
    await expect(recent(mine, filter)).rejects.toMatchObject({ code: "validation_failed" });
  }
});
