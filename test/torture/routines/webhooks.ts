import { setTimeout as sleep } from "node:timers/promises";
import { change, label, moveWebhooks, post, read } from "../asks.ts";
import type { AdminClient } from "../admin-client.ts";
import { rowsOf } from "../admin-client.ts";
import { isAcknowledged } from "../history.ts";

const POLL_MS = 200;
/** Only ends a wait for workers that are down or frozen for long. */
const GONE_MS = 20_000;
/** What is recovered: everything of a month, whose beginning the database's clock skips. */
const RECOVERED_MS = 3_600_000;

/** Has notifications sent to another address of the same receiver, and tries it out. */
export async function moveEndpoint(client: AdminClient): Promise<void> {
  const url = `${client.collector.url}/${client.newMarker()}`;
  const moved = await client.asKey(moveWebhooks(url, client.newMarker()));
  if (isAcknowledged(moved)) {
    const shown = await client.asKey(read("getWebhooks", "/webhooks"));
    client.requireShown(shown, "its new address", ({ webhook_url }) => webhook_url === url);
  }
  const tested = await client.asKey(post("sendTestWebhook", "/webhooks/test"));
  if (!isAcknowledged(tested)) {
    return;
  }
  const id = String(tested.data["id"]);
  const event = await client.asKey(read("getEvent", `/events/${id}`));
  client.requireShown(event, `event ${id}`, (data) => data["event"] === "webhook.test");
  await client.asKey(
    post("resendWebhookDelivery", `/webhook-deliveries/${id}/resend`, { target: id }),
  );
  await client.asKey(read("getWebhookDelivery", `/webhook-deliveries/${id}`));
}

/** Rotates the signing secret. The receiver knows it from the answer on. */
export async function rotateSecret(client: AdminClient): Promise<void> {
  const { integratorId: target } = client;
  const rotated = await client.asKey(
    post("rotateWebhookSecret", "/webhooks/rotate-secret", { target }),
  );
  if (isAcknowledged(rotated)) {
    client.collector.learn(target, String(rotated.data["secret"]));
    await revealSecret(client, String(rotated.data["secret"]));
  }
}

/**
 * Reveals the signing secret, and gives it to the receiver.
 * @param expected the secret that it must be, unless it is the first.
 */
export async function revealSecret(client: AdminClient, expected?: string): Promise<void> {
  const { integratorId: target } = client;
  const revealed = await client.asOwner(
    post("revealWebhookSecret", "/webhooks/reveal-secret", { target, repeat: "performed" }),
  );
  if (isAcknowledged(revealed) && expected === undefined) {
    client.collector.learn(target, String(revealed.data["secret"]));
  }
  client.requireShown(
    revealed,
    "the rotated secret",
    ({ secret }) => expected === undefined || secret === expected,
  );
}

/** Switches notifications off for a while, and recovers what was missed. */
export async function pauseEndpoint(client: AdminClient): Promise<void> {
  const off = await client.asKey(moveWebhooks(null, client.newMarker()));
  if (isAcknowledged(off)) {
    const shown = await client.asKey(read("getWebhooks", "/webhooks"));
    client.requireShown(shown, "that it is off", ({ state }) => state === "off");
  }
  await client.asKey(label(client.random.pick(client.customer.cardIds), client.newMarker()));
  await client.asKey(moveWebhooks(client.collector.url, client.newMarker()));
  await recover(client);
}

/** The receiver answers 410 until its endpoint is switched off. Then the endpoint is switched on again. */
export async function loseEndpoint(client: AdminClient): Promise<void> {
  const deadline = performance.now() + GONE_MS;
  client.collector.gone.add(client.integratorId);
  try {
    while (!(await isSwitchedOff(client)) && performance.now() < deadline) {
      await client.asKey(post("sendTestWebhook", "/webhooks/test"));
      await sleep(POLL_MS);
    }
  } finally {
    client.collector.gone.delete(client.integratorId);
  }
  await client.asKey(post("enableWebhooks", "/webhooks/enable", { target: client.integratorId }));
  await recover(client);
}

async function isSwitchedOff(client: AdminClient): Promise<boolean> {
  const shown = await client.asKey(read("getWebhooks", "/webhooks"));
  return shown.data["state"] === "switched_off";
}

/**
 * Sends again everything that did not arrive.
 * @param endpoint if it is not the account's own.
 */
export async function recover(
  client: AdminClient,
  endpoint: { endpoint_id?: string } = {},
): Promise<void> {
  const since = new Date(Date.now() - RECOVERED_MS).toISOString();
  await client.asKey(
    post("recoverWebhookDeliveries", "/webhook-deliveries/recover", {
      body: { since, ...endpoint },
      target: client.integratorId,
    }),
  );
}

/** Changes the account's settings, and makes the test inbox. */
export async function changeSettings(client: AdminClient): Promise<void> {
  const marker = client.newMarker();
  const body = { registration_number: marker };
  const changed = await client.asKey({
    ...change("updateSettings", "/card-integrators/settings", body),
    marker,
  });
  if (isAcknowledged(changed)) {
    const shown = await client.asKey(read("getAccount", "/card-integrators/me"));
    client.requireShown(
      shown,
      "its new registration number",
      ({ registration_number }) => registration_number === marker,
    );
  }
  await client.asKey(post("createInbox", "/sandbox/inbox", { target: client.integratorId }));
  await client.asKey(read("listInbox", "/sandbox/inbox"));
  await client.asOwner(
    change("requireSecondFactor", "/staff/second-factor-policy", { required: false }),
  );
  await client.asKey(post("resetClock", "/sandbox/clock/reset", { target: client.integratorId }));
}

/** Reads every list and every record that there is. */
export async function readEverything(client: AdminClient): Promise<void> {
  for (const ask of LISTS) {
    await client.asKey(ask);
  }
  for (const ask of STAFF_LISTS) {
    await client.asOwner(ask);
  }
  const transactions = await client.asKey(read("listTransactions", "/transactions?limit=1"));
  for (const { id } of rowsOf(transactions.data["data"])) {
    await client.asKey(read("getTransactionById", `/transactions/${String(id)}`));
    await client.asKey(read("getTransaction", `/cards/transaction/${String(id)}`));
  }
  const [cardId = ""] = client.customer.cardIds;
  await client.asKey(read("listCardActivity", `/cards/${cardId}/activity`));
  await client.asKey(read("getCardStatement", `/cards/${cardId}/statement`));
  await client.asKey(read("exportCardStatement", `/exports/cards/${cardId}/statement`));
}

const LISTS = [
  read("listUsers", "/card-integrators/card-users"),
  read("listFloatEntries", "/card-integrators/float/entries"),
  read("getClock", "/sandbox/clock"),
  read("listWebhookDeliveries", "/webhook-deliveries?limit=20"),
  read("getMissedWebhookDeliveries", "/webhook-deliveries/missed"),
  read("getIdempotencyKey", "/idempotency-keys/unknown"),
  read("exportCards", "/exports/cards"),
  read("exportFloatEntries", "/exports/float-entries"),
  read("getFloatStatement", "/card-integrators/float-statement"),
  read("exportFloatStatement", "/exports/float-statement"),
  read("exportTransactions", "/exports/transactions"),
  read("listDeprecations", "/deprecations"),
  read(
    "previewIdleFreezeSettings",
    "/card-integrators/settings/idle-freeze-preview?idle_freeze_days=90",
  ),
  read(
    "previewAutoFreezeSettings",
    "/card-integrators/settings/auto-freeze-preview?declines=3&within_minutes=60",
  ),
];

const STAFF_LISTS = [
  read("listApiLog", "/api-log?limit=20"),
  read("listAuditLog", "/audit-log?limit=20"),
  read("exportAuditLog", "/exports/audit-log"),
  read("getAccountVersion", "/card-integrators/me/version"),
];
