import { setTimeout as sleep } from "node:timers/promises";
import { change, post, read, remove } from "../asks.ts";
import type { Desk } from "../desk.ts";
import { rowsOf } from "../desk.ts";
import { isAcknowledged } from "../history.ts";
import { recover } from "./webhooks.ts";

const POLL_MS = 200;
/** Only ends a wait for workers that are down or frozen for long. */
const ARRIVED_MS = 20_000;

/** Events of which the run has none, so that everything that the endpoint gets was asked for here. */
const EVENTS = ["float.deficit-repaid"];
const OTHER_EVENTS = ["float.deficit", "float.deficit-repaid"];

/** Has an endpoint beside the account's, changes it, has a test sent to it, and deletes it once that has arrived. */
export async function useFurtherEndpoint(desk: Desk): Promise<void> {
  const id = (await findFurther(desk)) ?? (await createFurther(desk));
  if (id === undefined) {
    return;
  }
  const path = `/webhook-endpoints/${id}`;
  const changed = await desk.asKey({
    ...change("updateWebhookEndpoint", path, { events: OTHER_EVENTS }),
    target: id,
  });
  const shown = await desk.asKey(read("getWebhookEndpoint", path));
  if (isAcknowledged(changed)) {
    desk.requireShown(shown, "its events", ({ events }) => Object(events).length === 2);
  }
  const tested = await desk.asKey(
    post("sendTestWebhook", "/webhooks/test", { body: { endpoint_id: id } }),
  );
  if (isAcknowledged(tested) && (await hasArrived(desk, String(tested.data["event_id"])))) {
    await desk.asKey(remove("deleteWebhookEndpoint", path, id));
  }
}

/** One that an earlier round could not delete. */
async function findFurther(desk: Desk): Promise<string | undefined> {
  const listed = await desk.asKey(read("listWebhookEndpoints", "/webhook-endpoints"));
  const [, further] = rowsOf(listed.data["data"]);
  return further && String(further["id"]);
}

async function createFurther(desk: Desk): Promise<string | undefined> {
  const { integratorId } = desk;
  const body = { webhook_url: desk.collector.url, events: EVENTS, headers: { "X-Team": "ledger" } };
  const created = await desk.asKey(post("createWebhookEndpoint", "/webhook-endpoints", { body }));
  if (!isAcknowledged(created)) {
    return undefined;
  }
  desk.collector.learn(integratorId, String(created.data["secret"]));
  return String(created.data["id"]);
}

/** Once everybody rests: has that sent which was lost with the account's own endpoint. */
export async function recoverFurther(desk: Desk): Promise<void> {
  const endpoint_id = await findFurther(desk);
  if (endpoint_id === undefined) {
    return;
  }
  const { integratorId: target } = desk;
  await desk.asKey(post("enableWebhooks", "/webhooks/enable", { body: { endpoint_id }, target }));
  await recover(desk, { endpoint_id });
}

async function hasArrived({ collector }: Desk, eventId: string): Promise<boolean> {
  const deadline = performance.now() + ARRIVED_MS;
  while (!collector.delivered.has(eventId) && performance.now() < deadline) {
    await sleep(POLL_MS);
  }
  return collector.delivered.has(eventId);
}
