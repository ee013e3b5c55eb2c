import { setTimeout as sleep } from "node:timers/promises";
import { change, post, read, remove } from "../asks.ts";
import type { AdminClient } from "../admin-client.ts";
import { rowsOf } from "../admin-client.ts";
import { isAcknowledged } from "../history.ts";
import { recover } from "./webhooks.ts";

const POLL_MS = 200;
/** Only ends a wait for workers that are down or frozen for long. */
const ARRIVED_MS = 20_000;

/** Events of which the run has none, so that everything that the endpoint gets was asked for here. */
const EVENTS = ["float.deficit-repaid"];
const OTHER_EVENTS = ["float.deficit", "float.deficit-repaid"];

/** Has an endpoint beside the account's, changes it, has a test sent to it, and deletes it once that has arrived. */
export async function useFurtherEndpoint(client: AdminClient): Promise<void> {
  const id = (await findFurther(client)) ?? (await createFurther(client));
  if (id === undefined) {
    return;
  }
  const path = `/webhook-endpoints/${id}`;
  const changed = await client.asKey({
    ...change("updateWebhookEndpoint", path, { events: OTHER_EVENTS }),
    target: id,
  });
  const shown = await client.asKey(read("getWebhookEndpoint", path));
  if (isAcknowledged(changed)) {
    client.requireShown(shown, "its events", ({ events }) => Object(events).length === 2);
  }
  const tested = await client.asKey(
    post("sendTestWebhook", "/webhooks/test", { body: { endpoint_id: id } }),
  );
  if (isAcknowledged(tested) && (await hasArrived(client, String(tested.data["event_id"])))) {
    await client.asKey(remove("deleteWebhookEndpoint", path, id));
  }
}

/** One that an earlier round could not delete. */
async function findFurther(client: AdminClient): Promise<string | undefined> {
  const listed = await client.asKey(read("listWebhookEndpoints", "/webhook-endpoints"));
  const [, further] = rowsOf(listed.data["data"]);
  return further && String(further["id"]);
}

async function createFurther(client: AdminClient): Promise<string | undefined> {
  const { integratorId } = client;
  const body = {
    webhook_url: client.collector.url,
    events: EVENTS,
    headers: { "X-Team": "ledger" },
  };
  const created = await client.asKey(post("createWebhookEndpoint", "/webhook-endpoints", { body }));
  if (!isAcknowledged(created)) {
    return undefined;
  }
  client.collector.learn(integratorId, String(created.data["secret"]));
  return String(created.data["id"]);
}

/** After the workload has stopped: recovers what this endpoint missed while the receiver answered 410. */
export async function recoverFurther(client: AdminClient): Promise<void> {
  const endpoint_id = await findFurther(client);
  if (endpoint_id === undefined) {
    return;
  }
  const { integratorId: target } = client;
  await client.asKey(post("enableWebhooks", "/webhooks/enable", { body: { endpoint_id }, target }));
  await recover(client, { endpoint_id });
}

async function hasArrived({ collector }: AdminClient, eventId: string): Promise<boolean> {
  const deadline = performance.now() + ARRIVED_MS;
  while (!collector.delivered.has(eventId) && performance.now() < deadline) {
    await sleep(POLL_MS);
  }
  return collector.delivered.has(eventId);
}
