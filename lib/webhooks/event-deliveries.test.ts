import { beforeAll, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { freezeCard, newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { setWebhookUrl } from "#test/scene/webhook-url.ts";
import { readRelations } from "#lib/record/request-relations.ts";
import { listCardDeliveries } from "#lib/webhooks/card-deliveries.ts";
import { getEvent, listRecentEvents } from "#lib/webhooks/event-reads.ts";
import { createEndpoint, deleteEndpoint } from "#lib/webhooks/further-endpoints.ts";

/** Of all events, the first endpoint gets each, one beside it gets freezes, and one that got them too was deleted. */

const FIRST = "https://first.example/hooks";
const SECOND = "https://second.example/hooks";

let mine: TestIntegrator;
let card: string;
let second: string;

const add = (webhookUrl: string) =>
  write(mine, (ctx) =>
    createEndpoint(ctx, { webhookUrl, events: ["card.frozen"], format: "event", headers: {} }),
  );

beforeAll(async () => {
  mine = await newIntegrator();
  await setWebhookUrl(mine, FIRST);
  second = (await add(SECOND)).endpoint.id;
  const { endpoint } = await add("https://deleted.example/hooks");
  card = (await newCard(mine)).id;
  await write(mine, (ctx) => freezeCard(ctx, card, { reason: null, comment: null }));
  await write(mine, (ctx) => deleteEndpoint(ctx, endpoint.id));
});

/** The newest event with this name. */
async function find(event: string) {
  const { rows } = await listRecentEvents(reading(mine), { event, limit: 1 });
  const [row] = rows;
  if (!row) {
    throw new Error(`There is no ${event}.`);
  }
  return row;
}

const urlsOf = (deliveries: readonly { webhookUrl: string | null }[]) =>
  deliveries.map(({ webhookUrl }) => webhookUrl);

test("an event names each of its deliveries, by the id that finds it", async () => {
  const { id, deliveries } = await find("card.frozen");
  expect(urlsOf(deliveries)).toEqual([FIRST, SECOND]);
  expect((await getEvent(reading(mine), id)).deliveries).toEqual(deliveries);
  expect(urlsOf((await find("card.created")).deliveries)).toEqual([FIRST]);
  const answers = await Promise.all(
    deliveries.map((each) => call(`GET /webhook-deliveries/${each.id}`, { key: mine.apiKey })),
  );
  expect(answers.map(({ json }) => json)).toMatchObject([
    { data: { event_id: id, endpoint_id: mine.id, state: "pending" } },
    { data: { event_id: id, endpoint_id: second, state: "pending" } },
  ]);
});

test("a card's deliveries are those to all endpoints, newest first", async () => {
  const listed = await listCardDeliveries(reading(mine), card, 3);
  expect(listed.map((each) => [each.event, each.endpointId, each.webhookUrl])).toEqual([
    ["card.frozen", mine.id, FIRST],
    ["card.frozen", second, SECOND],
    ["card.created", mine.id, FIRST],
  ]);
  expect(await listCardDeliveries(reading(mine), card, 1)).toEqual(listed.slice(0, 1));
});

test("a request names the deliveries of the events that it made", async () => {
  const { id, body, deliveries } = await find("card.frozen");
  const { request_id: requestId, created_at: at } = JSON.parse(body);
  const logged = { requestId, createdAt: new Date(at), durationMs: 0, replayed: false };
  // Only these members decide what a request made.
  const { events } = await readRelations(
    reading(mine),
    logged as Parameters<typeof readRelations>[1],
  );
  expect(events).toEqual([{ id, event: "card.frozen", deliveries }]);
});
